extension PointCloud {
    /// One point for each occupied cell of a regular grid: the mean of its points, in the order in which the cells were
    /// first occupied. Smoother than ``thinned(spacingMetres:along:progress:)``, but the points are not measured ones, and
    /// two may be nearer than a cell's edge.
    ///
    /// - Throws: ``PointCloudError`` with ``PointCloudError/Code/outOfRange`` if the edge is invalid or so short that the
    ///   cloud is more than two million cells wide, or with ``PointCloudError/Code/cancelled``.
    public func voxels(edgeMetres: Double, progress: CloudProgress = .none) throws(PointCloudError) -> PointCloud {
        guard edgeMetres > 0, edgeMetres <= CloudLimits.largestCoordinateMetres else {
            throw PointCloudError(.outOfRange, "cells of \(edgeMetres) m; expected more than 0")
        }
        guard let box = offsetBounds else { return self }
        let widest = (SIMD3<Double>(box.greatest) - SIMD3<Double>(box.least)).max()
        guard widest / edgeMetres < Double(CellGrid.cells - 1) else {
            throw PointCloudError(
                .outOfRange, "cells of \(edgeMetres) m are too small for a cloud of \(widest) m")
        }
        let grid = CellGrid(start: box.least, cellMetres: edgeMetres)
        var table = CellTable()
        // Sums are relative to the cloud's corner and in double precision: one cell may hold every point.
        let corner = SIMD3<Double>(box.least)
        var sums: [SIMD4<Double>] = []
        var untilReport = 0
        for (index, point) in offsets.enumerated() {
            untilReport -= 1
            if untilReport < 0 {
                untilReport = 1 << 15
                try progress.report(Double(index) / Double(count))
            }
            let key = grid.key(point)
            let number = Int(table.number(of: key, or: UInt32(truncatingIfNeeded: sums.count)))
            let counted = SIMD4<Double>(SIMD3<Double>(point) - corner, 1)
            if number == sums.count { sums.append(counted) } else { sums[number] += counted }
        }
        let means = sums.map { sum in
            SIMD3<Float>(corner + SIMD3<Double>(sum.x, sum.y, sum.z) / sum.w)
        }
        return PointCloud(origin: origin, offsets: means, viewpoint: viewpoint)
    }
}
