/// One HTTP/1.x request or answer, as far as XML-RPC needs it.
package struct HTTPMessage: Equatable, Sendable {
    /// The first line as it stands.
    package var startLine: String
    /// Names in lower case; of a repeated header the last counts.
    package var headers: [String: String]
    /// What came with it.
    package var body: [UInt8]

    /// The answer's status, `nil` in a request.
    var status: Int? {
        let parts = startLine.split(separator: " ")
        return startLine.hasPrefix("HTTP/") && parts.count >= 2 ? Int(parts[1]) : nil
    }

    /// The request's method and target, `nil` in an answer.
    var request: (method: String, target: String)? {
        let parts = startLine.split(separator: " ")
        guard parts.count == 3, parts[2].hasPrefix("HTTP/1.") else { return nil }
        return (String(parts[0]), String(parts[1]))
    }

    /// Whether the connection stays open after it.
    var keepsConnection: Bool {
        let connection = headers["connection"]?.lowercased() ?? ""
        let isOld = startLine.hasPrefix("HTTP/1.0") || startLine.hasSuffix("HTTP/1.0")
        return isOld ? connection.contains("keep-alive") : !connection.contains("close")
    }

    /// The bytes of a POST with an XML body.
    package static func post(_ body: [UInt8], host: String, target: String) -> [UInt8] {
        var bytes = Array(
            ("POST \(target) HTTP/1.1\r\nHost: \(host)\r\nUser-Agent: uavlink\r\nContent-Type: text/xml\r\n"
                + "Content-Length: \(body.count)\r\n\r\n").utf8)
        bytes += body
        return bytes
    }

    /// The bytes of an answer with an XML body.
    package static func answer(status: Int, reason: String, body: [UInt8], keepsConnection: Bool) -> [UInt8] {
        var bytes = Array(
            ("HTTP/1.1 \(status) \(reason)\r\nContent-Type: text/xml\r\nContent-Length: \(body.count)\r\n"
                + (keepsConnection ? "" : "Connection: close\r\n") + "\r\n").utf8)
        bytes += body
        return bytes
    }
}
