import Testing

@testable import XMLRPC

@Suite struct HTTPParserTests {
    private static func messages(_ text: String, _ role: HTTPParser.Role, step: Int) throws -> [HTTPMessage] {
        var parser = HTTPParser(role)
        var found: [HTTPMessage] = []
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: step) {
            parser.feed(bytes[start..<min(start + step, bytes.count)])
            while let message = try parser.next() { found.append(message) }
        }
        if let last = try parser.end() { found.append(last) }
        return found
    }

    @Test(arguments: [1, 2, 3, 7, 1000])
    func `messages are found in any split`(step: Int) throws {
        let text =
            "POST /RPC2 HTTP/1.1\r\nHost: x:1\r\nContent-Length:  5 \r\n\r\nhello"
            + "POST / HTTP/1.0\nContent-Length: 0\n\n"
            + "\r\nPOST /x HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3;ext=1\r\nabc\r\n0A\r\n0123456789\r\n0\r\nTrailer: x\r\n\r\n"
        let messages = try Self.messages(text, .requests, step: step)
        #expect(messages.map { String(decoding: $0.body, as: UTF8.self) } == ["hello", "", "abc0123456789"])
        #expect(messages.map(\.isKeepAlive) == [true, false, true])
        #expect(messages.map { $0.request?.target } == ["/RPC2", "/", "/x"])
    }

    @Test(arguments: [1, 5, 1000])
    func `an answer may end with the connection`(step: Int) throws {
        let messages = try Self.messages("HTTP/1.0 200 OK\r\nServer: x\r\n\r\nall of it", .answers, step: step)
        #expect(messages.map { String(decoding: $0.body, as: UTF8.self) } == ["all of it"])
        #expect(messages.first?.status == 200)
    }

    @Test(arguments: [
        "GARBAGE\r\n\r\n", "POST / HTTP/2\r\n\r\n", "POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
        "POST / HTTP/1.1\r\nContent-Length: 1x\r\n\r\n", "POST / HTTP/1.1\r\nContent-Length: 99999999999999\r\n\r\n",
        "POST / HTTP/1.1\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n",
        "POST / HTTP/1.1\r\nTransfer-Encoding: gzip\r\n\r\n", "POST / HTTP/1.1\r\nno colon\r\n\r\n",
        "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n",
        "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nabc\r\n",
        "POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\nhel",
    ])
    func `what is wrong is refused`(text: String) {
        #expect(throws: XMLRPCError.self) { try Self.messages(text, .requests, step: 3) }
    }

    @Test func `head and body are bounded`() throws {
        var parser = HTTPParser(.requests)
        parser.feed([UInt8](repeating: UInt8(ascii: "a"), count: HTTPParser.maximumHeadBytes))
        #expect(try parser.next() == nil)
        parser.feed([UInt8(ascii: "a")])
        #expect(throws: XMLRPCError.self) { try parser.next() }
        for (length, isTaken) in [(HTTPParser.maximumBodyBytes, true), (HTTPParser.maximumBodyBytes + 1, false)] {
            var parser = HTTPParser(.requests)
            parser.feed(Array("POST / HTTP/1.1\r\nContent-Length: \(length)\r\n\r\n".utf8))
            if isTaken {
                #expect(try parser.next() == nil)
            } else {
                #expect(throws: XMLRPCError.self) { try parser.next() }
            }
        }
        var chunks = HTTPParser(.requests)
        chunks.feed(
            Array(
                "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n\(String(HTTPParser.maximumBodyBytes + 1, radix: 16))\r\n"
                    .utf8))
        #expect(throws: XMLRPCError.self) { try chunks.next() }
    }

    @Test func `what is written is read again`() throws {
        let request = HTTPMessage.post([1, 2, 3], host: "h:1", target: "/RPC2")
        let answer = HTTPMessage.answer(status: 200, reason: "OK", body: [4], isKeepAlive: false)
        var parser = HTTPParser(.requests)
        parser.feed(request)
        #expect(try parser.next()?.body == [1, 2, 3])
        var answers = HTTPParser(.answers)
        answers.feed(answer)
        let read = try answers.next()
        #expect(read?.body == [4])
        #expect(read?.isKeepAlive == false)
    }
}
