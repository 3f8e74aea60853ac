"""What the text front end costs with many vehicles: screen_load.py UAVLINK VEHICLES SECONDS

Starts that many simulated vehicles, each with its companion in a process of its own, logs in to all of them in a front end
in a pseudo-terminal as a person does, opens the telemetry screen, and after a while prints
`load SHARE FRAMES TELEMETRY`: the share of one core that the front end's process took, frames a second, vehicles.
"""

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import time

program, vehicles, seconds = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])


class Screen:
    def __init__(self, command):
        self.pid, self.master = pty.fork()
        if self.pid == 0:
            os.execve(command[0], command, dict(os.environ, TERM="xterm-256color", LINES="40", COLUMNS="120"))
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
        os.kill(self.pid, signal.SIGWINCH)
        self.seen = b""
        self.frames = 0

    def read(self, wait):
        if select.select([self.master], [], [], wait)[0]:
            try:
                piece = os.read(self.master, 65536)
            except OSError:
                # It has ended.
                time.sleep(wait)
                return False
            self.frames += piece.count(b"\x1b[?2026l")
            self.seen = (self.seen + piece)[-65536:]
            # Every terminal answers what it is asked for its attributes.
            if b"\x1b[c" in piece:
                os.write(self.master, b"\x1b[?62;c")
            return True
        return False

    def drain(self, wait):
        until = time.monotonic() + wait
        while time.monotonic() < until:
            self.read(max(0, until - time.monotonic()))

    def sees(self, text, within=20):
        until = time.monotonic() + within
        while text.encode() not in self.seen:
            if time.monotonic() > until:
                sys.exit("the screen never showed %r: %r" % (text, self.seen[-3000:]))
            self.read(0.1)

    def type(self, text):
        self.seen = b""
        os.write(self.master, text.encode())


def log_in(screen, number):
    """Chooses one of the vehicles on this machine, which are the first of the list."""
    for _ in range(number - 1):
        screen.type("\x1b[B")
        screen.drain(0.1)
    screen.type("\r")
    screen.sees("What do you want to do?")


def processor_seconds(pid):
    fields = open("/proc/%d/stat" % pid).read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main():
    started = []
    try:
        for number in range(1, vehicles + 1):
            started.append(subprocess.Popen([program, "sim", "--uav", "uav%d" % number], stderr=subprocess.DEVNULL))
        time.sleep(1)
        screen = Screen([program])
        started_at = screen.pid
        # It looks for them after its first frame.
        screen.sees("this machine")
        log_in(screen, 1)
        for number in range(2, vehicles + 1):
            screen.type("n")
            screen.sees("this machine")
            log_in(screen, number)
        screen.type("2")
        screen.drain(2)
        screen.frames = 0
        before, began = processor_seconds(started_at), time.monotonic()
        screen.drain(seconds)
        passed = time.monotonic() - began
        share = (processor_seconds(started_at) - before) / passed
        print("load %.4f %.1f %d" % (share, screen.frames / passed, vehicles), flush=True)
        os.kill(screen.pid, signal.SIGTERM)
        screen.drain(1)
    finally:
        for process in started:
            process.terminate()
        for process in started:
            process.wait()


main()
