internal import Synchronization

/// Reports the progress of a long operation: from 0 to 1, never decreasing, rate-limited by a minimum step.
public final class MonotonicProgress: Sendable {
    private let told = Mutex(-1.0)
    private let tell: @Sendable (Double) -> Void

    /// Smaller steps are not reported: no screen can show them.
    private static let minimumStep = 0.002

    /// Reports to `tell`, one call at a time, on the thread that calls ``reach(_:)`` or ``finish()``.
    public init(_ tell: @escaping @Sendable (Double) -> Void) { self.tell = tell }

    /// Reports a fraction, capped at 0.999: only ``finish()`` reports 1.
    public func reach(_ fraction: Double) {
        guard fraction.isFinite else { return }
        told.withLock { told in
            let fraction = min(max(fraction, 0), 0.999)
            guard fraction >= told + Self.minimumStep || told < 0 else { return }
            told = fraction
            tell(fraction)
        }
    }

    /// Reports completion.
    public func finish() {
        told.withLock { told in
            guard told < 1 else { return }
            told = 1
            tell(1)
        }
    }
}
