/// Cells ordered by the cost of a path through them; deterministic.
struct MinHeap {
    /// One cell with its costs.
    struct Entry {
        /// Lower bound of the cost of a path through it.
        var total: Float
        /// Cost from the start to it.
        var soFar: Float
        var cell: Int32

        /// Lower cost first; on a tie the one nearer to the goal, then the one with the smaller index.
        @inline(__always)
        static func < (left: Self, right: Self) -> Bool {
            if left.total != right.total { return left.total < right.total }
            if left.soFar != right.soFar { return left.soFar > right.soFar }
            return left.cell < right.cell
        }
    }

    private var entries: [Entry] = []

    var isEmpty: Bool { entries.isEmpty }
    var first: Entry? { entries.first }

    mutating func removeAll() { entries.removeAll(keepingCapacity: true) }

    mutating func push(_ entry: Entry) {
        entries.append(entry)
        entries.withUnsafeMutableBufferPointer { entries in
            var hole = entries.count - 1
            while hole > 0 {
                let parent = (hole - 1) / 4
                guard entry < entries[parent] else { break }
                entries[hole] = entries[parent]
                hole = parent
            }
            entries[hole] = entry
        }
    }

    mutating func pop() -> Entry? {
        guard let first = entries.first, let last = entries.popLast() else { return nil }
        guard !entries.isEmpty else { return first }
        entries.withUnsafeMutableBufferPointer { entries in
            var hole = 0
            while true {
                let child = 4 * hole + 1
                guard child < entries.count else { break }
                var least = child
                for other in (child + 1)..<max(child + 1, min(child + 4, entries.count))
                where entries[other] < entries[least] {
                    least = other
                }
                guard entries[least] < last else { break }
                entries[hole] = entries[least]
                hole = least
            }
            entries[hole] = last
        }
        return first
    }
}
