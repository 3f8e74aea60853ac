/// The header of a PLY file.
struct PLYHeader {
    enum Encoding: String {
        case ascii
        case littleEndian = "binary_little_endian"
        case bigEndian = "binary_big_endian"
    }

    /// One property of an element.
    struct Property {
        var name: String
        /// The type of its values.
        var kind: ScalarKind
        /// The type of a list's count; `nil` if the property is not a list.
        var countKind: ScalarKind?
    }

    /// One element declaration.
    struct Element {
        var name: String
        var count: Int
        /// The line of the declaration.
        var line: Int
        var properties: [Property] = []

        var hasLists: Bool { properties.contains { $0.countKind != nil } }
        /// The size of one element in bytes, without the contents of lists.
        var size: Int { properties.reduce(0) { $0 + ($1.countKind?.size ?? $1.kind.size) } }
    }

    var encoding: Encoding
    var elements: [Element]
    /// The offset of the first byte after the header.
    var bodyStart: Int
    /// The number of the first line after the header.
    var bodyLine: Int
}
