import FuzzKit
import MCAP
import ROS2
import ROSMessages

/// Any bytes as an MCAP file: the same messages come out in two splits, and once more after they were written again. Its index
/// is followed, too.
@main enum FuzzMCAP: FuzzTarget {
    static func test(_ bytes: [UInt8]) {
        let found = messages(bytes, step: .max)
        precondition(messages(bytes, step: 5).map(\.bytes) == found.map(\.bytes), "the split matters")
        let read: MCAPIndex.Read = { (range) throws(ROSError) in
            guard range.upperBound <= UInt64(bytes.count) else { throw ROSError(.badBag, "beyond the end") }
            return Array(bytes[Int(range.lowerBound)..<Int(range.upperBound)])
        }
        if let index = try? MCAPIndex(fileBytes: UInt64(bytes.count), read: read) {
            for chunk in index.chunks.prefix(16) { _ = try? index.messages(in: chunk, read: read) }
        }
        var encoder = MCAPEncoder(library: "fuzz", compression: .lz4, chunkBytes: 200)
        var file = encoder.beginning
        var channels: [MCAPChannel: UInt16] = [:]
        for message in found {
            let channel = message.channel
            let schema = channel.schema ?? MCAPSchema(name: "", encoding: "", data: [])
            let number =
                channels[channel]
                ?? encoder.channel(
                    channel.topic, schema: schema, messageEncoding: channel.messageEncoding, metadata: channel.metadata)
            channels[channel] = number
            file += encoder.message(on: number, at: message.logTime, publishedAt: message.publishTime, message.bytes)
        }
        file += encoder.finish()
        let again = messages(file, step: .max)
        precondition(again.map(\.bytes) == found.map(\.bytes), "written again, it has other messages")
        precondition(again.map(\.channel.topic) == found.map(\.channel.topic), "written again, it has other topics")
        precondition(again.map(\.logTime) == found.map(\.logTime), "written again, it has other times")
    }

    private static func messages(_ bytes: [UInt8], step: Int) -> [MCAPMessage] {
        var reader = MCAPReader()
        var found: [MCAPMessage] = []
        var start = 0
        while start < bytes.count {
            let part = bytes[start...].prefix(step)
            start += part.count
            reader.feed(part)
            do {
                while let message = try reader.next() {
                    found.append(message)
                    if var numbers = try? message.cdr() { _ = try? numbers.readString() }
                }
            } catch { return found }
        }
        try? reader.finish()
        return found
    }
}
