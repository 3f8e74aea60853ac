import FuzzKit
import ROSBag
import ROSMessages

/// Any bytes as a bag, in two splits: the same messages come out.
@main enum FuzzBag: FuzzTarget {
    static func test(_ bytes: [UInt8]) {
        precondition(messages(bytes, step: 5) == messages(bytes, step: .max), "the split matters")
    }

    private static func messages(_ bytes: [UInt8], step: Int) -> [[UInt8]] {
        var reader = ROSBagReader()
        var found: [[UInt8]] = []
        var start = 0
        while start < bytes.count {
            let part = bytes[start...].prefix(step)
            start += part.count
            reader.feed(part)
            do {
                while let message = try reader.next() {
                    found.append(message.bytes)
                    var numbers = message.reader
                    _ = try? numbers.readString()
                }
            } catch { return found }
        }
        try? reader.finish()
        return found
    }
}
