#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import UAVLink

/// Descriptors to wait for, to the microsecond: `poll` knows milliseconds only, and Swift does not see `ppoll`.
struct DescriptorSet {
    private var set = fd_set()
    private var greatest: Int32 = -1

    /// Adds a descriptor; one beyond what `pselect` can hold is left out, and its socket is then looked at when another wakes
    /// the thread, at the latest after 50 ms.
    mutating func insert(_ descriptor: Int32) {
        guard descriptor >= 0, Int(descriptor) < MemoryLayout<fd_set>.size * 8 else { return }
        greatest = max(greatest, descriptor)
        withUnsafeMutableBytes(of: &set) { bytes in
            // Both systems lay the bits out from the lowest of the first byte on a little-endian machine.
            bytes[Int(descriptor) / 8] |= 1 << UInt8(descriptor % 8)
        }
    }

    /// Waits until one of them is ready, at most so long.
    static func wait(reading: inout Self, writing: inout Self, timeout: Duration) {
        let nanoseconds = Int(max(0, timeout.nanoseconds))
        var limit = timespec(tv_sec: nanoseconds / 1_000_000_000, tv_nsec: nanoseconds % 1_000_000_000)
        _ = pselect(max(reading.greatest, writing.greatest) + 1, &reading.set, &writing.set, nil, &limit, nil)
    }
}
