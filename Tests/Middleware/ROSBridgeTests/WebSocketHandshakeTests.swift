import ROSBridge
import Testing

@Suite struct WebSocketHandshakeTests {
    private static let accept = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="
    private static let answer =
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: WebSocket\r\nconnection: keep-alive, Upgrade\r\n"
        + "Server: Tornado\r\nSec-WebSocket-Accept: \(accept)\r\n\r\n"

    private func handshake() -> WebSocketHandshake {
        // The example of RFC 6455, section 1.3.
        WebSocketHandshake(to: "uav1:9090", nonce: Array("the sample nonce".utf8))
    }

    private func refusal(of answer: String) -> ROSBridgeError? {
        var handshake = handshake()
        do throws(ROSBridgeError) {
            _ = try handshake.take(Array(answer.utf8))
            return nil
        } catch { return error }
    }

    @Test func `the request has what a server needs, and the key of the specification's example is accepted`() throws {
        let request = String(decoding: handshake().request, as: UTF8.self)
        let lines = request.split(separator: "\r\n", omittingEmptySubsequences: false)
        #expect(lines.first == "GET / HTTP/1.1" && request.hasSuffix("\r\n\r\n"))
        for line in [
            "Host: uav1:9090", "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        ] { #expect(lines.contains(Substring(line))) }
        #expect(WebSocketHandshake.acceptance(of: "dGhlIHNhbXBsZSBub25jZQ==") == Self.accept)
    }

    @Test func `an answer is taken in any split, and what follows it is handed on`() throws {
        let bytes = Array((Self.answer + "rest").utf8)
        for step in [1, 5, bytes.count] {
            var handshake = handshake()
            var rest: [UInt8]?
            var start = 0
            while rest == nil, start < bytes.count {
                let end = min(bytes.count, start + step)
                rest = try handshake.take(bytes[start..<end])
                start = end
            }
            #expect(try #require(rest) + bytes[start...] == Array("rest".utf8))
        }
    }

    @Test(arguments: [
        (answer.replacing("101 Switching Protocols", with: "404 Not Found"), "it answered 'HTTP/1.1 404 Not Found'"),
        (answer.replacing(accept, with: "AAAA"), "its accept key is wrong"),
        (answer.replacing("Sec-WebSocket-Accept: \(accept)\r\n", with: ""), "its accept key is wrong"),
        (answer.replacing("Server:", with: "Sec-WebSocket-Accept: \(accept)\r\nServer:"), "its accept key is wrong"),
        (answer.replacing("Upgrade: WebSocket\r\n", with: ""), "did not switch"),
        (answer.replacing("keep-alive, Upgrade", with: "close"), "did not switch"),
        (answer.replacing("Server:", with: "Sec-WebSocket-Extensions:"), "not offered"),
        (answer.replacing("Server:", with: "Sec-WebSocket-Protocol:"), "not offered"),
        (answer.replacing("Server: Tornado", with: "Server"), "a header without ':'"),
        ("SSH-2.0-OpenSSH_9.2p1\r\n", "does not answer as one"), ("\u{0}\u{1}", "does not answer as one"),
        ("HTTP/1.1\r\n\r\n", "it answered 'HTTP/1.1'"),
    ])
    func `what does not accept is refused, with the reason in one line`(_ answer: String, _ reason: String) throws {
        let error = try #require(refusal(of: answer))
        #expect(error.code == .refused && error.what.contains(reason), "\(error)")
        #expect(error.what.contains("uav1:9090") && error.hint.contains("9090"))
        #expect(!error.description.contains { $0.isNewline })
    }

    @Test func `an answer without an end is bounded`() throws {
        let limit = WebSocketHandshake.maximumHeadBytes
        let start = "HTTP/1.1 101 x\r\nA: "
        let filler = String(repeating: "x", count: limit - start.utf8.count)
        #expect(refusal(of: start + filler) == nil)
        #expect(refusal(of: start + filler + "x")?.code == .tooLarge)
        #expect(refusal(of: start + filler + "\r\n\r\n")?.code == .tooLarge)
    }
}
