/// The cells around a cell, nearest first.
struct ShellTable: Sendable {
    /// Radius of the table, in cells.
    static let reach = 24

    /// An offset from one cell to another.
    struct Entry {
        var x: Int16
        var y: Int16
        var z: Int16
        /// Added to the index of the first cell.
        var stride: Int32
        /// From centre to centre, in cells.
        var distance: Float
    }

    let entries: Block<Entry>
    /// For each squared distance: the index of the first entry at that distance or more.
    let first: [Int32]

    init(_ grid: VoxelGrid) {
        let reach = Self.reach
        var counts = [Int32](repeating: 0, count: reach * reach + 2)
        Self.forEach { counts[$0.x * $0.x + $0.y * $0.y + $0.z * $0.z + 1] += 1 }
        for index in 1..<counts.count { counts[index] += counts[index - 1] }
        first = counts
        let entries = Block(Int(counts[counts.count - 1]), Entry(x: 0, y: 0, z: 0, stride: 0, distance: 0))
        Self.forEach { cell in
            let square = cell.x * cell.x + cell.y * cell.y + cell.z * cell.z
            entries[Int(counts[square])] = Entry(
                x: Int16(cell.x), y: Int16(cell.y), z: Int16(cell.z),
                stride: Int32(cell.x + grid.counts.x * (cell.y + grid.counts.y * cell.z)),
                distance: Float(square).squareRoot())
            counts[square] += 1
        }
        self.entries = entries
    }

    private static func forEach(_ body: (SIMD3<Int>) -> Void) {
        for z in -reach...reach {
            for y in -reach...reach {
                for x in -reach...reach where x * x + y * y + z * z <= reach * reach { body(SIMD3(x, y, z)) }
            }
        }
    }
}
