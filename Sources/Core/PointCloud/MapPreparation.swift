public import UAVLink

extension PointCloud {
    /// Prepares a map for sending: thinned to the request's spacing and maximum number of points, as a compressed PCD file.
    ///
    /// If there are still too many points, the spacing is increased until there are few enough. For a dedicated thread.
    ///
    /// - Throws: ``PointCloudError``; with ``PointCloudError/Code/cancelled`` if `progress` cancels.
    public func prepared(
        for request: MapRequest, progress: CloudProgress = .none
    ) throws(PointCloudError) -> [UInt8] {
        var spacing = request.spacingMetres
        // One thread: on a vehicle the other processors fly.
        var thin = try thinned(spacingMetres: spacing, threads: 1, progress: progress)
        for _ in 0..<Self.tries where thin.count > request.maximumPoints {
            let size = thin.bounds?.size ?? .zero
            let least = max(size.x, size.y, size.z) / Double(request.maximumPoints)
            // The number of points on surfaces falls with the square of the spacing.
            let excess = (Double(thin.count) / Double(request.maximumPoints)).squareRoot()
            spacing = max(spacing * excess * 1.05, least)
            thin = try thin.thinned(spacingMetres: spacing, threads: 1, progress: progress)
        }
        if thin.count > request.maximumPoints {
            thin.offsets.removeLast(thin.count - request.maximumPoints)
        }
        return try PCDWriter.bytes(of: thin)
    }

    /// The maximum number of steps; a dozen are enough even for the densest cloud.
    private static let tries = 12
}
