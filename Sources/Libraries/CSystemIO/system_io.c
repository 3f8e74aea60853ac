#include "system_io.h"

#include <errno.h>

#ifdef __linux__
#include <sys/eventfd.h>

int system_io_event_descriptor(void) { return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }
#else
int system_io_event_descriptor(void) {
    errno = ENOSYS;
    return -1;
}
#endif
