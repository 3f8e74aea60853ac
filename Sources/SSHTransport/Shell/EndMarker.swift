/// A mark behind the output of one command in a shell that goes on: random, so that no output can hold it by chance or
/// by intent.
struct EndMarker: Sendable {
    let text: String
    private let bytes: [UInt8]

    init() {
        var random = SystemRandomNumberGenerator()
        let words = (0..<2).map { _ in String(random.next(), radix: 16) }
        text = "uavlink-end-" + words.joined(separator: "-")
        bytes = Array(text.utf8)
    }

    /// Where the mark stands in `output`, if it does; `searched` says how much was looked through in vain before.
    func find(in output: [UInt8], searched: inout Int) -> Int? {
        guard output.count >= bytes.count else { return nil }
        var start = max(0, searched - bytes.count + 1)
        while start + bytes.count <= output.count {
            if output[start] == bytes[0], output[start..<(start + bytes.count)].elementsEqual(bytes) { return start }
            start += 1
        }
        searched = output.count
        return nil
    }

    /// The exit status behind the mark at `position`; `nil` until its line is complete, `.some(nil)` when it is none.
    func status(in output: [UInt8], at position: Int) -> Int32?? {
        let tail = output[(position + bytes.count)...]
        guard let end = tail.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        return .some(Int32(String(decoding: tail[..<end].dropFirst(), as: UTF8.self)))
    }
}
