#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import UAVLink

/// Waits for descriptors or a deadline with `poll(2)`; allocates nothing once its array has grown.
struct Poller {
    private var entries: [pollfd] = []

    mutating func reset() { entries.removeAll(keepingCapacity: true) }

    /// Adds a descriptor and returns its index.
    mutating func add(_ descriptor: Int32, writing: Bool = false) -> Int {
        let events = Int16(POLLIN) | (writing ? Int16(POLLOUT) : 0)
        entries.append(pollfd(fd: descriptor, events: events, revents: 0))
        return entries.count - 1
    }

    /// Whether the descriptor at that index is readable, writable or has an error.
    func isReady(_ place: Int) -> Bool { entries.indices.contains(place) && entries[place].revents != 0 }

    /// Waits until a descriptor is ready or `timeout` has passed; at most one minute.
    mutating func wait(_ timeout: Duration) {
        let nanoseconds = min(max(0, timeout.nanoseconds), 60_000_000_000)
        entries.withUnsafeMutableBufferPointer { buffer in
            // Rounded up: the wait ends up to a millisecond late, never early, so that no loop spins before a deadline.
            let ready = poll(buffer.baseAddress, nfds_t(buffer.count), Int32((nanoseconds + 999_999) / 1_000_000))
            if ready <= 0 { for index in buffer.indices { buffer[index].revents = 0 } }
        }
    }
}
