#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/types.h>

/* A new event descriptor (Linux), non-blocking and closed on exec; -1 with `errno` if there is none.

   In C because Swift's module of the C library lacks <sys/eventfd.h>. */
int system_io_event_descriptor(void);

/* `poll` of `count` entries of the type `struct pollfd`, with a timeout in nanoseconds; elsewhere than on Linux it ends up to a
   millisecond early.

   In C because glibc shows `ppoll` with _GNU_SOURCE only. */
int system_io_poll(void *entries, unsigned long count, int64_t nanoseconds);

/* A descriptor that `system_io_watch` adds others to, closed on exec; -1 with `errno` if there is none (Linux only).

   In C because Swift does not import the packed `struct epoll_event`. */
int system_io_watch_descriptor(void);

/* Waits for a descriptor from now on, for the events of `poll`, in place of those before; with `-1` for no more. 0, or -1 with `errno`. */
int system_io_watch(int watch, int descriptor, int events);

/* One that is ready, and the events of `poll` that have come. */
struct system_io_ready {
    int32_t descriptor;
    int16_t events;
};

/* Waits until some are ready, at most `milliseconds`; returns how many were written to `ready`, which has space for `most`; -1 with
   `errno`. */
int system_io_await(int watch, struct system_io_ready *ready, int most, int milliseconds);

/* `pipe`, `socket` and `accept`, closed on exec from the beginning, so that a program started by another thread meanwhile does not
   inherit them; elsewhere than on Linux it may, for an instant. -1 with `errno` if there is none.

   In C because glibc shows `pipe2` and `accept4` with _GNU_SOURCE only. */
int system_io_pipe(int ends[2]);
int system_io_socket(int family, int kind);
int system_io_accept(int listener, struct sockaddr *address, socklen_t *length);

/* Has the kernel stamp each datagram of a socket when it receives it. 0, or -1 with `errno`; elsewhere than on Linux ENOSYS. */
int system_io_stamp_receipts(int descriptor);

/* `recvfrom`. `*waited` becomes how long the kernel has had the datagram, nanoseconds of its wall clock; -1 if it is not stamped, or that
   clock was set back, or by more than ten seconds, meanwhile: a smaller step forward cannot be told from waiting.

   In C because Swift does not import the macros of control messages. */
ssize_t system_io_receive(int descriptor, void *bytes, size_t size, struct sockaddr *from, socklen_t *length, int64_t *waited);

/* Where the kernel has loaded the program's interpreter, the loader of shared libraries; 0 if it has none because it is linked
   statically.

   In C because Swift's module of the C library lacks <sys/auxv.h>. */
unsigned long system_io_interpreter(void);

/* Limits the stack of every thread that is created from now on without a size of its own to `bytes`. 0, or an error number; elsewhere
   than with glibc ENOSYS.

   In C because glibc shows `pthread_setattr_default_np` with _GNU_SOURCE only. */
int system_io_limit_thread_stacks(size_t bytes);

/* Has all threads allocate from one heap. 0, or an error number; elsewhere than with glibc ENOSYS.

   In C because Swift's module of the C library lacks <malloc.h>. */
int system_io_share_heap(void);
