/// What the head of a PLY file promises.
struct PLYHeader {
    enum Encoding: String {
        case ascii
        case littleEndian = "binary_little_endian"
        case bigEndian = "binary_big_endian"
    }

    /// One property of an element.
    struct Property {
        var name: String
        /// What a number of it is.
        var kind: ScalarKind
        /// What the count of a list is; absent for a single number.
        var countKind: ScalarKind?
    }

    /// One kind of thing in the file.
    struct Element {
        var name: String
        var count: Int
        /// The line that announces it.
        var line: Int
        var properties: [Property] = []

        var hasLists: Bool { properties.contains { $0.countKind != nil } }
        /// Bytes of one, lists not counted.
        var size: Int { properties.reduce(0) { $0 + ($1.countKind?.size ?? $1.kind.size) } }
    }

    var encoding: Encoding
    var elements: [Element]
    /// The byte behind the head.
    var bodyStart: Int
    /// The number of the line behind the head.
    var bodyLine: Int
}
