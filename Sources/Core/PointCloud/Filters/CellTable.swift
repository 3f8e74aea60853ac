/// A hash table that assigns a number to each cell key, for a million cells without an allocation per cell.
///
/// Open addressing with linear probing, at most half full.
struct CellTable: ~Copyable {
    private struct Entry {
        var key: UInt64
        /// The number plus one; 0 marks a free slot.
        var numberPlusOne: UInt32
    }

    private var entries: UnsafeMutablePointer<Entry>
    private var mask: Int
    private(set) var count = 0

    /// An empty table, sized for `capacity` cells.
    init(capacity: Int = 1 << 12) {
        let size = 1 << (Int.bitWidth - max(15, 2 * capacity - 1).leadingZeroBitCount)
        entries = Self.allocate(size)
        mask = size - 1
    }

    deinit { entries.deallocate() }

    /// The cell's number; a new cell gets `fresh`, which must be below `UInt32.max`.
    @inline(__always)
    mutating func number(of key: UInt64, or fresh: UInt32) -> UInt32 {
        let place = self.place(of: key)
        if entries[place].numberPlusOne != 0 { return entries[place].numberPlusOne - 1 }
        entries[place] = Entry(key: key, numberPlusOne: fresh + 1)
        count += 1
        if 2 * count > mask { grow() }
        return fresh
    }

    @inline(__always)
    private func place(of key: UInt64) -> Int {
        // Fibonacci hashing; its upper bits are the well mixed ones (Knuth, volume 3, 6.4).
        let hash = key &* 0x9E37_79B9_7F4A_7C15
        var place = Int(truncatingIfNeeded: hash >> 32) & mask
        while entries[place].numberPlusOne != 0, entries[place].key != key { place = (place + 1) & mask }
        return place
    }

    @inline(never)
    private mutating func grow() {
        let (old, oldSize) = (entries, mask + 1)
        entries = Self.allocate(2 * oldSize)
        mask = 2 * oldSize - 1
        for index in 0..<oldSize where old[index].numberPlusOne != 0 { entries[place(of: old[index].key)] = old[index] }
        old.deallocate()
    }

    private static func allocate(_ size: Int) -> UnsafeMutablePointer<Entry> {
        let entries = UnsafeMutablePointer<Entry>.allocate(capacity: size)
        entries.initialize(repeating: Entry(key: 0, numberPlusOne: 0), count: size)
        return entries
    }
}

/// Maps points to the cells of a regular grid.
struct CellGrid {
    private let start: SIMD3<Double>
    private let cellsPerMetre: Double

    /// Bits of each axis in a key.
    private static let bits: UInt64 = 21
    /// The maximum number of cells along an axis.
    static let cells = 1 << 21

    /// A grid.
    ///
    /// - Parameter start: the minimum corner of the bounding box of all points.
    init(start: SIMD3<Float>, cellMetres: Double) {
        self.start = SIMD3<Double>(start)
        cellsPerMetre = 1 / cellMetres
    }

    /// The key of the point's cell; the caller ensures that there are at most ``cells`` along each axis.
    @inline(__always)
    func key(_ point: SIMD3<Float>) -> UInt64 {
        let place = (SIMD3<Double>(point) - start) * cellsPerMetre
        return UInt64(place.x) | UInt64(place.y) << Self.bits | UInt64(place.z) << (2 * Self.bits)
    }
}
