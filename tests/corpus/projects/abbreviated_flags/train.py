import sys

options = dict(word.lstrip("-").split("=") for word in sys.argv[1:] if "=" in word)
