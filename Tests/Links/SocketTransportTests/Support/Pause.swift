#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Waits about a millisecond on a thread that may be held.
func pause() { usleep(1000) }
