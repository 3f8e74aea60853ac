internal import UAVLink

/// The header of a PCD file.
struct PCDHeader {
    /// The encoding of the points after the header.
    enum Encoding: String {
        case ascii
        case binary
        case compressed = "binary_compressed"
    }

    /// One field of a point.
    struct Field {
        var name: String
        var kind: ScalarKind
        /// The number of values in it.
        var count: Int

        var size: Int { kind.size * count }
        /// Whether the field is padding.
        var isPadding: Bool { name == "_" }
    }

    var fields: [Field]
    var points: Int
    var viewpoint: Vector3?
    var encoding: Encoding
    /// The offset of the first byte after the header.
    var bodyStart: Int
    /// The number of the first line after the header.
    var bodyLine: Int

    /// The size of a point, bytes.
    var pointSize: Int { fields.reduce(0) { $0 + $1.size } }

    /// The number of values per point.
    var columns: Int { fields.reduce(0) { $0 + $1.count } }

    /// The indices of the fields x, y and z.
    func coordinates(_ source: CloudSource) throws(PointCloudError) -> (x: Int, y: Int, z: Int) {
        (try coordinate("x", source), try coordinate("y", source), try coordinate("z", source))
    }

    private func coordinate(_ name: String, _ source: CloudSource) throws(PointCloudError) -> Int {
        var found = fields.indices.filter { fields[$0].name == name }
        if found.isEmpty { found = fields.indices.filter { fields[$0].name.lowercased() == name } }
        guard let index = found.first else {
            let names = fields.prefix(20).map(\.name).joined(separator: " ")
            throw source.error("FIELDS has no '\(name)', only \(CloudSource.shown(names.utf8))")
        }
        guard found.count == 1 else { throw source.error("FIELDS has '\(name)' \(found.count) times") }
        guard fields[index].count == 1 else {
            throw source.error("COUNT of field '\(name)' is \(fields[index].count); expected 1")
        }
        return index
    }
}
