internal import Synchronization

/// Reports the progress of a long operation: from 0 to 1, never decreasing, rate-limited by a minimum step.
public final class MonotonicProgress: Sendable {
    private let reported = Mutex(-1.0)
    private let report: @Sendable (Double) -> Void

    /// Smaller steps are not reported: no screen can show them.
    private static let minimumStep = 0.002

    /// Reports to `report`, one call at a time, on the thread that calls ``reach(_:)`` or ``finish()``.
    public init(_ report: @escaping @Sendable (Double) -> Void) { self.report = report }

    /// Reports a fraction, capped at 0.999: only ``finish()`` reports 1.
    public func reach(_ fraction: Double) {
        guard fraction.isFinite else { return }
        reported.withLock { reported in
            let fraction = min(max(fraction, 0), 0.999)
            guard fraction >= reported + Self.minimumStep || reported < 0 else { return }
            reported = fraction
            report(fraction)
        }
    }

    /// Reports completion.
    public func finish() {
        reported.withLock { reported in
            guard reported < 1 else { return }
            reported = 1
            report(1)
        }
    }
}
