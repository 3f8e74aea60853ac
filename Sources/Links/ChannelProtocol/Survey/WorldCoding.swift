internal import UAVLink

/// A vehicle's own world on the wire: what it is, why it is not the file, the path, a message, and the bytes to the end.
extension VehicleWorld {
    private enum Kind: UInt8 {
        case file = 0
        case markers = 1
        case simulation = 2
        case unchanged = 3
        case unknown = 4
    }

    private var kind: Kind {
        switch content {
        case .document(.file, _): .file
        case .document(.markers, _): .markers
        case .document(.simulation, _): .simulation
        case .unchanged: .unchanged
        case .unknown: .unknown
        }
    }

    /// An upper bound of the encoded size.
    var largestSize: Int {
        let head = 16 + ChannelLimits.path + ChannelLimits.message
        guard case .document(_, let bytes) = content else { return head }
        return head + bytes.count
    }

    func write(_ writer: inout WireWriter) {
        writer.put(kind.rawValue)
        writer.put(obstruction?.rawValue ?? 0)
        writer.put(text: path, limit: ChannelLimits.path)
        writer.put(text: details, limit: ChannelLimits.message)
        if case .document(_, let bytes) = content { bytes.withUnsafeBytes { writer.put(raw: $0) } }
    }

    init(_ reader: inout WireReader) throws(WireError) {
        guard let kind = Kind(rawValue: try reader.integer()) else { throw .invalid }
        let reason: UInt8 = try reader.integer()
        let path = try reader.text(limit: ChannelLimits.path)
        let details = try reader.text(limit: ChannelLimits.message)
        let content: Content =
            switch kind {
            case .file: .document(.file, try Self.document(&reader))
            case .markers: .document(.markers, try Self.document(&reader))
            case .simulation: .document(.simulation, try Self.document(&reader))
            case .unchanged: .unchanged
            case .unknown: .unknown
            }
        // A reason of a later version counts as one without a name.
        let obstruction: Obstruction? = reason == 0 ? nil : Obstruction(rawValue: reason) ?? .failed
        guard content != .unknown || obstruction != nil else { throw .invalid }
        self.init(path: path, content, obstruction: obstruction, details: details)
    }

    /// The rest of the payload.
    private static func document(_ reader: inout WireReader) throws(WireError) -> [UInt8] {
        guard reader.remaining <= mostBytes else { throw .invalid }
        return Array(try reader.raw(reader.remaining))
    }
}
