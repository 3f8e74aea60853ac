#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

extension UnsafeMutableRawBufferPointer {
    /// Overwrites the memory with zeros, also where the compiler sees that nobody reads it again.
    package func wipe() {
        guard let base = baseAddress, count > 0 else { return }
        #if canImport(Glibc)
            explicit_bzero(base, count)
        #else
            _ = memset_s(base, count, 0, count)
        #endif
    }
}
