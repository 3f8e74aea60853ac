/// Reports the progress of a long operation and lets the caller cancel it.
public struct CloudProgress: Sendable {
    private let body: @Sendable (Double) -> Bool

    /// A progress handler.
    ///
    /// - Parameter body: called with the fraction done, from 0 to 1, on the working thread; returning `false` ends the
    ///   operation with ``PointCloudError/Code/cancelled``.
    public init(_ body: @escaping @Sendable (Double) -> Bool) { self.body = body }

    /// No reports, never cancelled.
    public static let none = CloudProgress { _ in true }

    /// The progress of the rest of an operation of which the fraction `start` is done.
    func part(from start: Double) -> CloudProgress {
        CloudProgress { body(start + (1 - start) * $0) }
    }

    func report(_ fraction: Double) throws(PointCloudError) {
        guard body(fraction) else { throw PointCloudError(.cancelled, "reading the point cloud was cancelled") }
    }
}
