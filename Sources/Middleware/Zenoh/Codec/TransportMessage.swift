/// A message between two ends of a connection. Network messages stand in frames and fragments.
///
/// The low five bits of the first byte are the message, the high three bits flags.
package enum TransportMessage: Sendable, Hashable {
    /// The router accepts the version: its identity, whether each priority has frames of its own, its sizes, and the
    /// cookie to be repeated.
    case initAck(
        id: ZenohID, node: UInt8, hasPriorities: Bool, resolution: UInt8, batchSize: UInt16, cookie: Range<Int>)
    /// The session is open.
    case openAck(lease: Duration, firstNumber: UInt32)
    /// The session ends, with a reason.
    case close(reason: UInt8)
    case keepAlive
    /// Network messages follow.
    case frame(isReliable: Bool, priority: ZenohPriority, number: UInt32)
    /// A part of a network message, up to the end of the batch.
    case fragment(Fragment)
    /// A message that concerns no client.
    case skipped

    /// A part of a network message.
    package struct Fragment: Sendable, Hashable {
        package var isReliable: Bool
        package var priority: ZenohPriority
        package var number: UInt32
        /// Further parts follow.
        package var isFollowed: Bool
        /// It begins a message, whatever came before; not every router says so.
        package var isFirst: Bool
        /// The message that was begun will not be completed.
        package var isDropped: Bool
        package var part: Range<Int>
    }

    /// The protocol's version.
    package static let version: UInt8 = 9
    /// The size of both numbers that the ends agree on: 32 bits for requests and for frames.
    package static let resolution: UInt8 = 0x0A
    /// The extension that asks for frames of each priority and agrees to them; with a number, that of a frame.
    static let priorities: UInt8 = 0x01

    enum ID {
        static let oam: UInt8 = 0x00
        static let initialise: UInt8 = 0x01
        static let open: UInt8 = 0x02
        static let close: UInt8 = 0x03
        static let keepAlive: UInt8 = 0x04
        static let frame: UInt8 = 0x05
        static let fragment: UInt8 = 0x06
        static let mask: UInt8 = 0x1F
    }

    enum Flag {
        /// Extensions follow, in every message.
        static let extensions: UInt8 = 0x80
        static let ack: UInt8 = 0x20
        static let sizes: UInt8 = 0x40
        static let seconds: UInt8 = 0x40
        static let reliable: UInt8 = 0x20
        static let more: UInt8 = 0x40
        static let session: UInt8 = 0x20
    }
}

extension ZenohReader {
    /// A transport message; of a frame the first part only.
    package mutating func readTransportMessage() throws(ZenohError) -> TransportMessage {
        typealias Flag = TransportMessage.Flag
        let header = try readByte()
        let hasExtensions = header & Flag.extensions != 0
        switch header & TransportMessage.ID.mask {
        case TransportMessage.ID.initialise: return try readInit(header)
        case TransportMessage.ID.open:
            guard header & Flag.ack != 0 else { throw Self.notForClients("OpenSyn") }
            let lease = try readNumber(as: UInt32.self)
            let number = try readNumber(as: UInt32.self)
            try skipExtensions(hasExtensions, in: "OpenAck")
            return .openAck(
                lease: header & Flag.seconds != 0 ? .seconds(lease) : .milliseconds(lease), firstNumber: number)
        case TransportMessage.ID.close:
            let reason = try readByte()
            try skipExtensions(hasExtensions, in: "Close")
            return .close(reason: reason)
        case TransportMessage.ID.keepAlive:
            try skipExtensions(hasExtensions, in: "KeepAlive")
            return .keepAlive
        case TransportMessage.ID.frame:
            let number = try readNumber(as: UInt32.self)
            var priority = ZenohPriority.data
            var isFollowed = hasExtensions
            while isFollowed {
                let found = try readExtension()
                if let named = Self.priority(found) { priority = named } else { try found.skip(in: "Frame") }
                isFollowed = found.isFollowed
            }
            return .frame(isReliable: header & Flag.reliable != 0, priority: priority, number: number)
        case TransportMessage.ID.fragment: return try readFragment(header)
        case TransportMessage.ID.oam:
            try skipOAM(header)
            return .skipped
        default: throw ZenohError(.protocolViolation, "the router sent a message of the unknown kind \(header & 0x1F)")
        }
    }

    private mutating func readInit(_ header: UInt8) throws(ZenohError) -> TransportMessage {
        typealias Flag = TransportMessage.Flag
        guard header & Flag.ack != 0 else { throw Self.notForClients("InitSyn") }
        let version = try readByte()
        guard version == TransportMessage.version else {
            throw ZenohError(
                .refused, "the router speaks version \(version) of the Zenoh protocol, not \(TransportMessage.version)",
                hint: "Zenoh 1.0 and later have version 9")
        }
        let kind = try readByte()
        let id = try readID(count: Int(kind >> 4) + 1)
        var resolution = TransportMessage.resolution
        var batchSize = UInt16.max
        if header & Flag.sizes != 0 {
            resolution = try readByte()
            batchSize = try readUInt16()
        }
        let cookie = try readBlock()
        var hasPriorities = false
        var isFollowed = header & Flag.extensions != 0
        while isFollowed {
            let found = try readExtension()
            // With a number, it names the priorities that the link is for.
            if found.kind & ~ZenohExtension.number == TransportMessage.priorities {
                hasPriorities = true
            } else {
                try found.skip(in: "InitAck")
            }
            isFollowed = found.isFollowed
        }
        return .initAck(
            id: id, node: kind & 0x03, hasPriorities: hasPriorities, resolution: resolution, batchSize: batchSize,
            cookie: cookie)
    }

    private mutating func readFragment(_ header: UInt8) throws(ZenohError) -> TransportMessage {
        var fragment = TransportMessage.Fragment(
            isReliable: header & TransportMessage.Flag.reliable != 0, priority: .data,
            number: try readNumber(as: UInt32.self), isFollowed: header & TransportMessage.Flag.more != 0,
            isFirst: false,
            isDropped: false, part: 0..<0)
        var isFollowed = header & TransportMessage.Flag.extensions != 0
        while isFollowed {
            let found = try readExtension()
            switch found.kind {
            case 0x02: fragment.isFirst = true
            case 0x03: fragment.isDropped = true
            default:
                if let named = Self.priority(found) {
                    fragment.priority = named
                } else {
                    try found.skip(in: "Fragment")
                }
            }
            isFollowed = found.isFollowed
        }
        fragment.part = readRest()
        return .fragment(fragment)
    }

    /// The priority of a frame; `nil` for another extension.
    private static func priority(_ found: ZenohExtension) -> ZenohPriority? {
        guard found.kind == TransportMessage.priorities | ZenohExtension.number, case .number(let value) = found.value
        else { return nil }
        return ZenohPriority(rawValue: UInt8(truncatingIfNeeded: value & 0x07))
    }

    /// Skips an operation-and-maintenance message, of either layer.
    mutating func skipOAM(_ header: UInt8) throws(ZenohError) {
        _ = try readNumber(as: UInt16.self)
        try skipExtensions(header & TransportMessage.Flag.extensions != 0, in: "OAM")
        switch header & 0x60 {
        case 0: break
        case 0x20: _ = try readNumber()
        case 0x40: _ = try readBlock()
        default: throw ZenohError(.protocolViolation, "the router sent an OAM message of an unknown kind")
        }
    }

    private static func notForClients(_ message: String) -> ZenohError {
        ZenohError(
            .protocolViolation, "the other end sent \(message), which only the end that connects does",
            hint: "is it a Zenoh router?")
    }
}

extension ZenohWriter {
    /// The first message of a client. It asks for frames of each priority, although this client sends all of its own with
    /// that of data: a router that keeps one queue for all priorities of a session never ends the mark that the queue is
    /// congested, and from then on drops everything that may be dropped.
    package mutating func writeInitSyn(id: ZenohID, batchSize: UInt16) {
        write(TransportMessage.ID.initialise | TransportMessage.Flag.sizes | TransportMessage.Flag.extensions)
        write(TransportMessage.version)
        // 2: a client.
        write(UInt8(truncatingIfNeeded: id.count - 1) << 4 | 2)
        write(id)
        write(TransportMessage.resolution)
        writeUInt16(batchSize)
        write(TransportMessage.priorities)
    }

    /// The second message of a client.
    package mutating func writeOpenSyn(leaseSeconds: UInt32, firstNumber: UInt32, cookie: UnsafeRawBufferPointer) {
        write(TransportMessage.ID.open | TransportMessage.Flag.seconds)
        writeNumber(UInt64(leaseSeconds))
        writeNumber(UInt64(firstNumber))
        writeBlock(cookie)
    }

    package mutating func writeKeepAlive() { write(TransportMessage.ID.keepAlive) }

    /// Ends the session.
    package mutating func writeClose(reason: UInt8) {
        write(TransportMessage.ID.close | TransportMessage.Flag.session)
        write(reason)
    }

    package mutating func writeFrame(isReliable: Bool, number: UInt32) {
        write(TransportMessage.ID.frame | (isReliable ? TransportMessage.Flag.reliable : 0))
        writeNumber(UInt64(number))
    }

    package mutating func writeFragment(isReliable: Bool, number: UInt32, isFollowed: Bool) {
        write(
            TransportMessage.ID.fragment | (isReliable ? TransportMessage.Flag.reliable : 0)
                | (isFollowed ? TransportMessage.Flag.more : 0))
        writeNumber(UInt64(number))
    }
}
