public import UAVLink

extension PointCloud {
    /// What is sent of a map: no two points nearer than the request's spacing, at most as many as it wants, as a packed PCD
    /// file.
    ///
    /// When there are still too many, the spacing grows until they are few enough. It computes: on a thread of its own.
    ///
    /// - Throws: ``PointCloudError``, with ``PointCloudError/Code/cancelled`` when `progress` says that nobody waits.
    public func prepared(
        for request: MapRequest, progress: CloudProgress = .none
    ) throws(PointCloudError) -> [UInt8] {
        var spacing = request.spacingMetres
        var thin = try thinned(spacingMetres: spacing, progress: progress)
        for _ in 0..<Self.tries where thin.count > request.maximumPoints {
            let size = thin.bounds?.size ?? .zero
            let least = max(size.x, size.y, size.z) / Double(request.maximumPoints)
            // Points on surfaces become fewer with the square of the spacing.
            let excess = (Double(thin.count) / Double(request.maximumPoints)).squareRoot()
            spacing = max(spacing * excess * 1.05, least)
            thin = try thin.thinned(spacingMetres: spacing, progress: progress)
        }
        if thin.count > request.maximumPoints {
            thin.offsets.removeLast(thin.count - request.maximumPoints)
        }
        return try PCDWriter.bytes(of: thin)
    }

    /// From the densest cloud a dozen steps lead to any number.
    private static let tries = 12
}
