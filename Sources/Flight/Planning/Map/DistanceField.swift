/// Exact squared distance from each cell to the nearest cell that is not free, in cells (Meijster, Roerdink and Hesselink,
/// 2000; the same lower envelope as in Felzenszwalb and Huttenlocher's, in integers).
enum DistanceField {
    /// Greater than any distance that is used.
    static let none = Int32(1 << 28)
    private static let saturated = UInt16.max

    static func make(_ grid: VoxelGrid, _ cells: Block<Int32>) -> Block<UInt16> {
        let field = Block<UInt16>(grid.count, saturated)
        alongX(grid, cells, field)
        var line = Line(longest: max(grid.counts.y, grid.counts.z))
        let plane = grid.counts.x * grid.counts.y
        for z in 0..<grid.counts.z {
            for x in 0..<grid.counts.x {
                line.transform(field.base + (z * plane + x), count: grid.counts.y, stride: grid.counts.x)
            }
        }
        for offset in 0..<plane { line.transform(field.base + offset, count: grid.counts.z, stride: plane) }
        return field
    }

    /// First pass, along x: two sweeps for each row.
    private static func alongX(_ grid: VoxelGrid, _ cells: Block<Int32>, _ field: Block<UInt16>) {
        let count = grid.counts.x
        for row in 0..<(grid.counts.y * grid.counts.z) {
            let states = cells.base + row * count
            let squares = field.base + row * count
            var since = 256
            for x in 0..<count {
                since = states[x] == KnownSpace.free ? min(256, since + 1) : 0
                squares[x] = since > 255 ? saturated : UInt16(since * since)
            }
            since = 256
            for x in stride(from: count - 1, through: 0, by: -1) {
                since = states[x] == KnownSpace.free ? min(256, since + 1) : 0
                if since <= 255 { squares[x] = min(squares[x], UInt16(since * since)) }
            }
        }
    }

    /// Buffers for the transform of one line, as large as the longest.
    private struct Line {
        private var values: [Int32]
        private var sites: [Int32]
        private var starts: [Int32]

        init(longest: Int) {
            values = Array(repeating: 0, count: longest)
            sites = values
            starts = values
        }

        mutating func transform(_ base: UnsafeMutablePointer<UInt16>, count: Int, stride: Int) {
            values.withUnsafeMutableBufferPointer { values in
                var isPlain = true
                let first = base[0]
                for index in 0..<count {
                    let square = base[index * stride]
                    isPlain = isPlain && square == first
                    values[index] = square == saturated ? none : Int32(square)
                }
                if isPlain { return }
                sites.withUnsafeMutableBufferPointer { sites in
                    starts.withUnsafeMutableBufferPointer { starts in
                        Self.envelope(values, sites, starts, base, count, stride)
                    }
                }
            }
        }

        @inline(__always)
        private static func envelope(
            _ values: UnsafeMutableBufferPointer<Int32>, _ sites: UnsafeMutableBufferPointer<Int32>,
            _ starts: UnsafeMutableBufferPointer<Int32>, _ base: UnsafeMutablePointer<UInt16>, _ count: Int,
            _ stride: Int
        ) {
            func height(_ at: Int32, _ site: Int32) -> Int32 { (at - site) * (at - site) + values[Int(site)] }
            var top = 0
            sites[0] = 0
            starts[0] = 0
            for index in 1..<Int32(count) {
                while top >= 0, height(starts[top], sites[top]) > height(starts[top], index) { top -= 1 }
                if top < 0 {
                    top = 0
                    sites[0] = index
                    starts[0] = 0
                    continue
                }
                let site = sites[top]
                let crossing =
                    1 + (index * index - site * site + values[Int(index)] - values[Int(site)]) / (2 * (index - site))
                if crossing < Int32(count) {
                    top += 1
                    sites[top] = index
                    starts[top] = crossing
                }
            }
            for index in Swift.stride(from: Int32(count) - 1, through: 0, by: -1) {
                let square = height(index, sites[top])
                base[Int(index) * stride] = square >= Int32(saturated) ? saturated : UInt16(square)
                if index == starts[top] { top -= 1 }
            }
        }
    }
}
