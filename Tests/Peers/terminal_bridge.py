"""A pseudo-terminal around a program, for a test that is the terminal itself.

Standard input takes lines: `in HEX` (bytes typed), `size ROWS COLUMNS`, `hang` (the terminal's window is closed). Standard
output gives lines: `pid N`, `out HEX` (bytes for the screen), `exit N`.
"""

import fcntl
import os
import pty
import select
import struct
import sys
import termios


def main():
    rows, columns = int(sys.argv[1]), int(sys.argv[2])
    pid, master = pty.fork()
    if pid == 0:
        os.execv(sys.argv[3], sys.argv[3:])
    resize(master, rows, columns)
    tell("pid %d" % pid)
    commands = b""
    while True:
        ready, _, _ = select.select([master, 0], [], [])
        if master in ready:
            try:
                data = os.read(master, 65536)
            except OSError:
                data = b""
            if not data:
                break
            tell("out " + data.hex())
        if 0 in ready:
            data = os.read(0, 65536)
            if not data:
                break
            commands += data
            *lines, commands = commands.split(b"\n")
            for line in lines:
                obey(master, line.decode().split(" "))
    os.close(master)
    _, status = os.waitpid(pid, 0)
    tell("exit %d" % (os.waitstatus_to_exitcode(status)))


def obey(master, words):
    if words[0] == "in":
        os.write(master, bytes.fromhex(words[1]))
    elif words[0] == "size":
        resize(master, int(words[1]), int(words[2]))
    elif words[0] == "hang":
        os.close(master)
        sys.exit(0)


def resize(master, rows, columns):
    fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


def tell(line):
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


main()
