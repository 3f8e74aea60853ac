internal import CSystemIO

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// Waits for descriptors that change seldom: on Linux (`epoll`) a wait costs as much as there is to report, where `poll` looks at
/// each descriptor before and after it. Elsewhere it is a ``Poller``.
///
/// Whoever adds a descriptor keeps it open until it was removed: the system forgets one that is closed, without a word, and its
/// number may be another's by then.
struct DescriptorWatch: Sendable {
    /// A descriptor that is ready, and for what.
    struct Arrival: Equatable, Sendable {
        let descriptor: Int32
        let readiness: Readiness
    }

    /// Whether a descriptor is waited for.
    enum Verdict: Equatable {
        case watched
        /// It is no open descriptor, or one that cannot be waited for.
        case invalid
        /// The system has no memory for it now.
        case shortage
    }

    /// What the last wait has found.
    private(set) var arrivals: [Arrival] = []

    #if os(Linux)
        private let watch: OwnedDescriptor
        /// As many as one wait reports; the others follow with the next.
        private static let most = 32
        private var found = [system_io_ready](repeating: system_io_ready(), count: most)
    #else
        private var entries: [Int32: Readiness] = [:]
        private var poller = Poller()
    #endif

    /// - Throws: ``SocketError`` with ``SocketError/Code/systemFailure`` if the system has no descriptor left.
    init() throws(SocketError) {
        #if os(Linux)
            let number = system_io_watch_descriptor()
            guard number >= 0 else { throw .noDescriptor("a descriptor for waiting", errno) }
            watch = OwnedDescriptor(number)
        #endif
    }

    /// Waits for a descriptor from now on, for these events in place of those before; that it is broken is reported without being
    /// asked for.
    mutating func add(_ descriptor: Int32, for events: Readiness) -> Verdict {
        #if os(Linux)
            guard system_io_watch(watch.number, descriptor, Int32(events.rawValue)) < 0 else { return .watched }
            return errno == ENOMEM || errno == ENOSPC ? .shortage : .invalid
        #else
            entries[descriptor] = events
            return .watched
        #endif
    }

    /// Waits for it no longer.
    mutating func remove(_ descriptor: Int32) {
        #if os(Linux)
            _ = system_io_watch(watch.number, descriptor, -1)
        #else
            entries[descriptor] = nil
        #endif
    }

    /// Fills ``arrivals``: waits until a descriptor is ready or until `deadline`, but no longer than ``Poller/longestWait``,
    /// whatever signals arrive.
    ///
    /// - Parameter deadline: on the monotonic clock; `nil` for none.
    mutating func wait(until deadline: ContinuousClock.Instant?) {
        arrivals.removeAll(keepingCapacity: true)
        #if os(Linux)
            var limit = deadline.map { Poller.milliseconds(ContinuousClock.now.duration(to: $0)) } ?? Poller.longest
            while true {
                let count = found.withUnsafeMutableBufferPointer {
                    system_io_await(watch.number, $0.baseAddress, Int32(Self.most), limit)
                }
                guard count >= 0 else {
                    guard errno == EINTR else { return Poller.pause() }
                    limit = deadline.map { Poller.milliseconds(ContinuousClock.now.duration(to: $0)) } ?? limit
                    continue
                }
                for index in 0..<Int(count) {
                    arrivals.append(
                        Arrival(
                            descriptor: found[index].descriptor, readiness: Readiness(rawValue: found[index].events)))
                }
                return
            }
        #else
            poller.reset()
            let listed = Array(entries)
            for (descriptor, events) in listed { poller.add(descriptor, for: events) }
            guard poller.wait(until: deadline) == .ready else { return }
            for (place, entry) in listed.enumerated() where poller.isReady(place) {
                arrivals.append(Arrival(descriptor: entry.key, readiness: poller.readiness(place)))
            }
        #endif
    }
}
