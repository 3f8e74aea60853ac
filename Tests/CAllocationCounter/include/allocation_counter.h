#ifndef UAVLINK_ALLOCATION_COUNTER_H
#define UAVLINK_ALLOCATION_COUNTER_H

#include <stdint.h>

/// How often the calling thread has asked the heap for memory, since it began.
/// Negative where allocations cannot be counted: another C library than glibc, or a sanitizer with a heap of its own.
int64_t uavlink_thread_allocations(void);

#endif
