#!/usr/bin/python3
"""Runs a program as on a kernel without IPv6: for it and all that it starts, no socket of that family can be made.

usage: without_ipv6.py COMMAND...

A filter of system calls (seccomp(2)) answers socket(AF_INET6, ...) with EAFNOSUPPORT, as such a kernel does. Needs root.
"""

import ctypes
import errno
import os
import platform
import socket
import struct
import sys

# Of linux/prctl.h, linux/seccomp.h and linux/bpf_common.h.
PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 22, 2
RETURN_ERROR, ALLOW = 0x00050000, 0x7FFF0000
LOAD_WORD, JUMP_IF_EQUAL, RETURN = 0x20, 0x15, 0x06
# Offsets in struct seccomp_data of the system call's number and of the lower half of its first argument.
NUMBER, FIRST_ARGUMENT = 0, 16
SOCKET = {"x86_64": 41, "aarch64": 198, "riscv64": 198}


class Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_void_p)]


def main():
    number = SOCKET.get(platform.machine())
    if number is None:
        sys.exit(f"without_ipv6: the number of socket(2) on {platform.machine()} is not known")
    steps = [
        (LOAD_WORD, 0, 0, NUMBER),
        (JUMP_IF_EQUAL, 0, 3, number),
        (LOAD_WORD, 0, 0, FIRST_ARGUMENT),
        (JUMP_IF_EQUAL, 0, 1, socket.AF_INET6),
        (RETURN, 0, 0, RETURN_ERROR | errno.EAFNOSUPPORT),
        (RETURN, 0, 0, ALLOW),
    ]
    code = ctypes.create_string_buffer(b"".join(struct.pack("=HBBI", *step) for step in steps))
    program = Program(len(steps), ctypes.addressof(code))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(program), 0, 0) != 0:
        sys.exit(f"without_ipv6: seccomp: {os.strerror(ctypes.get_errno())}")
    os.execvp(sys.argv[1], sys.argv[1:])


main()
