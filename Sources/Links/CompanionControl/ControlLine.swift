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
