/// What accompanies each publication, request and reply in `rmw_zenoh`.
///
/// A publication without it, or with a malformed one, raises an exception in a callback of the receiving node that nothing
/// catches, which ends that process: on a vehicle, the flight stack. So there is no way to write anything but the 33 bytes of a
/// valid one: each value of this type is valid, and no other type has bytes for an attachment.
public struct MessageAttachment: Hashable, Sendable {
    /// The bytes that are written.
    public static let size = 33
    /// The bytes of the earlier form, in which the name of each value precedes it.
    static let namedSize = 77

    /// Counts what the sender sent, from 1; a reply has the number of its request. Never negative.
    public let sequence: Int64
    /// When it was sent, nanoseconds since the epoch of the sender's clock. Never negative.
    public let sourceNanoseconds: Int64
    /// The sender; in a reply, that of the request.
    public let sender: EndpointID

    /// Creates an attachment; `nil` for a negative number or time, which receivers refuse.
    public init?(sequence: Int64, sourceNanoseconds: Int64, sender: EndpointID) {
        guard sequence >= 0, sourceNanoseconds >= 0 else { return nil }
        self.sequence = sequence
        self.sourceNanoseconds = sourceNanoseconds
        self.sender = sender
    }

    /// Reads an attachment in either form; `nil` when it is neither.
    public init?(_ bytes: some Collection<UInt8>) {
        var rest = Array(bytes)[...]
        switch rest.count {
        case Self.size: break
        case Self.namedSize:
            // What stands before the two numbers and the sender; each is taken out, which leaves the present form.
            var plain: [UInt8] = []
            for (name, size) in [("sequence_number", 8), ("source_timestamp", 8), ("source_gid", 1 + EndpointID.size)] {
                let prefix = [UInt8(truncatingIfNeeded: name.utf8.count)] + Array(name.utf8)
                guard rest.starts(with: prefix) else { return nil }
                plain += rest.dropFirst(prefix.count).prefix(size)
                rest = rest.dropFirst(prefix.count + size)
            }
            rest = plain[...]
        default: return nil
        }
        func number(_ bytes: ArraySlice<UInt8>) -> Int64 {
            Int64(bitPattern: bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) })
        }
        let sequence = number(rest.prefix(8))
        let time = number(rest.dropFirst(8).prefix(8))
        guard rest.dropFirst(16).first == UInt8(EndpointID.size), let sender = EndpointID(rest.dropFirst(17)) else {
            return nil
        }
        self.init(sequence: sequence, sourceNanoseconds: time, sender: sender)
    }

    /// The attachment of the reply to the request that this one accompanied.
    ///
    /// - Parameter nanoseconds: when the reply is sent; a time before the epoch becomes 0.
    public func reply(at nanoseconds: Int64) -> MessageAttachment {
        MessageAttachment(validSequence: sequence, nanoseconds: nanoseconds, sender: sender)
    }

    fileprivate init(validSequence sequence: Int64, nanoseconds: Int64, sender: EndpointID) {
        self.sequence = sequence
        sourceNanoseconds = max(0, nanoseconds)
        self.sender = sender
    }

    /// Appends the 33 bytes.
    public func append(to bytes: inout [UInt8]) {
        withUnsafeBytes(of: sequence.littleEndian) { bytes.append(contentsOf: $0) }
        withUnsafeBytes(of: sourceNanoseconds.littleEndian) { bytes.append(contentsOf: $0) }
        bytes.append(UInt8(EndpointID.size))
        sender.append(to: &bytes)
    }

    /// The 33 bytes.
    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.size)
        append(to: &bytes)
        return bytes
    }
}

/// Numbers what one endpoint sends.
public struct AttachmentCounter: Sendable {
    /// The sender.
    public let sender: EndpointID
    private var sent: Int64 = 0

    /// Creates a counter that begins with 1.
    public init(sender: EndpointID) { self.sender = sender }

    /// The attachment of the next publication or request.
    ///
    /// - Parameter nanoseconds: when it is sent; a time before the epoch becomes 0.
    public mutating func next(at nanoseconds: Int64) -> MessageAttachment {
        // After 2^63 of them, from 1 again.
        sent = sent == .max ? 1 : sent + 1
        return MessageAttachment(validSequence: sent, nanoseconds: nanoseconds, sender: sender)
    }
}
