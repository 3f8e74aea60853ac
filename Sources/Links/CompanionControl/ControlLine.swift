/// Assembles one line of the control socket from chunks of any size.
struct ControlLine {
    enum Progress: Equatable {
        case incomplete
        /// The line without its line feed; bytes after it are ignored.
        case complete(String)
        /// The line exceeds the limit.
        case tooLong
    }

    /// Maximum length of a line, bytes, without its line feed.
    let limit: Int
    private var bytes: [UInt8] = []

    init(limit: Int) { self.limit = limit }

    mutating func take(_ chunk: some Collection<UInt8>) -> Progress {
        let end = chunk.firstIndex(of: 0x0A)
        let part = chunk[..<(end ?? chunk.endIndex)]
        guard bytes.count + part.count <= limit else { return .tooLong }
        bytes.append(contentsOf: part)
        return end == nil ? .incomplete : .complete(String(decoding: bytes, as: UTF8.self))
    }
}

/// The answer of a companion at its control socket.
enum ControlAnswer: Equatable {
    case ok(String)
    case error(String)

    /// Parses a line; one of neither form is taken as the text of an error.
    init(line: String) {
        self =
            if let text = line.droppingPrefix("ok ") { .ok(text) } else {
                .error(line.droppingPrefix("error ") ?? line)
            }
    }

    /// The line to send.
    var line: String {
        switch self {
        case .ok(let text): "ok \(text)"
        case .error(let text): "error \(text)"
        }
    }
}

extension String {
    /// The text after a prefix; `nil` if it does not begin with the prefix's bytes. Bytes are compared, since a combining
    /// mark after the prefix forms one character with the prefix's last byte.
    fileprivate func droppingPrefix(_ prefix: String) -> String? {
        guard utf8.starts(with: prefix.utf8) else { return nil }
        return String(decoding: utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
    }
}

/// Internals for the fuzz target.
@_spi(Fuzzing) public enum ControlFuzzing {
    /// Reads bytes in chunks of the size given by the first byte, and whole: both results must be equal.
    public static func line(_ bytes: [UInt8]) {
        guard let size = bytes.first else { return }
        let rest = bytes.dropFirst()
        for limit in [ControlLimits.requestBytes, ControlLimits.answerBytes] {
            var whole = ControlLine(limit: limit)
            let expected = whole.take(rest)
            var cut = ControlLine(limit: limit)
            var found = ControlLine.Progress.incomplete
            var start = rest.startIndex
            while start < rest.endIndex, found == .incomplete {
                let end = rest.index(start, offsetBy: Int(size) + 1, limitedBy: rest.endIndex) ?? rest.endIndex
                found = cut.take(rest[start..<end])
                start = end
            }
            precondition(found == expected, "a line read in chunks differs from the line read whole")
            guard case .complete(let line) = expected else { continue }
            if let request = ControlRequest(rawValue: line) {
                precondition(request.rawValue == line, "a request does not round-trip")
            }
            let answer = ControlAnswer(line: line)
            precondition(ControlAnswer(line: answer.line) == answer, "an answer does not round-trip")
        }
    }
}
