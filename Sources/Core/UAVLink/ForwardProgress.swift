internal import Synchronization

/// Tells how far something long has come: from 0 to 1, never backwards, and not for every byte.
public final class ForwardProgress: Sendable {
    private let told = Mutex(-1.0)
    private let tell: @Sendable (Double) -> Void

    /// Steps smaller than this are not worth a call: nobody's screen shows them.
    private static let leastStep = 0.002

    /// Tells `tell`, one call at a time, on whatever thread reports.
    public init(_ tell: @escaping @Sendable (Double) -> Void) { self.tell = tell }

    /// So much of the whole has come; the whole itself only ``finish()`` tells.
    public func reach(_ fraction: Double) {
        guard fraction.isFinite else { return }
        told.withLock { told in
            let fraction = min(max(fraction, 0), 0.999)
            guard fraction >= told + Self.leastStep || told < 0 else { return }
            told = fraction
            tell(fraction)
        }
    }

    /// All of it has come.
    public func finish() {
        told.withLock { told in
            guard told < 1 else { return }
            told = 1
            tell(1)
        }
    }
}
