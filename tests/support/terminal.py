"""A program in a real pseudo-terminal, read through pyte: what a user would see and type."""
import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time

import processes
import pyte

ALTERNATE_SCREEN = (b"\x1b[?1049h", b"\x1b[?1049l")
# pyte does not know synchronised output, and answers questions by itself only when asked to.
QUESTION, ANSWER = b"\x1b[5n", b"\x1b[0n"
BACKGROUND = b"\x1b]11;?\x1b\\"
END_MARK = b"\x1b_every byte before this one has arrived\x1b\\"  # written in one piece, and never by a program
KEYS = {"F1": "\x1bOP", "F2": "\x1bOQ", "F4": "\x1bOS", "F5": "\x1b[15~", "F6": "\x1b[17~", "F9": "\x1b[20~", "F10": "\x1b[21~",
        "Up": "\x1b[A", "Down": "\x1b[B", "Right": "\x1b[C", "Left": "\x1b[D", "Home": "\x1b[H", "End": "\x1b[F",
        "PageUp": "\x1b[5~", "PageDown": "\x1b[6~", "Tab": "\t", "Shift-Tab": "\x1b[Z", "Enter": "\r", "Esc": "\x1b", "Space": " "}


class Screen(pyte.Screen):
    """pyte's screen with its mistakes corrected: an erased line is not bold, other terminals' private modes are ignored."""

    def report_device_status(self, mode=0, **_):
        pass  # Terminal answers, as a terminal does: at once, or late, or never

    def select_graphic_rendition(self, *attributes, private=False, **_):
        if not private:
            super().select_graphic_rendition(*attributes)


class Terminal:
    """Owns the master side and the process on the other. Reads only inside its own methods: no threads."""

    def __init__(self, command, env, columns=80, rows=24, answers=True, cwd=None, modes=None, background=None):
        # answers: at once (True), never (False), or so many seconds late, as at the end of a long line.
        self.answers, self.received, self.answered, self.owed = answers, bytearray(), 0, []
        self.answered_after = []  # so many received bytes
        self.background = background  # what it says when asked for its own: "rgb:ffff/ffff/ffff"; None: nothing
        self.screen = Screen(columns, rows)
        self.stream = pyte.ByteStream(self.screen)
        self.master, slave = pty.openpty()
        os.set_blocking(self.master, False)
        self._set_size(columns, rows)
        if modes is not None:
            termios.tcsetattr(slave, termios.TCSANOW, modes)
        self.modes_before = termios.tcgetattr(slave)
        self.slave = slave  # kept open: the modes are compared after the program has gone
        self.started = time.monotonic()
        self.pid = os.fork()
        if self.pid == 0:
            try:
                os.setsid()
                fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
                for fd in range(3):
                    os.dup2(slave, fd)
                os.closerange(3, 256)
                if cwd:
                    os.chdir(cwd)
                os.execvpe(command[0], command, env)
            finally:
                os._exit(127)
        self.status = None
        self.marked, self.ended, self.held = False, False, b""  # see _read_to_its_end
        self.usage = None

    # --- the terminal ---
    def _set_size(self, columns, rows):
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def resize(self, columns, rows):
        self.pump(0)
        self.screen.resize(rows, columns)
        self._set_size(columns, rows)

    def modes(self):
        return termios.tcgetattr(self.slave)

    def restored(self):
        """Whether the shell gets back its modes, its screen and its cursor, with nothing to read."""
        return not self.complaints()

    def complaints(self):
        self.pump(0)
        found, text = [], bytes(self.received)
        if self.modes() != self.modes_before:
            found.append("the modes differ")
        entered, left = (text.rfind(code) for code in ALTERNATE_SCREEN)
        if entered >= 0 and left < entered:
            found.append("the alternate screen was not left")
        if text.rfind(b"\x1b[?25h") < text.rfind(b"\x1b[?25l"):
            found.append("the cursor is hidden")
        for mode in (b"1002", b"1006", b"2004", b"2026"):
            if text.rfind(b"\x1b[?" + mode + b"l") < text.rfind(b"\x1b[?" + mode + b"h"):
                found.append(f"mode {mode.decode()} is still on")
        if text.rfind(b"\x1b[?7h") < text.rfind(b"\x1b[?7l"):
            found.append("lines do not wrap")
        if rest := self.unread_input():
            found.append(f"the shell would read {rest!r}")
        return found

    def unread_input(self):
        """Returns and removes input (keys, answers) that nobody has read."""
        modes = termios.tcgetattr(self.slave)
        raw = termios.tcgetattr(self.slave)
        raw[3] &= ~(termios.ICANON | termios.ECHO)
        termios.tcsetattr(self.slave, termios.TCSANOW, raw)
        rest = b""
        while select.select([self.slave], [], [], 0.02)[0]:
            rest += os.read(self.slave, 4096)
        termios.tcsetattr(self.slave, termios.TCSANOW, modes)
        return rest

    def hang_up(self):
        """Closes the terminal, as closing its window does."""
        os.close(self.slave)
        os.close(self.master)
        self.master = self.slave = -1

    # --- input ---
    def type(self, text):
        os.write(self.master, text.encode() if isinstance(text, str) else text)

    def press(self, *keys):
        for key in keys:
            self.type(KEYS.get(key, key))

    def mouse(self, button, column, row, final="M"):
        """SGR report; column and row count from 0. Buttons: 0 left, 32 drag, 64 wheel up, 65 wheel down."""
        self.type(f"\x1b[<{button};{column + 1};{row + 1}{final}")

    def click(self, column, row):
        self.mouse(0, column, row)
        self.mouse(0, column, row, "m")

    def click_on(self, text, line=None):
        """Clicks on the first occurrence of a text, once it is on the screen; line: only in this one (-1: the last)."""
        def place():
            if line is None:
                return self.find(text)
            column = self.lines()[line].find(text)
            return None if column < 0 else (column + 1, line % len(self.lines()))
        self.click(*self.wait(place, f"{text!r} to click on"))

    # --- output ---
    def pump(self, seconds):
        """Reads for so long; returns the bytes. Ends early if the other side is closed."""
        end, taken = time.monotonic() + seconds, bytearray()
        while self.master >= 0:
            self._answer()
            wait = max(0.0, min([end, *self.owed]) - time.monotonic())
            if not select.select([self.master], [], [], wait)[0]:
                if time.monotonic() < end:
                    continue
                break
            try:
                chunk = os.read(self.master, 65536)
            except BlockingIOError:
                continue
            except OSError:
                break  # EIO: nobody has the other side open
            taken += chunk
            self._take(chunk)
            if time.monotonic() >= end:
                break
        return bytes(taken)

    def trickle(self, count):
        """Reads at most so many bytes, if there are any: a slow line."""
        if select.select([self.master], [], [], 0)[0]:
            try:
                self._take(os.read(self.master, count))
            except OSError:
                pass

    def _take(self, chunk):
        if self.marked and not self.ended:
            chunk = self._without_mark(chunk)
        self.received += chunk
        self.stream.feed(chunk)
        if self.background and BACKGROUND in self.received:
            os.write(self.master, b"\x1b]11;" + self.background.encode() + b"\x1b\\")
            self.background = None
        while self.answers and (at := self.received.find(QUESTION, self.answered)) >= 0:
            self.answered = at + len(QUESTION)
            self.owed.append(time.monotonic() + (0 if self.answers is True else self.answers))
        self._answer()

    def _answer(self):
        while self.owed and self.owed[0] <= time.monotonic():
            self.owed.pop(0)
            os.write(self.master, ANSWER)
            self.answered_after.append(len(self.received))

    def lines(self):
        return self.screen.display

    def text(self):
        return "\n".join(self.lines())

    def find(self, text):
        """(column, row) of the first occurrence, or None."""
        for row, line in enumerate(self.lines()):
            if (column := line.find(text)) >= 0:
                return column, row
        return None

    def wait(self, condition, what="", seconds=20):
        """Waits until the condition (a function, or a text or compiled pattern on the screen) holds; returns its value."""
        if isinstance(condition, str):
            wanted, condition = condition, lambda: wanted in self.text()
            what = what or repr(wanted)
        elif isinstance(condition, re.Pattern):
            pattern, condition = condition, lambda: pattern.search(self.text())
            what = what or pattern.pattern
        end = time.monotonic() + seconds
        while not (value := condition()):
            if time.monotonic() > end:
                raise AssertionError(f"waited {seconds} s in vain for {what}; the screen:\n{self.text()}")
            self.pump(0.02)
            self.poll()
        return value

    def wait_gone(self, text, seconds=20):
        self.wait(lambda: text not in self.text(), f"{text!r} to vanish", seconds)

    def press_until(self, key, condition, what="", seconds=20):
        """For keys that step through values: presses, waits, and presses again."""
        end = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > end:
                raise AssertionError(f"pressed {key} for {seconds} s in vain: {what}; the screen:\n{self.text()}")
            self.press(key)
            self.pump(0.1)

    def quiet(self, seconds=0.3, patience=10):
        """Waits until nothing has arrived for so long."""
        end = time.monotonic() + patience
        while self.pump(seconds) and time.monotonic() < end:
            pass

    # --- the process ---
    def poll(self):
        if self.status is None:
            pid, status, usage = os.wait4(self.pid, os.WNOHANG)
            if pid:
                self.status, self.usage = status, usage
        return self.status

    def wait_end(self, seconds=20):
        """Waits for its end; returns its exit code, or minus its signal."""
        end = time.monotonic() + seconds
        while self.poll() is None:
            if time.monotonic() > end:
                raise AssertionError(f"still running after {seconds} s; the screen:\n{self.text()}")
            if self.master >= 0:
                self.pump(0.005)
            else:
                time.sleep(0.005)
        self._read_to_its_end()
        return os.waitstatus_to_exitcode(self.status)

    def _read_to_its_end(self, seconds=10):
        """Reads what the program wrote last: the kernel may pass it on only after the program has gone.

        A terminal keeps its bytes in order, so everything has arrived when a mark written after it has."""
        while self.pump(0):  # makes room for the mark
            pass
        if self.master < 0 or self.marked:
            return
        self.marked = True
        os.write(self.slave, END_MARK)
        end = time.monotonic() + seconds
        while not self.ended:
            if time.monotonic() > end:
                raise AssertionError(f"the terminal's last bytes did not arrive within {seconds} s; the screen:\n{self.text()}")
            self.pump(0.005)

    def _without_mark(self, chunk):
        """The mark may arrive in two pieces: what may be its beginning is held until the rest is here."""
        chunk, self.held = self.held + chunk, b""
        if END_MARK in chunk:
            self.ended = True
            return chunk.replace(END_MARK, b"")
        for length in range(min(len(chunk), len(END_MARK) - 1), 0, -1):
            if chunk.endswith(END_MARK[:length]):
                self.held = chunk[-length:]
                return chunk[:-length]
        return chunk

    def stop_run(self, seconds=40):
        """Ends the run with gputop's keys; returns gputop's exit code."""
        self.press("q")
        self.wait("Detach or stop?")
        self.press("s")
        return self.wait_end(seconds)

    def make_change(self, question="Make this change?"):
        """Applies the selected advice with gputop's keys."""
        self.press("a")
        self.wait(question)
        self.press("y")

    def kill(self, number):
        processes.send(self.pid, number)

    def close(self):
        if self.poll() is None:
            processes.send(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
            self.status = 9
        for fd in (self.master, self.slave):
            if fd >= 0:
                os.close(fd)
        self.master = self.slave = -1
