#ifdef __linux__
#define _GNU_SOURCE
#endif
#include "system_io.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/auxv.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>

int system_io_event_descriptor(void) { return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }

int system_io_poll(void *entries, unsigned long count, int64_t nanoseconds) {
    struct timespec limit = {.tv_sec = nanoseconds / 1000000000, .tv_nsec = nanoseconds % 1000000000};
    return ppoll(entries, count, &limit, NULL);
}

int system_io_watch_descriptor(void) { return epoll_create1(EPOLL_CLOEXEC); }

int system_io_watch(int watch, int descriptor, int events) {
    /* Linux gives these the same numbers. */
    _Static_assert(EPOLLIN == POLLIN && EPOLLOUT == POLLOUT && EPOLLERR == POLLERR && EPOLLHUP == POLLHUP, "events");
    struct epoll_event event = {.events = (uint32_t)events, .data.fd = descriptor};
    if (events < 0) return epoll_ctl(watch, EPOLL_CTL_DEL, descriptor, &event);
    if (epoll_ctl(watch, EPOLL_CTL_MOD, descriptor, &event) == 0) return 0;
    return errno == ENOENT ? epoll_ctl(watch, EPOLL_CTL_ADD, descriptor, &event) : -1;
}

int system_io_await(int watch, struct system_io_ready *ready, int most, int milliseconds) {
    struct epoll_event events[32];
    const int space = (int)(sizeof events / sizeof *events);
    int count = epoll_wait(watch, events, most < space ? most : space, milliseconds);
    for (int index = 0; index < count; index++) {
        ready[index].descriptor = events[index].data.fd;
        ready[index].events = (int16_t)events[index].events;
    }
    return count;
}

int system_io_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

int system_io_socket(int family, int kind) { return socket(family, kind | SOCK_CLOEXEC, 0); }

int system_io_accept(int listener, struct sockaddr *address, socklen_t *length) {
    return accept4(listener, address, length, SOCK_CLOEXEC);
}

unsigned long system_io_interpreter(void) { return getauxval(AT_BASE); }

int system_io_stamp_receipts(int descriptor) {
    int on = 1;
    return setsockopt(descriptor, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on);
}

ssize_t system_io_receive(
    int descriptor, void *bytes, size_t size, struct sockaddr *from, socklen_t *length, int64_t *waited) {
    /* Ten seconds: more is no waiting, but a clock that was set. */
    static const int64_t longest = 10000000000;
    union {
        char bytes[CMSG_SPACE(sizeof(struct timespec)) + 64];
        struct cmsghdr alignment;
    } control;
    struct iovec piece = {.iov_base = bytes, .iov_len = size};
    struct msghdr message = {
        .msg_name = from,
        .msg_namelen = length ? *length : 0,
        .msg_iov = &piece,
        .msg_iovlen = 1,
        .msg_control = control.bytes,
        .msg_controllen = sizeof control.bytes,
    };
    *waited = -1;
    ssize_t count = recvmsg(descriptor, &message, 0);
    if (count < 0) return count;
    if (length) *length = message.msg_namelen;
    for (struct cmsghdr *part = CMSG_FIRSTHDR(&message); part; part = CMSG_NXTHDR(&message, part)) {
        if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_TIMESTAMPNS) continue;
        struct timespec stamp, now;
        memcpy(&stamp, CMSG_DATA(part), sizeof stamp);
        clock_gettime(CLOCK_REALTIME, &now);
        int64_t passed = ((int64_t)now.tv_sec - stamp.tv_sec) * 1000000000 + (now.tv_nsec - stamp.tv_nsec);
        if (passed >= 0 && passed <= longest) *waited = passed;
    }
    return count;
}
#else
int system_io_stamp_receipts(int descriptor) {
    (void)descriptor;
    errno = ENOSYS;
    return -1;
}

ssize_t system_io_receive(
    int descriptor, void *bytes, size_t size, struct sockaddr *from, socklen_t *length, int64_t *waited) {
    *waited = -1;
    return recvfrom(descriptor, bytes, size, 0, from, length);
}

int system_io_event_descriptor(void) {
    errno = ENOSYS;
    return -1;
}

int system_io_poll(void *entries, unsigned long count, int64_t nanoseconds) {
    return poll(entries, (nfds_t)count, (int)(nanoseconds / 1000000));
}

static int closed_on_exec(int descriptor) {
    if (descriptor >= 0) fcntl(descriptor, F_SETFD, FD_CLOEXEC);
    return descriptor;
}

int system_io_pipe(int ends[2]) {
    if (pipe(ends) < 0) return -1;
    closed_on_exec(ends[0]);
    closed_on_exec(ends[1]);
    return 0;
}

int system_io_socket(int family, int kind) { return closed_on_exec(socket(family, kind, 0)); }

int system_io_accept(int listener, struct sockaddr *address, socklen_t *length) {
    return closed_on_exec(accept(listener, address, length));
}

/* There every program has one. */
unsigned long system_io_interpreter(void) { return 1; }
#endif

#ifdef __GLIBC__
#include <malloc.h>

int system_io_share_heap(void) { return mallopt(M_ARENA_MAX, 1) == 1 ? 0 : EINVAL; }

int system_io_limit_thread_stacks(size_t bytes) {
    pthread_attr_t attributes;
    int error = pthread_attr_init(&attributes);
    if (error != 0) return error;
    error = pthread_attr_setstacksize(&attributes, bytes);
    if (error == 0) error = pthread_setattr_default_np(&attributes);
    pthread_attr_destroy(&attributes);
    return error;
}
#else
int system_io_share_heap(void) { return ENOSYS; }

int system_io_limit_thread_stacks(size_t bytes) {
    (void)bytes;
    return ENOSYS;
}
#endif
