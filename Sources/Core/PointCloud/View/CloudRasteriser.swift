internal import UAVLink

/// Draws points as dots.
public enum CloudRasteriser {
    /// Sets a dot for each visible point; existing dots stay. A million points take a few milliseconds, without an
    /// allocation.
    ///
    /// - Parameters:
    ///   - range: the indices of the points to draw, clamped to the cloud; `nil` draws all.
    ///   - heights: draws only points within these heights, metres in the cloud's frame; `nil` draws all.
    public static func draw(
        _ cloud: PointCloud, in range: Range<Int>? = nil, heights: ClosedRange<Double>? = nil, camera: CloudCamera,
        on grid: inout DotGrid
    ) {
        let frame = Frame(cloud, heights, camera, grid)
        let range = (range ?? 0..<cloud.count).clamped(to: 0..<cloud.count)
        guard grid.width > 0, grid.height > 0 else { return }
        cloud.offsets.withUnsafeBufferPointer { offsets in
            let points = UnsafeBufferPointer(rebasing: offsets[range])
            grid.withCells { frame.draw(points, on: $0) }
        }
    }

    /// The parameters of one drawing, in single precision for the loop.
    private struct Frame {
        let centre: SIMD3<Float>
        let right: SIMD3<Float>
        let down: SIMD3<Float>
        let middle: SIMD2<Float>
        let size: SIMD2<Float>
        let columns: Int
        let lowest: Float
        let highest: Float

        init(_ cloud: PointCloud, _ heights: ClosedRange<Double>?, _ camera: CloudCamera, _ grid: DotGrid) {
            // Large coordinates lose no precision: the rounded centre is subtracted first, its rounding error is added in dots.
            let way = camera.centre - cloud.origin
            centre = SIMD3(Float(way.x), Float(way.y), Float(way.z))
            let rest = way - Vector3(x: Double(centre.x), y: Double(centre.y), z: Double(centre.z))
            let axes = camera.axes
            let (right, up) = (axes.right * (1 / camera.metresPerDot), axes.up * (1 / camera.metresPerDot))
            self.right = SIMD3(Float(right.x), Float(right.y), Float(right.z))
            down = SIMD3(Float(-up.x), Float(-up.y), Float(-up.z))
            middle = SIMD2(
                Float(Double(grid.width) / 2 - rest.dot(right)), Float(Double(grid.height) / 2 + rest.dot(up)))
            size = SIMD2(Float(grid.width), Float(grid.height))
            columns = grid.columns
            lowest = heights.map { PointCloud.floatRoundedUp($0.lowerBound - cloud.origin.z) } ?? -.infinity
            highest = heights.map { PointCloud.floatRoundedDown($0.upperBound - cloud.origin.z) } ?? .infinity
        }

        func draw(_ points: UnsafeBufferPointer<SIMD3<Float>>, on cells: UnsafeMutableBufferPointer<UInt8>) {
            for point in points {
                guard point.z >= lowest, point.z <= highest else { continue }
                let way = point - centre
                let x = way.x * right.x + way.y * right.y + way.z * right.z + middle.x
                let y = way.x * down.x + way.y * down.y + way.z * down.z + middle.y
                // Only coordinates inside the grid are converted to integers, so the conversion cannot overflow.
                guard x >= 0, y >= 0, x < size.x, y < size.y else { continue }
                let (dotX, dotY) = (Int(Int32(x)), Int(Int32(y)))
                cells[(dotY >> 2) * columns + (dotX >> 1)] |= DotGrid.bit(x: dotX, y: dotY)
            }
        }
    }
}
