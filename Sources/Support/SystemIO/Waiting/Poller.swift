internal import CSystemIO

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// Waits for descriptors with `poll(2)`; allocates nothing once its list has grown.
///
/// No wait is without an end: after ``longestWait`` the caller looks for itself, whatever it waits for.
package struct Poller {
    /// How a wait ended.
    package enum Outcome: Hashable, Sendable {
        /// At least one descriptor is ready.
        case ready
        /// The time is up.
        case timedOut
        /// A signal has arrived; no descriptor was looked at.
        case interrupted
        /// The system cannot wait for so many descriptors, with its `errno`; a millisecond has passed.
        case failed(Int32)
    }

    private var entries: [pollfd] = []

    /// The longest time of one wait.
    package static let longestWait: Duration = .milliseconds(longest)
    static let longest: Int32 = 60_000
    /// How long a failed wait takes: a caller that repeats it at once must not keep a processor busy. Milliseconds.
    private static let failurePause: Int32 = 1

    /// Creates one without descriptors.
    package init() {}

    /// Removes all descriptors.
    package mutating func reset() { entries.removeAll(keepingCapacity: true) }

    /// Adds a descriptor and returns its index; a negative one is never ready.
    @discardableResult
    package mutating func add(_ descriptor: Int32, for events: Readiness) -> Int {
        entries.append(pollfd(fd: descriptor, events: events.rawValue, revents: 0))
        return entries.count - 1
    }

    /// Adds a descriptor to read from, and with `writing` to write to as well; returns its index.
    @discardableResult
    package mutating func add(_ descriptor: Int32, writing: Bool = false) -> Int {
        add(descriptor, for: writing ? .bothWays : .readable)
    }

    /// What the last wait found of the descriptor at that index.
    package func readiness(_ place: Int) -> Readiness {
        entries.indices.contains(place) ? Readiness(rawValue: entries[place].revents) : []
    }

    /// Whether the descriptor at that index is readable, writable or broken.
    package func isReady(_ place: Int) -> Bool { !readiness(place).isEmpty }

    // MARK: Waiting

    /// Waits until a descriptor is ready or `timeout` has passed, but no longer than ``longestWait``. A signal ends it.
    ///
    /// The timeout is rounded up to milliseconds: the wait ends up to a millisecond late, never early, so that no loop spins
    /// before a deadline.
    @discardableResult
    package mutating func wait(_ timeout: Duration) -> Outcome {
        let limit = Self.milliseconds(timeout)
        return perform { poll($0.baseAddress, nfds_t($0.count), limit) }
    }

    /// As ``wait(_:)``, to the precision of the system's timers: some ten microseconds.
    @discardableResult
    package mutating func waitPrecisely(_ timeout: Duration) -> Outcome {
        let (seconds, attoseconds) = min(max(timeout, .zero), Self.longestWait).components
        let limit = seconds * 1_000_000_000 + attoseconds / 1_000_000_000
        return perform { system_io_poll($0.baseAddress, UInt($0.count), limit) }
    }

    /// Waits until a descriptor is ready or until `deadline`, but no longer than ``longestWait``, whatever signals arrive.
    ///
    /// - Parameter deadline: on the monotonic clock; `nil` for none.
    @discardableResult
    package mutating func wait(until deadline: ContinuousClock.Instant?) -> Outcome {
        var now = ContinuousClock.now
        let latest = now + Self.longestWait
        let end = deadline.map { min($0, latest) } ?? latest
        while true {
            let outcome = wait(now.duration(to: end))
            guard outcome == .interrupted else { return outcome }
            now = .now
            guard now < end else { return .timedOut }
        }
    }

    private mutating func perform(_ call: (UnsafeMutableBufferPointer<pollfd>) -> Int32) -> Outcome {
        let result = entries.withUnsafeMutableBufferPointer { buffer in
            let result = call(buffer)
            return result < 0 ? -errno : result
        }
        guard result <= 0 else { return .ready }
        for index in entries.indices { entries[index].revents = 0 }
        if result == 0 { return .timedOut }
        if result == -EINTR { return .interrupted }
        Self.pause()
        return .failed(-result)
    }

    /// A timeout for `poll`: rounded up, from zero to ``longestWait``.
    static func milliseconds(_ timeout: Duration) -> Int32 {
        guard timeout > .zero else { return 0 }
        guard timeout < longestWait else { return longest }
        let (seconds, attoseconds) = timeout.components
        return Int32(truncatingIfNeeded: seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }

    /// Lets a millisecond pass after a wait that has failed.
    static func pause() { _ = poll(nil, 0, failurePause) }

    // MARK: One descriptor

    /// Waits for one descriptor until `deadline`, however far that is, and whatever signals arrive. It looks at the
    /// descriptor once even if the deadline has passed.
    ///
    /// - Returns: what it is ready for; empty if the time is up.
    package static func wait(
        for descriptor: Int32, _ events: Readiness, until deadline: ContinuousClock.Instant
    ) -> Readiness {
        var entry = pollfd(fd: descriptor, events: events.rawValue, revents: 0)
        while true {
            let left = ContinuousClock.now.duration(to: deadline)
            let result = poll(&entry, 1, milliseconds(left))
            if result > 0 { return Readiness(rawValue: entry.revents) }
            let isFailure = result < 0 && errno != EINTR
            guard left > .zero else { return [] }
            if isFailure { pause() }
        }
    }

    /// As ``wait(for:_:until:)``, from now on.
    package static func wait(for descriptor: Int32, _ events: Readiness, within timeout: Duration) -> Readiness {
        wait(for: descriptor, events, until: .now + timeout)
    }
}
