import MRS
import MRSMessages
import ROSMessages
import Testing
import UAVLink

@Suite struct EchoStreamTests {
    private static let height = """
        header:\u{20}
          seq: 7
          stamp:\u{20}
            secs: 12
            nsecs:         5
          frame_id: "uav1/x"
        value: 3.25
        ---

        """

    @Test func `messages are the same in any split`() throws {
        let bytes = Array((Self.height + Self.height).utf8)
        for size in [1, 7, 64, bytes.count] {
            var stream = try EchoStream(.heightAboveGround)
            var messages: [[UInt8]] = []
            for start in stride(from: 0, to: bytes.count, by: size) {
                messages += try stream.take(bytes[start..<min(start + size, bytes.count)])
            }
            #expect(messages.count == 2)
            let message = try MRSMsgs.Float64Stamped(serialised: try #require(messages.last))
            #expect(
                message
                    == .init(
                        header: .init(seq: 7, stamp: ROSTime(seconds: 12, nanoseconds: 5), frameID: "uav1/x"),
                        value: 3.25))
        }
    }

    @Test func `a rule inside a text does not end a message`() throws {
        var stream = try EchoStream(.heightAboveGround)
        let text = Self.height.replacing("\"uav1/x\"", with: "\"a---\\n---\"")
        let message = try MRSMsgs.Float64Stamped(serialised: try #require(stream.take(text.utf8).first))
        #expect(message.header.frameID == "a---\n---")
    }

    @Test func `numbers that are none, as Python prints them, are read`() throws {
        var stream = try EchoStream(.heightAboveGround)
        let message = try stream.take(Self.height.replacing("3.25", with: "nan").utf8)
        #expect(try MRSMsgs.Float64Stamped(serialised: try #require(message.first)).value.isNaN)
    }

    @Test(arguments: [
        ("value: {", LinkError.Code.protocolViolation), ("value: 3.25", .typeMismatch), ("[]", .typeMismatch),
    ])
    func `a message that is none is an error once, and the stream goes on`(
        document: String, code: LinkError.Code
    ) throws {
        var stream = try EchoStream(.heightAboveGround)
        let error = #expect(throws: LinkError.self) { try stream.take((document + "\n---\n").utf8) }
        #expect(error?.code == code, "\(error as Any)")
        #expect(try stream.take(Self.height.utf8).count == 1)
    }

    @Test func `a field out of its type's range is refused`() throws {
        var stream = try EchoStream(.heightAboveGround)
        #expect(throws: LinkError.self) { try stream.take(Self.height.replacing("seq: 7", with: "seq: -1").utf8) }
        #expect(throws: LinkError.self) {
            try stream.take(Self.height.replacing("seq: 7", with: "seq: 4294967296").utf8)
        }
    }

    @Test func `a document may be as long as the limit, one more byte is skipped to its end`() throws {
        func padded(to size: Int) -> String {
            let rest = Self.height.utf8.count - "---\n".utf8.count
            return "#" + String(repeating: "x", count: size - rest - 2) + "\n" + Self.height
        }
        var stream = try EchoStream(.heightAboveGround)
        #expect(try stream.take(padded(to: EchoStream.maximumDocumentBytes).utf8).count == 1)
        let error = #expect(throws: LinkError.self) {
            try stream.take(padded(to: EchoStream.maximumDocumentBytes + 1).utf8)
        }
        #expect(error?.code == .protocolViolation)
        #expect(try stream.take(Self.height.utf8).count == 1)
    }
}
