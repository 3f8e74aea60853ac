import ROSBridge
import Testing

/// What a server sends: frames without a mask.
func serverFrame(_ first: UInt8, _ payload: [UInt8]) -> [UInt8] {
    let count = payload.count
    let length: [UInt8] =
        switch count {
        case ..<126: [UInt8(count)]
        case ...0xFFFF: [126, UInt8(count >> 8), UInt8(count & 0xFF)]
        default: [127] + (0..<8).map { UInt8(truncatingIfNeeded: UInt64(count) >> (56 - 8 * UInt64($0))) }
        }
    return [first] + length + payload
}

@Suite struct WebSocketReaderTests {
    private static let bound = 70_000

    /// What is read of these bytes, fed in pieces of that size; an error is the last.
    private func read(_ bytes: [UInt8], step: Int = .max) -> [String] {
        var reader = WebSocketReader(maximumMessageBytes: Self.bound)
        var found: [String] = []
        do throws(ROSBridgeError) {
            var start = 0
            while start < bytes.count {
                let end = min(bytes.count, step > bytes.count ? bytes.count : start + step)
                reader.feed(bytes[start..<end])
                start = end
                while let event = try reader.next() {
                    switch event {
                    case .text(let text): found.append("text \(String(decoding: text, as: UTF8.self))")
                    case .ping(let payload): found.append("ping \(payload)")
                    case .pong: found.append("pong")
                    case .close(let code, let reason): found.append("close \(code.map { "\($0)" } ?? "-") \(reason)")
                    }
                }
            }
        } catch { found.append("\(error.code)") }
        return found
    }

    @Test(arguments: [1, 2, 3, 7, Int.max])
    func `messages, fragments with a ping between them, and a close, in any split`(_ step: Int) {
        // The examples of RFC 6455, section 5.7.
        let bytes: [UInt8] =
            [0x81, 0x05, 0x48, 0x65, 0x6C, 0x6C, 0x6F] + [0x01, 0x03, 0x48, 0x65, 0x6C]
            + [0x89, 0x05, 0x48, 0x65, 0x6C, 0x6C, 0x6F] + [0x80, 0x02, 0x6C, 0x6F] + [0x8A, 0x00]
            + serverFrame(0x88, [0x03, 0xE9] + Array("away".utf8))
        #expect(
            read(bytes, step: step) == [
                "text Hello", "ping [72, 101, 108, 108, 111]", "text Hello", "pong", "close 1001 away",
            ])
    }

    @Test(arguments: [0, 125, 126, 0xFFFF, 0x1_0000, 70_000])
    func `each form of a length is read, up to the bound`(_ count: Int) {
        let text = String(repeating: "x", count: count)
        #expect(read(serverFrame(0x81, Array(text.utf8))) == ["text \(text)"])
    }

    @Test(
        arguments: [
            ([0xC1, 0x00], "protocolViolation"),  // a reserved bit
            ([0x83, 0x00], "protocolViolation"),  // an unknown kind
            ([0x81, 0x81, 0, 0, 0, 0, 0x61], "protocolViolation"),  // masked
            ([0x80, 0x00], "protocolViolation"),  // a continuation of nothing
            ([0x01, 0x01, 0x61, 0x81, 0x01, 0x61], "protocolViolation"),  // a message inside another
            ([0x09, 0x00], "protocolViolation"),  // a control frame in fragments
            ([0x89, 0x7E, 0x00, 0x7E], "protocolViolation"),  // one that is too long
            ([0x81, 0x7E, 0x00, 0x7D], "protocolViolation"),  // a length that is too long for its value
            ([0x81, 0x7F, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF], "protocolViolation"),
            ([0x81, 0x7F, 0x80, 0, 0, 0, 0, 0, 0, 0], "protocolViolation"),  // negative
            ([0x81, 0x7F, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], "tooLarge"),
            ([0x81, 0x01, 0xFF], "protocolViolation"),  // not UTF-8
            ([0x01, 0x01, 0xC3, 0x80, 0x01, 0x28], "protocolViolation"),  // nor in two fragments
            ([0x82, 0x01, 0x00], "protocolViolation"),  // binary
            ([0x88, 0x01, 0x03], "protocolViolation"),  // half a code
        ] as [([UInt8], String)])
    func `a server that breaks the protocol gets an error, before its payload has arrived`(
        _ bytes: [UInt8], _ code: String
    ) {
        for step in [1, Int.max] { #expect(read(bytes, step: step).last == code) }
    }

    @Test func `text in fragments may be cut within a character`() {
        #expect(read([0x01, 0x01, 0xC3, 0x80, 0x01, 0xA9]) == ["text \u{E9}"])
    }

    @Test func `a message is bounded, in one frame and over all its fragments`() {
        let long = [UInt8](repeating: 0x61, count: Self.bound + 1)
        #expect(read(serverFrame(0x81, long)) == ["tooLarge"])
        let half = [UInt8](repeating: 0x61, count: Self.bound / 2)
        #expect(read(serverFrame(0x01, half) + serverFrame(0x80, half)).first?.hasPrefix("text aaa") == true)
        #expect(read(serverFrame(0x01, half) + serverFrame(0x80, half + [0x61])) == ["tooLarge"])
        let empty = Array(repeating: serverFrame(0x00, []), count: WebSocketReader.mostFragments - 2).flatMap(\.self)
        #expect(read(serverFrame(0x01, []) + empty + serverFrame(0x80, [])) == ["text "])
        #expect(read(serverFrame(0x01, []) + empty + serverFrame(0x00, []) + serverFrame(0x80, [])) == ["tooLarge"])
    }

    @Test func `a close may have no reason, and what is no UTF-8 in one is shown all the same`() {
        #expect(read([0x88, 0x00]) == ["close - "])
        #expect(read(serverFrame(0x88, [0x03, 0xE8, 0xFF])) == ["close 1000 \u{FFFD}"])
    }

    @Test(arguments: [0, 5, 125, 126, 0xFFFF, 0x1_0000])
    func `what a client sends is masked, and is the same again without the mask`(_ count: Int) throws {
        let payload = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        let bytes = WebSocketFrame.encode(.text, payload, mask: 0x37FA_213D)
        let plain = serverFrame(0x81, payload)
        let head = plain.count - count
        #expect(bytes[0] == 0x81 && bytes[1] == plain[1] | 0x80 && bytes[2..<head] == plain[2..<head])
        #expect(Array(bytes[head..<head + 4]) == [0x37, 0xFA, 0x21, 0x3D])
        let key = Array(bytes[head..<head + 4])
        #expect(bytes[(head + 4)...].enumerated().map { $0.element ^ key[$0.offset % 4] } == payload)
    }

    @Test func `the masked example of the specification`() {
        #expect(
            WebSocketFrame.encode(.text, Array("Hello".utf8), mask: 0x37FA_213D) == [
                0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58,
            ])
    }
}
