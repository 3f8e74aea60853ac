package import ReportKit

/// What a client says to a rosbridge server (protocol v2): JSON, one message each.
package enum BridgeRequest {
    /// Calls a service; its answer has the same id.
    package static func call(_ service: String, id: Int, arguments: JSONValue) -> [UInt8] {
        message(
            "call_service",
            [.init("id", .string("\(id)")), .init("service", .string(service)), .init("args", arguments)])
    }

    /// Announces that messages of a topic will be published.
    ///
    /// - Parameter type: `package/Name`.
    package static func advertise(_ topic: String, type: String) -> [UInt8] {
        message("advertise", [.init("topic", .string(topic)), .init("type", .string(type))])
    }

    /// Publishes a message.
    package static func publish(_ topic: String, _ value: JSONValue) -> [UInt8] {
        message("publish", [.init("topic", .string(topic)), .init("msg", value)])
    }

    /// Subscribes to a topic: each message is sent as it comes.
    package static func subscribe(to topic: String, type: String) -> [UInt8] {
        message("subscribe", [.init("topic", .string(topic)), .init("type", .string(type))])
    }

    /// Ends a subscription.
    package static func unsubscribe(from topic: String) -> [UInt8] {
        message("unsubscribe", [.init("topic", .string(topic))])
    }

    private static func message(_ operation: String, _ members: [JSONValue.Member]) -> [UInt8] {
        Array(JSONValue.object([.init("op", .string(operation))] + members).text.utf8)
    }
}
