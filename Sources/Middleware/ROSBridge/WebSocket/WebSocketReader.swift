/// Reads what a WebSocket server sends, in any split.
package struct WebSocketReader: Sendable {
    /// Something complete.
    package enum Event: Hashable, Sendable {
        /// A text message: valid UTF-8.
        case text([UInt8])
        /// A ping, to be answered with the same payload.
        case ping([UInt8])
        /// The answer to a ping.
        case pong
        /// The server ends the connection.
        case close(code: UInt16?, reason: String)
    }

    /// The largest message unless another bound is given: rosbridge sends whole messages of topics, ours have a few kilobytes.
    package static let usualMessageBytes = 1 << 20
    /// The most fragments of a message: each may be empty.
    package static let mostFragments = 1024

    private let maximumMessageBytes: Int
    private var buffer: [UInt8] = []
    private var start = 0
    /// The fragments of a message so far; `nil` outside one.
    private var message: [UInt8]?
    private var fragments = 0

    package init(maximumMessageBytes: Int = usualMessageBytes) {
        self.maximumMessageBytes = max(0, maximumMessageBytes)
    }

    /// Appends received bytes.
    package mutating func feed(_ bytes: some Collection<UInt8>) {
        if start > 0 {
            buffer.removeFirst(start)
            start = 0
        }
        buffer += bytes
    }

    /// What is complete next; `nil` when more bytes are needed.
    ///
    /// - Throws: ``ROSBridgeError`` with `protocolViolation` or `tooLarge`; the connection must be closed then.
    package mutating func next() throws(ROSBridgeError) -> Event? {
        while let frame = try takeFrame() {
            if let event = try take(frame) { return event }
        }
        return nil
    }

    private struct Frame {
        var opcode: WebSocketFrame.Opcode
        var isFinal: Bool
        var payload: ArraySlice<UInt8>
    }

    private mutating func takeFrame() throws(ROSBridgeError) -> Frame? {
        guard buffer.count - start >= 2 else { return nil }
        let (first, second) = (buffer[start], buffer[start + 1])
        guard first & WebSocketFrame.reserved == 0 else { throw Self.violation("sets reserved bits of a frame") }
        guard let opcode = WebSocketFrame.Opcode(rawValue: first & WebSocketFrame.opcode) else {
            throw Self.violation("sent a frame of the unknown kind \(first & WebSocketFrame.opcode)")
        }
        guard second & WebSocketFrame.masked == 0 else { throw Self.violation("masks what it sends") }
        let isFinal = first & WebSocketFrame.final != 0
        guard let (length, head) = try length(second & WebSocketFrame.length) else { return nil }
        if opcode.isControl {
            guard isFinal, length <= WebSocketFrame.longestControl else {
                throw Self.violation("sent a control frame in fragments, or one that is too long")
            }
        } else {
            guard length <= maximumMessageBytes - (message?.count ?? 0) else {
                throw ROSBridgeError(
                    .tooLarge, "the rosbridge server sent a message of more than \(maximumMessageBytes) bytes")
            }
        }
        // No more is kept than the bounds allow: a frame is refused before its payload has arrived.
        guard buffer.count - start - head >= length else { return nil }
        let payload = buffer[start + head..<start + head + length]
        start += head + length
        return Frame(opcode: opcode, isFinal: isFinal, payload: payload)
    }

    /// The length of the payload and the size of what stands in front of it; `nil` when more bytes are needed.
    private func length(_ short: UInt8) throws(ROSBridgeError) -> (length: Int, head: Int)? {
        let count = short == WebSocketFrame.twoBytes ? 2 : short == WebSocketFrame.eightBytes ? 8 : 0
        guard count > 0 else { return (Int(short), 2) }
        guard buffer.count - start >= 2 + count else { return nil }
        let value = buffer[start + 2..<start + 2 + count].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        // The shortest form is the only valid one, and the highest bit is never set (section 5.2).
        guard value >= (count == 2 ? UInt64(WebSocketFrame.twoBytes) : 0x1_0000), value >> 63 == 0 else {
            throw Self.violation("sent a length that is not valid")
        }
        return (Int(clamping: value), 2 + count)
    }

    private mutating func take(_ frame: Frame) throws(ROSBridgeError) -> Event? {
        switch frame.opcode {
        case .ping: return .ping(Array(frame.payload))
        case .pong: return .pong
        case .close: return try Self.closing(frame.payload)
        case .binary:
            throw ROSBridgeError(
                .protocolViolation, "the rosbridge server sent a binary message, expected JSON",
                hint: "switch its 'bson_only_mode' off")
        case .text:
            guard message == nil else { throw Self.violation("began a message inside another") }
            if frame.isFinal { return try Self.text(Array(frame.payload)) }
            (message, fragments) = (Array(frame.payload), 1)
            return nil
        case .continuation:
            guard message != nil else { throw Self.violation("continued a message that it had not begun") }
            fragments += 1
            guard fragments <= Self.mostFragments else {
                throw ROSBridgeError(
                    .tooLarge, "the rosbridge server sent a message in more than \(Self.mostFragments) fragments")
            }
            message?.append(contentsOf: frame.payload)
            guard frame.isFinal, let whole = message else { return nil }
            message = nil
            return try Self.text(whole)
        }
    }

    private static func text(_ bytes: [UInt8]) throws(ROSBridgeError) -> Event {
        guard String(validating: bytes, as: UTF8.self) != nil else { throw violation("sent text that is not UTF-8") }
        return .text(bytes)
    }

    private static func closing(_ payload: ArraySlice<UInt8>) throws(ROSBridgeError) -> Event {
        guard payload.count != 1 else { throw violation("sent half a reason for closing") }
        guard payload.count >= 2 else { return .close(code: nil, reason: "") }
        let code = payload.prefix(2).reduce(UInt16(0)) { $0 << 8 | UInt16($1) }
        return .close(code: code, reason: String(decoding: payload.dropFirst(2), as: UTF8.self))
    }

    private static func violation(_ what: String) -> ROSBridgeError {
        ROSBridgeError(
            .protocolViolation, "the rosbridge server \(what), which WebSocket does not allow",
            hint: "is it a rosbridge server that listens there?")
    }
}
