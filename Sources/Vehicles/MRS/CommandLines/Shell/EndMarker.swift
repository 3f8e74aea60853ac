/// A marker in the output of a persistent shell, before or after that of one command: random, so that no output can contain it by
/// chance or on purpose.
package struct EndMarker: Sendable {
    /// What is written.
    package let text: String
    /// The same in bytes.
    package let bytes: [UInt8]

    /// A marker of its own.
    ///
    /// - Parameter name: what it marks, for whoever reads the bytes on the wire.
    package init(_ name: String = "end") {
        var random = SystemRandomNumberGenerator()
        let words = (0..<2).map { _ in String(random.next(), radix: 16) }
        self.init(text: "uavlink-\(name)-" + words.joined(separator: "-"))
    }

    /// A marker with a known text.
    package init(text: String) {
        self.text = text
        bytes = Array(text.utf8)
    }

    /// The position of the marker in `output`; `searched` is the length already searched without success.
    package func find(in output: [UInt8], searched: inout Int) -> Int? {
        guard output.count >= bytes.count else { return nil }
        var start = max(0, searched - bytes.count + 1)
        while start + bytes.count <= output.count {
            if output[start] == bytes[0], output[start..<(start + bytes.count)].elementsEqual(bytes) { return start }
            start += 1
        }
        searched = output.count
        return nil
    }

    /// The exit status after the marker at `position`; `nil` until its line is complete, `.some(nil)` when malformed.
    package func status(in output: [UInt8], at position: Int) -> Int32?? {
        let tail = output[(position + bytes.count)...]
        guard let end = tail.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        return .some(Int32(String(decoding: tail[..<end].dropFirst(), as: UTF8.self)))
    }
}
