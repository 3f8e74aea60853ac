#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import UAVLink

/// Descriptors to wait for with microsecond resolution: `poll` has milliseconds only, and Swift does not import `ppoll`.
struct DescriptorSet {
    private var set = fd_set()
    private var greatest: Int32 = -1

    /// Adds a descriptor; one beyond the limit of `pselect` is left out, and its socket is then served when another wakes the
    /// thread, after 50 ms at the latest.
    mutating func insert(_ descriptor: Int32) {
        guard descriptor >= 0, Int(descriptor) < MemoryLayout<fd_set>.size * 8 else { return }
        greatest = max(greatest, descriptor)
        withUnsafeMutableBytes(of: &set) { bytes in
            // On a little-endian machine both systems order the bits from the lowest of the first byte.
            bytes[Int(descriptor) / 8] |= 1 << UInt8(descriptor % 8)
        }
    }

    /// Waits until one of them is ready, or the timeout passes.
    static func wait(reading: inout Self, writing: inout Self, timeout: Duration) {
        let nanoseconds = Int(max(0, timeout.nanoseconds))
        var limit = timespec(tv_sec: nanoseconds / 1_000_000_000, tv_nsec: nanoseconds % 1_000_000_000)
        _ = pselect(max(reading.greatest, writing.greatest) + 1, &reading.set, &writing.set, nil, &limit, nil)
    }
}
