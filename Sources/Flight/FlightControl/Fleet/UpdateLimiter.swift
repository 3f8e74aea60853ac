internal import Synchronization
package import UAVLink

/// Notifies the open screen of what is new, each observer at most at its rate: the only rate limiter between a link and the
/// terminal.
///
/// ```
///   telemetry, on a link's thread ─▶ arrived() ─╮
///   another vehicle ─────────────────────────▶ announce() ─▶ observers of telemetry ─╮
///   output of a shell ────────────────────────▶ request() ─▶ its observer ───────────┼─▶ in the same step: drawing
///   keys ──────────────────────────────────────────────────▶ request() ──────────────╯
/// ```
///
/// After a pause an observer is called at once, but never inside the call that announces. Observers of telemetry are also
/// called when nothing is new: ages grow.
@MainActor
package final class UpdateLimiter {
    /// What an observer is called for.
    package enum UpdateKind: Hashable, Sendable {
        /// New telemetry of a logged-in vehicle, a message of a watched topic, or a change of the selection.
        case telemetry
        /// The observer's own requests.
        case requests
        /// The observer's own requests; called after all others, which usually make them.
        case drawing
    }

    private struct Observer {
        let number: UInt64
        let kind: UpdateKind
        let shortest: Duration
        let longest: Duration?
        let body: () -> Void
        var last: MonotonicTime?
        var hasUpdate = false

        /// When it is to be called; `nil` if it waits for something new.
        func due(now: MonotonicTime) -> MonotonicTime? {
            guard let last else { return hasUpdate ? now : nil }
            return hasUpdate ? last + shortest : longest.map { last + $0 }
        }
    }

    private let timeSource: any TimeSource
    private var observers: [Observer] = []
    private var lastNumber: UInt64 = 0
    private var waiting: Task<Void, Never>?
    private var wakesAt: MonotonicTime?
    private var isNotifying = false
    /// Whether telemetry has arrived since the observers were last called.
    private nonisolated let hasArrived = Atomic(false)

    /// A limiter without observers.
    package init(timeSource: any TimeSource) { self.timeSource = timeSource }

    isolated deinit { waiting?.cancel() }

    /// Calls `body` for new values until the returned token is released or ended.
    ///
    /// - Parameters:
    ///   - shortest: the least interval of calls.
    ///   - longest: the interval of calls when nothing is new; `nil` for none.
    package func observe(
        _ kind: UpdateKind, atMostEvery shortest: Duration, atLeastEvery longest: Duration? = nil,
        _ body: @escaping () -> Void
    ) -> Observation {
        lastNumber += 1
        hasArrived.store(false, ordering: .relaxed)
        // Who observes telemetry has just shown what is known.
        observers.append(
            Observer(
                number: lastNumber, kind: kind, shortest: shortest, longest: longest, body: body,
                last: kind == .telemetry ? timeSource.clock.now : nil))
        arm()
        return Observation(lastNumber, self)
    }

    /// Says that telemetry has arrived; on any thread. The main thread is woken once for all that arrives between two calls of the
    /// observers.
    package nonisolated func arrived() {
        guard !hasArrived.exchange(true, ordering: .relaxed) else { return }
        Task { @MainActor [weak self] in self?.announce() }
    }

    /// Says that there is something new.
    ///
    /// - Parameter isUrgent: notifies without regard to the rates: another vehicle is selected.
    package func announce(isUrgent: Bool = false) {
        for at in observers.indices where observers[at].kind == .telemetry {
            observers[at].hasUpdate = true
            if isUrgent { observers[at].last = nil }
        }
        arm()
    }

    private func request(_ number: UInt64) {
        guard let at = observers.firstIndex(where: { $0.number == number }) else { return }
        observers[at].hasUpdate = true
        arm()
    }

    private func end(_ number: UInt64) {
        observers.removeAll { $0.number == number }
        arm()
    }

    /// Waits for the observer that is due first.
    private func arm() {
        guard !isNotifying else { return }
        let now = timeSource.clock.now
        guard let next = observers.compactMap({ $0.due(now: now) }).min() else {
            waiting?.cancel()
            (waiting, wakesAt) = (nil, nil)
            return
        }
        if let wakesAt, wakesAt <= next { return }
        waiting?.cancel()
        wakesAt = next
        waiting = Task { @MainActor [weak self, timeSource] in
            if next > now { guard await timeSource.pause(next - now) else { return } }
            guard !Task.isCancelled else { return }
            self?.notify()
        }
    }

    private func notify() {
        (waiting, wakesAt, isNotifying) = (nil, nil, true)
        // First: what arrives from here on may be missing in what the observers show.
        hasArrived.store(false, ordering: .relaxed)
        let now = timeSource.clock.now
        for number in observers.filter({ $0.kind != .drawing }).map(\.number) { notify(number, now) }
        for number in observers.filter({ $0.kind == .drawing }).map(\.number) { notify(number, now) }
        isNotifying = false
        arm()
    }

    private func notify(_ number: UInt64, _ now: MonotonicTime) {
        guard let at = observers.firstIndex(where: { $0.number == number }),
            let due = observers[at].due(now: now), due <= now
        else { return }
        (observers[at].last, observers[at].hasUpdate) = (now, false)
        observers[at].body()
    }

    /// Keeps an observer alive.
    @MainActor
    package final class Observation {
        private let number: UInt64
        private let limiter: UpdateLimiter

        fileprivate init(_ number: UInt64, _ limiter: UpdateLimiter) {
            self.number = number
            self.limiter = limiter
        }

        isolated deinit { end() }

        /// Asks for a call, because something has changed.
        package func request() { limiter.request(number) }

        /// Ends the calls. Safe to call twice.
        package func end() { limiter.end(number) }
    }
}
