// Stands in front of glibc's allocator in the test program and counts, for each thread, what passes through. A thin shim
// because a program can replace malloc only in C. Nothing is preloaded: the test program simply defines these symbols.
#include "allocation_counter.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define UAVLINK_CANNOT_COUNT 1
#endif
#endif

#include <stdlib.h>

#if defined(__GLIBC__) && !defined(UAVLINK_CANNOT_COUNT)
#include <errno.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static _Thread_local int64_t count __attribute__((tls_model("initial-exec")));

int64_t uavlink_thread_allocations(void) { return count; }

void *malloc(size_t size) {
    count++;
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    count++;
    return __libc_calloc(number, size);
}

void *realloc(void *old, size_t size) {
    count++;
    return __libc_realloc(old, size);
}

void *memalign(size_t alignment, size_t size) {
    count++;
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    count++;
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **out, size_t alignment, size_t size) {
    count++;
    *out = __libc_memalign(alignment, size);
    return *out || size == 0 ? 0 : ENOMEM;
}

#else

int64_t uavlink_thread_allocations(void) { return -1; }

#endif
