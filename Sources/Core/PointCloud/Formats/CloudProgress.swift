/// Tells how far long work has come, and asks whether it is still wanted.
public struct CloudProgress: Sendable {
    private let body: @Sendable (Double) -> Bool

    /// - Parameter body: called with the fraction done, from 0 to 1, on the thread that does the work; `false` ends the
    ///   work with ``PointCloudError/Code/cancelled``.
    public init(_ body: @escaping @Sendable (Double) -> Bool) { self.body = body }

    /// Nobody wants to know.
    public static let none = CloudProgress { _ in true }

    /// The rest of a longer piece of work, of which this fraction is done.
    func part(from start: Double) -> CloudProgress {
        CloudProgress { body(start + (1 - start) * $0) }
    }

    func report(_ fraction: Double) throws(PointCloudError) {
        guard body(fraction) else { throw PointCloudError(.cancelled, "reading the point cloud was given up") }
    }
}
