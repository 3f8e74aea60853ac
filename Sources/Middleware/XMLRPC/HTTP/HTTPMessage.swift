internal import TextSearch
/// An HTTP/1.x request or response, as far as XML-RPC needs it.
package struct HTTPMessage: Equatable, Sendable {
    /// The first line, unparsed.
    package var startLine: String
    /// Header values by lower-case name; the last of a repeated header wins.
    package var headers: [String: String]
    /// The body.
    package var body: [UInt8]

    /// The status code of a response; `nil` for a request.
    var status: Int? {
        let parts = startLine.split(separator: " ")
        return startLine.hasPrefix("HTTP/") && parts.count >= 2 ? Int(parts[1]) : nil
    }

    /// The method and target of a request; `nil` for a response.
    var request: (method: String, target: String)? {
        let parts = startLine.split(separator: " ")
        guard parts.count == 3, parts[2].hasPrefix("HTTP/1.") else { return nil }
        return (String(parts[0]), String(parts[1]))
    }

    /// Whether the connection stays open after this message.
    var isKeepAlive: Bool {
        let connection = headers["connection"]?.lowercased() ?? ""
        let isOld = startLine.hasPrefix("HTTP/1.0") || startLine.hasSuffix("HTTP/1.0")
        return isOld ? connection.includes("keep-alive") : !connection.includes("close")
    }

    /// Encodes a POST request with an XML body.
    package static func post(_ body: [UInt8], host: String, target: String) -> [UInt8] {
        var bytes = Array(
            ("POST \(target) HTTP/1.1\r\nHost: \(host)\r\nUser-Agent: uavlink\r\nContent-Type: text/xml\r\n"
                + "Content-Length: \(body.count)\r\n\r\n").utf8)
        bytes += body
        return bytes
    }

    /// Encodes a response with an XML body.
    package static func answer(status: Int, reason: String, body: [UInt8], isKeepAlive: Bool) -> [UInt8] {
        var bytes = Array(
            ("HTTP/1.1 \(status) \(reason)\r\nContent-Type: text/xml\r\nContent-Length: \(body.count)\r\n"
                + (isKeepAlive ? "" : "Connection: close\r\n") + "\r\n").utf8)
        bytes += body
        return bytes
    }
}
