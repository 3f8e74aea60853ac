/// A marker after the output of one command in a persistent shell: random, so that no output can contain it by chance or
/// on purpose.
struct EndMarker: Sendable {
    let text: String
    fileprivate let bytes: [UInt8]

    init() {
        var random = SystemRandomNumberGenerator()
        let words = (0..<2).map { _ in String(random.next(), radix: 16) }
        self.init(text: "uavlink-end-" + words.joined(separator: "-"))
    }

    fileprivate init(text: String) {
        self.text = text
        bytes = Array(text.utf8)
    }

    /// The position of the marker in `output`; `searched` is the length already searched without success.
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

    /// The exit status after the marker at `position`; `nil` until its line is complete, `.some(nil)` when malformed.
    func status(in output: [UInt8], at position: Int) -> Int32?? {
        let tail = output[(position + bytes.count)...]
        guard let end = tail.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        return .some(Int32(String(decoding: tail[..<end].dropFirst(), as: UTF8.self)))
    }
}

/// Access for the fuzz target.
@_spi(Fuzzing) public enum EndMarkerFuzzing {
    /// Checks an output in which each zero byte stands for the marker, split into chunks whose length is given by the first
    /// byte: whatever the split, the first marker must be found with the same status.
    public static func output(_ bytes: [UInt8]) {
        guard let size = bytes.first else { return }
        // Its prefix equals its suffix, so that a partial marker may be the beginning of another.
        let marker = EndMarker(text: "ababc-abab")
        let output = bytes.dropFirst().flatMap { $0 == 0 ? marker.bytes : [$0] }
        var naive: Int?
        var start = 0
        while naive == nil, start + marker.bytes.count <= output.count {
            if Array(output[start..<start + marker.bytes.count]) == marker.bytes { naive = start }
            start += 1
        }
        var (seen, searched): ([UInt8], Int) = ([], 0)
        var (place, status): (Int?, Int32??) = (nil, nil)
        for start in stride(from: 0, to: output.count, by: Int(size) + 1) {
            seen += output[start..<min(start + Int(size) + 1, output.count)]
            place = place ?? marker.find(in: seen, searched: &searched)
            if status == nil, let place { status = marker.status(in: seen, at: place) }
        }
        precondition(
            place == naive, "the marker is at \(String(describing: naive)), not at \(String(describing: place))")
        precondition(status == naive.flatMap { marker.status(in: output, at: $0) }, "status differs")
    }
}
