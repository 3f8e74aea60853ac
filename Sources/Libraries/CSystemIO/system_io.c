#ifdef __linux__
#define _GNU_SOURCE
#endif
#include "system_io.h"

#include <errno.h>
#include <poll.h>
#include <stddef.h>
#include <time.h>

#ifdef __linux__
#include <sys/eventfd.h>

int system_io_event_descriptor(void) { return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }

int system_io_poll(void *entries, unsigned long count, int64_t nanoseconds) {
    struct timespec limit = {.tv_sec = nanoseconds / 1000000000, .tv_nsec = nanoseconds % 1000000000};
    return ppoll(entries, count, &limit, NULL);
}
#else
int system_io_event_descriptor(void) {
    errno = ENOSYS;
    return -1;
}

int system_io_poll(void *entries, unsigned long count, int64_t nanoseconds) {
    return poll(entries, (nfds_t)count, (int)(nanoseconds / 1000000));
}
#endif
