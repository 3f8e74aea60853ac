package import JSON

/// What a rosbridge server says (protocol v2).
package enum BridgeMessage: Sendable {
    /// The answer to a call.
    ///
    /// - Parameters:
    ///   - id: that of the call; `nil` for one that was not a number.
    ///   - isSuccess: whether the service was called; else the values are the reason.
    case response(id: Int?, isSuccess: Bool, values: JSONNode?)
    /// A message of a topic.
    case publication(topic: String, JSONNode)
    /// A message about what the server does: `level` is `error`, `warning`, `info` or `none`.
    case status(level: String, text: String)
    /// Something else.
    case other(operation: String)

    /// A whole message of a topic has no more.
    private static let limits = JSONLimits(
        bytes: WebSocketReader.usualMessageBytes, depth: 32, values: 100_000, longestList: 100_000)

    /// Reads a message.
    ///
    /// - Throws: ``ROSBridgeError`` with `protocolViolation` if it is no JSON object with an `op`, or lacks what that has.
    package init(_ bytes: [UInt8]) throws(ROSBridgeError) {
        let root: JSONNode
        do throws(JSONSyntaxError) {
            root = try JSONParser.parse(bytes, limits: Self.limits, called: "the message")
        } catch {
            throw Self.violation("byte \(error.offset): \(error.what)")
        }
        guard let operation = root["op"]?.string else { throw Self.violation("it has no 'op'") }
        switch operation {
        case "service_response":
            let id = root["id"]?.string.flatMap { Int($0) } ?? root["id"]?.number.flatMap { Int(exactly: $0) }
            // Servers before 2014 have no result.
            self = .response(id: id, isSuccess: root["result"]?.bool ?? true, values: root["values"])
        case "publish":
            guard let topic = root["topic"]?.string, let message = root["msg"] else {
                throw Self.violation("a publication without topic or message")
            }
            self = .publication(topic: topic, message)
        case "status":
            self = .status(level: root["level"]?.string ?? "none", text: root["msg"]?.string ?? "")
        default: self = .other(operation: operation)
        }
    }

    private static func violation(_ what: String) -> ROSBridgeError {
        ROSBridgeError(
            .protocolViolation, "the server sent no message of rosbridge: \(what)",
            hint: "is it a rosbridge server, without bson_only_mode?")
    }
}
