/// Takes HTTP/1.x messages out of bytes that come in any split.
package struct HTTPParser: Sendable {
    /// Which end's messages are read: only an answer may have a body that ends with the connection.
    package enum Role: Sendable { case requests, answers }

    /// Bounds: the headers of master and nodes have a few hundred bytes; bodies as ``XMLPullParser/maximumBytes``.
    static let maximumHeadBytes = 16 << 10
    package static let maximumBodyBytes = XMLPullParser.maximumBytes
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

    /// Whether bytes of an unfinished message are waiting.
    var isInsideMessage: Bool {
        if case .head = state { return start < buffer.count }
        return true
    }

    /// Takes bytes in.
    package mutating func feed(_ bytes: some Collection<UInt8>) {
        if start > 0 {
            buffer.removeFirst(start)
            start = 0
        }
        buffer += bytes
    }

    /// The next whole message, `nil` when more bytes are needed.
    ///
    /// - Throws: ``ROSError`` with ``ROSError/Code/protocolViolation`` or ``ROSError/Code/tooLarge``; the connection is
    ///   of no use after it.
    package mutating func next() throws(ROSError) -> HTTPMessage? {
        while true {
            switch state {
            case .head:
                guard let head = try takeHead() else { return nil }
                state = try Self.afterHead(head, role: role)
            case .body(var message, let remaining):
                // The state lets go of the message first, so that its body grows in place.
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
                    throw ROSError(.protocolViolation, "an HTTP chunk of size '\(line.prefix(20))'")
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
                guard line.isEmpty else { throw ROSError(.protocolViolation, "an HTTP chunk longer than its size") }
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

    /// The message that the end of the connection completes, `nil` when there is none.
    ///
    /// - Throws: ``ROSError`` with ``ROSError/Code/protocolViolation`` when the end came inside a message.
    package mutating func end() throws(ROSError) -> HTTPMessage? {
        if case .bodyToTheEnd(let message) = state {
            state = .head
            return message
        }
        guard !isInsideMessage else {
            throw ROSError(.protocolViolation, "the connection ended inside an HTTP message")
        }
        return nil
    }

    private static func afterHead(_ head: HTTPMessage, role: Role) throws(ROSError) -> State {
        if let coding = head.headers["transfer-encoding"] {
            // Both lengths at once is how requests are smuggled: refused.
            guard coding.lowercased() == "chunked", head.headers["content-length"] == nil else {
                throw ROSError(.protocolViolation, "an HTTP transfer coding '\(coding.prefix(40))'")
            }
            return .chunkSize(head)
        }
        if let text = head.headers["content-length"] {
            guard text.utf8.count <= 12, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let length = Int(text)
            else { throw ROSError(.protocolViolation, "an HTTP content length of '\(text.prefix(20))'") }
            try checkBody(length)
            return .body(head, remaining: length)
        }
        return role == .answers ? .bodyToTheEnd(head) : .body(head, remaining: 0)
    }

    private static func checkBody(_ count: Int) throws(ROSError) {
        guard count <= maximumBodyBytes else {
            throw ROSError(.tooLarge, "an HTTP body of \(count) bytes is above the bound of \(maximumBodyBytes)")
        }
    }

    private mutating func take(upTo count: Int) -> ArraySlice<UInt8> {
        let part = buffer[start...].prefix(count)
        start += part.count
        return part
    }

    private mutating func takeLine() throws(ROSError) -> String? {
        guard let end = buffer[start...].firstIndex(of: 0x0A) else {
            guard buffer.count - start <= Self.maximumChunkLine else {
                throw ROSError(.tooLarge, "an HTTP chunk line without an end")
            }
            return nil
        }
        var line = buffer[start..<end]
        if line.last == 0x0D { line.removeLast() }
        start = end + 1
        return String(decoding: line, as: UTF8.self)
    }

    private mutating func takeHead() throws(ROSError) -> HTTPMessage? {
        // Empty lines before a message are passed over, as the standard asks of the robust.
        while start < buffer.count, buffer[start] == 0x0D || buffer[start] == 0x0A { start += 1 }
        guard let end = Self.endOfHead(buffer[start...]) else {
            guard buffer.count - start <= Self.maximumHeadBytes else {
                throw ROSError(.tooLarge, "an HTTP head above \(Self.maximumHeadBytes) bytes")
            }
            return nil
        }
        guard end - start <= Self.maximumHeadBytes else {
            throw ROSError(.tooLarge, "an HTTP head above \(Self.maximumHeadBytes) bytes")
        }
        let lines = buffer[start..<end].split(separator: 0x0A).map { line in
            String(decoding: line.last == 0x0D ? line.dropLast() : line, as: UTF8.self)
        }
        start = end
        guard let first = lines.first, role == .answers ? first.hasPrefix("HTTP/1.") : first.contains(" HTTP/1.") else {
            throw ROSError(.protocolViolation, "'\(lines.first?.prefix(40) ?? "")' is not HTTP/1")
        }
        var headers: [String: String] = [:]
        for line in lines.dropFirst() where !line.isEmpty {
            guard let colon = line.firstIndex(of: ":"), colon > line.startIndex else {
                throw ROSError(.protocolViolation, "an HTTP header without ':'")
            }
            let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" }
            let value = line[line.index(after: colon)...].drop(while: isSpace)
            headers[line[..<colon].lowercased()] = String(value.reversed().drop(while: isSpace).reversed())
        }
        return HTTPMessage(startLine: first, headers: headers, body: [])
    }

    /// Behind the empty line; bare line feeds are taken too.
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
