"""Starts a full-screen program in a pseudo-terminal and waits until it has drawn a text: first_frame.py TEXT PROGRAM [ARGUMENT...]

serves runs (see pace.py); the clock starts before the program does, and stops when the text has come.
"""

import os
import pty
import select
import signal
import sys

from pace import serve_runs

text = sys.argv[1].encode()
command = sys.argv[2:]


def first_frame():
    pid, master = pty.fork()
    if pid == 0:
        os.execv(command[0], command)
    seen = b""
    while text not in seen:
        if not select.select([master], [], [], 10)[0]:
            sys.exit("%s never drew %r: %r" % (command[0], text, seen[-2000:]))
        seen += os.read(master, 65536)
    return pid, master


def end(pid, master):
    # Not waited for within the measurement; a polite kill gives the terminal back, which must be read.
    os.kill(pid, signal.SIGTERM)
    try:
        while os.read(master, 65536):
            pass
    except OSError:
        pass
    os.close(master)
    os.waitpid(pid, 0)


class Run:
    """One start; what it left is ended before the next one begins."""

    def __init__(self):
        self.last = None

    def __call__(self):
        self.last = first_frame()

    def tidy(self):
        if self.last:
            end(*self.last)
            self.last = None


run = Run()
serve_runs(run, after=run.tidy)
