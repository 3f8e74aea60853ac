/// One line of the control socket, put together from what is read, however it was cut.
struct ControlLine {
    enum Progress: Equatable {
        case incomplete
        /// The line without its feed; what follows it is nobody's.
        case complete(String)
        /// More bytes than a line may have.
        case tooLong
    }

    /// The most bytes that a line may have, without its feed.
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

/// What a companion answers at its control socket.
enum ControlAnswer: Equatable {
    case ok(String)
    case error(String)

    /// Reads a line; one that is neither is taken for an error's text.
    init(line: String) {
        self =
            if let text = line.droppingPrefix("ok ") { .ok(text) } else {
                .error(line.droppingPrefix("error ") ?? line)
            }
    }

    /// As it is written.
    var line: String {
        switch self {
        case .ok(let text): "ok \(text)"
        case .error(let text): "error \(text)"
        }
    }
}

extension String {
    /// What follows the prefix, `nil` when it does not begin with its bytes. A character may consist of the prefix's last byte
    /// and what follows it (a combining mark), so characters must not be compared.
    fileprivate func droppingPrefix(_ prefix: String) -> String? {
        guard utf8.starts(with: prefix.utf8) else { return nil }
        return String(decoding: utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
    }
}

/// What the fuzz target needs of the inside.
@_spi(Fuzzing) public enum ControlFuzzing {
    /// Bytes from a control socket, cut where the first byte says and read whole: both must come to the same.
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
            precondition(found == expected, "a line that is cut is another")
            guard case .complete(let line) = expected else { continue }
            if let request = ControlRequest(rawValue: line) {
                precondition(request.rawValue == line, "a request is not read back")
            }
            let answer = ControlAnswer(line: line)
            precondition(ControlAnswer(line: answer.line) == answer, "an answer is not read back")
        }
    }
}
