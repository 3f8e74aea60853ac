internal import Secrets

/// Assembles one line of the control socket from chunks of any size, in memory that is wiped: a ticket's line has a key.
struct ControlLine: ~Copyable {
    enum Progress: Equatable {
        case incomplete
        /// The line without its line feed; bytes after it are ignored.
        case complete(SecretBytes)
        /// The line exceeds the limit.
        case tooLong
    }

    private let bytes: SecretBuffer

    /// - Parameter limit: the maximum length of a line, bytes, without its line feed.
    init(limit: Int) { bytes = SecretBuffer(capacity: limit) }

    mutating func take(_ chunk: some Collection<UInt8>) -> Progress {
        let end = chunk.firstIndex(of: 0x0A)
        guard bytes.append(chunk[..<(end ?? chunk.endIndex)]) else { return .tooLong }
        return end == nil ? .incomplete : .complete(bytes.contents)
    }
}

/// The answer of a companion at its control socket.
enum ControlAnswer: Equatable {
    case ok(SecretBytes)
    case error(String)

    /// Parses a line; one of neither form is taken as the text of an error.
    ///
    /// Bytes are compared, since a combining mark after the prefix forms one character with the prefix's last byte.
    init(line: SecretBytes) {
        self = line.withBytes { bytes -> ControlAnswer in
            if bytes.starts(with: Self.accepted.utf8) {
                return .ok(SecretBytes(bytes.dropFirst(Self.accepted.utf8.count)))
            }
            let isError = bytes.starts(with: Self.refused.utf8)
            let text = bytes.dropFirst(isError ? Self.refused.utf8.count : 0)
            return .error(String(decoding: text, as: UTF8.self))
        }
    }

    private static let accepted = "ok "
    private static let refused = "error "

    /// The line to send.
    var line: SecretBytes {
        switch self {
        case .ok(let answer):
            let line = SecretBuffer(capacity: Self.accepted.utf8.count + answer.count)
            line.append(Self.accepted.utf8)
            line.append(answer)
            return line.contents
        case .error(let text): return SecretBytes(Self.refused + text)
        }
    }
}
