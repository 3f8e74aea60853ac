internal import Digests
internal import ReportKit

/// The opening handshake of a WebSocket client (RFC 6455, section 4): a request over HTTP, and its answer in any split.
package struct WebSocketHandshake: Sendable {
    /// What the request is.
    package let request: [UInt8]
    private let expected: String
    private let place: String
    private var answer: [UInt8] = []

    /// The largest head of an answer; those of servers have a few hundred bytes.
    package static let maximumHeadBytes = 8 << 10
    /// What the accept key is made of besides ours (section 1.3).
    private static let suffix = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

    /// - Parameters:
    ///   - place: `HOST:PORT`, for the server and for errors; the host must be one that URLs may have.
    ///   - nonce: 16 random bytes.
    package init(to place: String, nonce: [UInt8]) {
        let key = Base64.encode(nonce)
        self.place = place
        expected = Self.acceptance(of: key)
        request = Array(
            ("GET / HTTP/1.1\r\nHost: \(place)\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                + "Sec-WebSocket-Key: \(key)\r\nSec-WebSocket-Version: 13\r\nUser-Agent: uavlink\r\n\r\n").utf8)
    }

    /// The accept key that a server answers with.
    package static func acceptance(of key: String) -> String { Base64.encode(SHA1.of(Array((key + suffix).utf8))) }

    /// Takes received bytes.
    ///
    /// - Returns: what has arrived behind the answer, once that has been accepted; `nil` while it is not complete.
    /// - Throws: ``ROSBridgeError`` with `refused` or `tooLarge`.
    package mutating func take(_ bytes: some Collection<UInt8>) throws(ROSBridgeError) -> [UInt8]? {
        answer += bytes
        guard let end = Self.endOfHead(answer) else {
            // What is no HTTP may have no lines at all.
            let isHTTP = zip(answer, "HTTP/1.".utf8).allSatisfy { $0 == $1 }
            guard isHTTP else { throw refusal("it does not answer as one") }
            guard answer.count <= Self.maximumHeadBytes else { throw tooLong }
            return nil
        }
        guard end <= Self.maximumHeadBytes else { throw tooLong }
        try check(String(decoding: answer[..<end], as: UTF8.self))
        return Array(answer[end...])
    }

    private static func endOfHead(_ bytes: [UInt8]) -> Int? {
        guard bytes.count >= 4 else { return nil }
        let end: [UInt8] = [0x0D, 0x0A, 0x0D, 0x0A]
        for start in 0...min(bytes.count - 4, maximumHeadBytes) where bytes[start] == 0x0D {
            if bytes[start..<start + 4].elementsEqual(end) { return start + 4 }
        }
        return nil
    }

    private func check(_ head: String) throws(ROSBridgeError) {
        // "\r\n" is one character.
        var lines = head.split(separator: "\r\n", omittingEmptySubsequences: true)[...]
        let status = lines.popFirst() ?? ""
        let parts = status.split(separator: " ", maxSplits: 2)
        guard parts.count >= 2, parts[0].hasPrefix("HTTP/1."), parts[1] == "101" else {
            throw refusal("it answered '\(status.prefix(80))'")
        }
        var headers: [String: [String]] = [:]
        for line in lines {
            guard let colon = line.firstIndex(of: ":") else { throw refusal("its answer has a header without ':'") }
            headers[line[..<colon].lowercased(), default: []].append(line[line.index(after: colon)...].trimmed)
        }
        func words(of name: String) -> [String] {
            (headers[name] ?? []).flatMap { $0.split(separator: ",") }.map { $0.trimmed.lowercased() }
        }
        guard words(of: "upgrade") == ["websocket"], words(of: "connection").contains("upgrade") else {
            throw refusal("it did not switch to WebSocket")
        }
        guard headers["sec-websocket-accept"] == [expected] else { throw refusal("its accept key is wrong") }
        // None was offered (section 4.1).
        guard words(of: "sec-websocket-extensions").isEmpty, words(of: "sec-websocket-protocol").isEmpty else {
            throw refusal("it chose an extension or a protocol that was not offered")
        }
    }

    private var tooLong: ROSBridgeError {
        ROSBridgeError(
            .tooLarge, "what listens at \(place) answered with more than \(Self.maximumHeadBytes) bytes of headers",
            hint: Self.advice)
    }

    private func refusal(_ what: String) -> ROSBridgeError {
        ROSBridgeError(.refused, "what listens at \(place) is no WebSocket server: \(what)", hint: Self.advice)
    }

    private static let advice = "the port of a rosbridge server is 9090 unless it was started with another"
}
