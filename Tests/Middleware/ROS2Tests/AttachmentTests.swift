import ROS2
import ROSMessages
import Testing

@Suite struct AttachmentTests {
    private static let sender = (1...16).map { UInt8($0) }
    private static let plain: [UInt8] = [5, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 16] + sender
    private static let named: [UInt8] =
        [15] + Array("sequence_number".utf8) + [5, 0, 0, 0, 0, 0, 0, 0] + [16] + Array("source_timestamp".utf8)
        + [0, 1, 0, 0, 0, 0, 0, 0] + [10] + Array("source_gid".utf8) + [16] + sender

    @Test func `33 bytes are written`() throws {
        let sender = try #require(EndpointID(Self.sender))
        let attachment = try #require(MessageAttachment(sequence: 5, sourceNanoseconds: 256, sender: sender))
        #expect(attachment.bytes == Self.plain && attachment.bytes.count == MessageAttachment.size)
        #expect(sender.bytes == Self.sender)
    }

    @Test func `both forms are read`() throws {
        #expect(Self.named.count == 77)
        let attachment = try #require(MessageAttachment(Self.plain))
        #expect(attachment.sequence == 5 && attachment.sourceNanoseconds == 256)
        #expect(attachment.sender.bytes == Self.sender)
        #expect(MessageAttachment(Self.named) == attachment)
        #expect(attachment.bytes == Self.plain)
    }

    @Test func `anything else is none`() {
        for count in 0..<100 where count != 33 {
            #expect(MessageAttachment(Self.plain + Self.plain.prefix(count)) == nil || count == 0)
        }
        for count in 0..<33 { #expect(MessageAttachment(Self.plain.prefix(count)) == nil) }
        for count in 0..<77 where count != 33 { #expect(MessageAttachment(Self.named.prefix(count)) == nil) }
        // Of the 77 bytes, each of a name or a length that is another makes it none.
        for place in Self.named.indices where Self.named[place] > 32 || [0, 24, 49, 60].contains(place) {
            var bytes = Self.named
            bytes[place] ^= 1
            #expect(MessageAttachment(bytes) == nil, "byte \(place)")
        }
        var short = Self.plain
        short[16] = 15
        #expect(MessageAttachment(short) == nil)
        var negative = Self.plain
        negative[7] = 0x80
        #expect(MessageAttachment(negative) == nil)
    }

    @Test func `a negative number or time cannot be made`() throws {
        let sender = try #require(EndpointID(Self.sender))
        #expect(MessageAttachment(sequence: -1, sourceNanoseconds: 0, sender: sender) == nil)
        #expect(MessageAttachment(sequence: 0, sourceNanoseconds: -1, sender: sender) == nil)
        #expect(EndpointID(Self.sender.dropLast()) == nil && EndpointID(Self.sender + [0]) == nil)
        var counter = AttachmentCounter(sender: sender)
        let first = counter.next(at: -5)
        #expect(first.sequence == 1 && first.sourceNanoseconds == 0 && first.bytes.count == MessageAttachment.size)
        #expect(counter.next(at: 7).sequence == 2)
    }

    @Test func `a reply has number and sender of its request`() throws {
        let request = try #require(MessageAttachment(Self.named))
        let reply = request.reply(at: 1_000)
        #expect(reply.sequence == 5 && reply.sender == request.sender && reply.sourceNanoseconds == 1_000)
        #expect(reply.bytes.count == MessageAttachment.size)
    }

    @Test func `endpoints of one session have different identities`() throws {
        let node = LivelinessToken(domain: 0, session: [1, 2], nodeID: 0, node: try ROS2NodeName(name: "n"))
        let type = EndpointType(try #require(ROS2TypeName("a/msg/B")), TypeHash(0, 0, 0, 0))
        let ids = try (1...20).map { id in
            let endpoint = LivelinessToken.Endpoint(
                role: .publisher, name: try ROS2Name("/a"), type: type, quality: .usual)
            return EndpointID(of: LivelinessToken(of: endpoint, id: UInt64(id), node: node))
        }
        #expect(Set(ids).count == 20)
    }
}
