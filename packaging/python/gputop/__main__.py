"""python -m gputop: the command itself, in this process's place."""
import os
import sys

from gputop import command

if __name__ == "__main__":
    program = command()
    os.execv(program, [program, *sys.argv[1:]])
