internal import XML
internal import TextSearch

/// An incremental HTTP/1.x parser: bytes may arrive in any split.
package struct HTTPParser: Sendable {
    /// Which messages are parsed: only a response may have a body that ends with the connection.
    package enum Role: Sendable { case requests, answers }

    /// The largest head accepted; the heads of XML-RPC libraries have a few hundred bytes.
    static let maximumHeadBytes = 16 << 10
    package static let maximumBodyBytes = XMLPullParser.bounds.bytes
    private static let maximumChunkLine = 256

    private enum State {
        case head
        case body(HTTPMessage, remaining: Int)
        case bodyToTheEnd(HTTPMessage)
        case chunkSize(HTTPMessage)
        case chunk(HTTPMessage, remaining: Int)
        case chunkEnd(HTTPMessage)
        case trailers(HTTPMessage)
    }

    private let role: Role
    private var state = State.head
    private var buffer: [UInt8] = []
    private var start = 0

    package init(_ role: Role) { self.role = role }

    /// Whether part of a message has been received.
    var isInsideMessage: Bool {
        if case .head = state { return start < buffer.count }
        return true
    }

    /// Appends received bytes.
    package mutating func feed(_ bytes: some Collection<UInt8>) {
        if start > 0 {
            buffer.removeFirst(start)
            start = 0
        }
        buffer += bytes
    }

    /// The next complete message; `nil` when more bytes are needed.
    ///
    /// - Throws: ``XMLRPCError`` with ``XMLRPCError/Code/protocolViolation`` or ``XMLRPCError/Code/tooLarge``; the connection must be
    ///   closed then.
    package mutating func next() throws(XMLRPCError) -> HTTPMessage? {
        while true {
            switch state {
            case .head:
                guard let head = try takeHead() else { return nil }
                state = try Self.afterHead(head, role: role)
            case .body(var message, let remaining):
                // Drops the state's copy first, so that the body grows in place.
                state = .head
                let part = take(upTo: remaining)
                message.body += part
                if part.count == remaining {
                    state = .head
                    return message
                }
                state = .body(message, remaining: remaining - part.count)
                return nil
            case .bodyToTheEnd(var message):
                state = .head
                message.body += take(upTo: .max)
                try Self.checkBody(message.body.count)
                state = .bodyToTheEnd(message)
                return nil
            case .chunkSize(let message):
                guard let line = try takeLine() else { return nil }
                let digits = line.prefix { $0 != ";" && $0 != " " }
                guard digits.utf8.count <= 8, let size = Int(digits, radix: 16), size >= 0 else {
                    throw XMLRPCError(.protocolViolation, "invalid HTTP chunk size '\(line.prefix(20))'")
                }
                try Self.checkBody(message.body.count + size)
                state = size == 0 ? .trailers(message) : .chunk(message, remaining: size)
            case .chunk(var message, let remaining):
                state = .head
                let part = take(upTo: remaining)
                message.body += part
                state =
                    part.count == remaining ? .chunkEnd(message) : .chunk(message, remaining: remaining - part.count)
                if part.count < remaining { return nil }
            case .chunkEnd(let message):
                guard let line = try takeLine() else { return nil }
                guard line.isEmpty else {
                    throw XMLRPCError(.protocolViolation, "HTTP chunk data exceed the chunk size")
                }
                state = .chunkSize(message)
            case .trailers(let message):
                guard let line = try takeLine() else { return nil }
                if line.isEmpty {
                    state = .head
                    return message
                }
            }
        }
    }

    /// The message completed by the end of the connection; `nil` when there is none.
    ///
    /// - Throws: ``XMLRPCError`` with ``XMLRPCError/Code/protocolViolation`` when the connection ended inside a message.
    package mutating func end() throws(XMLRPCError) -> HTTPMessage? {
        if case .bodyToTheEnd(let message) = state {
            state = .head
            return message
        }
        guard !isInsideMessage else {
            throw XMLRPCError(.protocolViolation, "the connection ended inside an HTTP message")
        }
        return nil
    }

    private static func afterHead(_ head: HTTPMessage, role: Role) throws(XMLRPCError) -> State {
        if let coding = head.headers["transfer-encoding"] {
            // Refused together with a content length: request smuggling (RFC 9112, section 6.3).
            guard coding.lowercased() == "chunked", head.headers["content-length"] == nil else {
                throw XMLRPCError(.protocolViolation, "unsupported HTTP transfer coding '\(coding.prefix(40))'")
            }
            return .chunkSize(head)
        }
        if let text = head.headers["content-length"] {
            guard text.utf8.count <= 12, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let length = Int(text)
            else { throw XMLRPCError(.protocolViolation, "invalid HTTP content length '\(text.prefix(20))'") }
            try checkBody(length)
            return .body(head, remaining: length)
        }
        return role == .answers ? .bodyToTheEnd(head) : .body(head, remaining: 0)
    }

    private static func checkBody(_ count: Int) throws(XMLRPCError) {
        guard count <= maximumBodyBytes else {
            throw XMLRPCError(.tooLarge, "HTTP body of \(count) bytes exceeds the bound of \(maximumBodyBytes)")
        }
    }

    private mutating func take(upTo count: Int) -> ArraySlice<UInt8> {
        let part = buffer[start...].prefix(count)
        start += part.count
        return part
    }

    private mutating func takeLine() throws(XMLRPCError) -> String? {
        guard let end = buffer[start...].firstIndex(of: 0x0A) else {
            guard buffer.count - start <= Self.maximumChunkLine else {
                throw XMLRPCError(.tooLarge, "HTTP chunk line exceeds \(Self.maximumChunkLine) bytes")
            }
            return nil
        }
        var line = buffer[start..<end]
        if line.last == 0x0D { line.removeLast() }
        start = end + 1
        return String(decoding: line, as: UTF8.self)
    }

    private mutating func takeHead() throws(XMLRPCError) -> HTTPMessage? {
        // Empty lines before a message are skipped (RFC 9112, section 2.2).
        while start < buffer.count, buffer[start] == 0x0D || buffer[start] == 0x0A { start += 1 }
        guard let end = Self.endOfHead(buffer[start...]) else {
            guard buffer.count - start <= Self.maximumHeadBytes else {
                throw XMLRPCError(.tooLarge, "an HTTP head above \(Self.maximumHeadBytes) bytes")
            }
            return nil
        }
        guard end - start <= Self.maximumHeadBytes else {
            throw XMLRPCError(.tooLarge, "an HTTP head above \(Self.maximumHeadBytes) bytes")
        }
        let lines = buffer[start..<end].split(separator: 0x0A).map { line in
            String(decoding: line.last == 0x0D ? line.dropLast() : line, as: UTF8.self)
        }
        start = end
        guard let first = lines.first, role == .answers ? first.hasPrefix("HTTP/1.") : first.includes(" HTTP/1.") else {
            throw XMLRPCError(.protocolViolation, "'\(lines.first?.prefix(40) ?? "")' is not HTTP/1")
        }
        var headers: [String: String] = [:]
        for line in lines.dropFirst() where !line.isEmpty {
            guard let colon = line.firstIndex(of: ":"), colon > line.startIndex else {
                throw XMLRPCError(.protocolViolation, "HTTP header without ':'")
            }
            let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" }
            let value = line[line.index(after: colon)...].drop(while: isSpace)
            headers[line[..<colon].lowercased()] = String(value.reversed().drop(while: isSpace).reversed())
        }
        return HTTPMessage(startLine: first, headers: headers, body: [])
    }

    /// The index after the empty line that ends the head; bare line feeds are accepted.
    private static func endOfHead(_ bytes: ArraySlice<UInt8>) -> Int? {
        var lineStart = bytes.startIndex
        while let end = bytes[lineStart...].firstIndex(of: 0x0A) {
            let length = end - lineStart
            if length == 0 || (length == 1 && bytes[lineStart] == 0x0D) { return end + 1 }
            lineStart = end + 1
        }
        return nil
    }
}
