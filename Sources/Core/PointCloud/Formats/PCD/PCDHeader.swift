internal import UAVLink

/// What the head of a PCD file promises.
struct PCDHeader {
    /// How the points stand behind the head.
    enum Encoding: String {
        case ascii
        case binary
        case compressed = "binary_compressed"
    }

    /// One field of a point.
    struct Field {
        var name: String
        var kind: ScalarKind
        /// How many numbers it has.
        var count: Int

        var size: Int { kind.size * count }
        /// Whether its bytes mean nothing.
        var isPadding: Bool { name == "_" }
    }

    var fields: [Field]
    var points: Int
    var viewpoint: Vector3?
    var encoding: Encoding
    /// The byte behind the head.
    var bodyStart: Int
    /// The number of the line behind the head.
    var bodyLine: Int

    /// Bytes of a point.
    var pointSize: Int { fields.reduce(0) { $0 + $1.size } }

    /// Numbers of a point.
    var columns: Int { fields.reduce(0) { $0 + $1.count } }

    /// Which fields are x, y and z.
    func coordinates(_ source: CloudSource) throws(PointCloudError) -> (x: Int, y: Int, z: Int) {
        (try coordinate("x", source), try coordinate("y", source), try coordinate("z", source))
    }

    private func coordinate(_ name: String, _ source: CloudSource) throws(PointCloudError) -> Int {
        let found = fields.indices.filter { fields[$0].name == name }
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
