// Swift's Mutex takes a lock that is free in the caller's own code, and waits for one that is not inside the standard library, which
// is not compiled with the thread sanitizer: it then takes whatever the lock protects for a race. Under that sanitizer the
// waiting is done here instead, where the sanitizer sees it. It spins: no thread ever waits in the kernel, so that unlocking never has
// to wake any thread (the lock's word is 0 or its owner's thread, never with the kernel's mark of a waiter).

#include "sanitized_mutex.h"

#if defined(__linux__) && defined(__has_feature)
#if __has_feature(thread_sanitizer)

#include <sched.h>
#include <stdint.h>

// Synchronization._MutexHandle._lockSlow(UInt32), of Swift 6.3.
__attribute__((swiftcall)) void
uavlink_lock_slow(uint32_t owner, __attribute__((swift_context)) void *handle)
    __asm__("$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");

__attribute__((swiftcall)) void
uavlink_lock_slow(uint32_t owner, __attribute__((swift_context)) void *handle) {
  uint32_t expected = 0;
  while (!__atomic_compare_exchange_n((uint32_t *)handle, &expected, owner, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
    expected = 0;
    sched_yield();
  }
}

#endif
#endif
