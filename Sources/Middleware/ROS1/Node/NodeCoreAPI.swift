internal import SystemIO
internal import XMLRPC

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// The slave API, which the master and other nodes call.
extension NodeCore {
    /// Answers a call of the master or of another node.
    func answer(_ call: XMLRPCCall, on loop: LoopCore) -> XMLRPCResponse {
        let parameters = call.parameters
        switch call.method {
        case "getPid": return MasterResponse.done(.int(Int(getpid())))
        case "getMasterUri": return MasterResponse.done(.string(configuration.masterURI))
        case "getName": return MasterResponse.done(.string(node.name))
        case "getUri": return MasterResponse.done(.string(slaveURI))
        case "getPublications":
            return MasterResponse.done(.array(publishers.values.map { .array([.string($0.topic), .string($0.type)]) }))
        case "getSubscriptions":
            return MasterResponse.done(
                .array(subscriptions.values.map { .array([.string($0.topic), .string($0.type)]) }))
        case "getBusInfo": return MasterResponse.done(busInfo)
        case "getBusStats": return MasterResponse.done(busStats)
        case "publisherUpdate":
            guard parameters.count == 3, let topic = parameters[1].stringValue, let uris = parameters[2].stringsValue,
                uris.count <= Self.maximumPublishers
            else { return MasterResponse.refused("publisherUpdate takes caller, topic and publishers") }
            subscriptions[topic]?.update(publishers: uris, on: loop)
            return MasterResponse.done(.int(0))
        case "requestTopic": return requestTopic(parameters)
        // Parameters are read when they are needed and not cached.
        case "paramUpdate": return MasterResponse.done(.int(0))
        case "shutdown":
            let reason = parameters.dropFirst().first?.stringValue ?? ""
            node.tell(.shutdownRequested(reason: reason))
            // Submitted, so that the answer is sent first.
            loop.loop.submit { loop in (loop.attachment as? NodeCore)?.shutDown(on: loop) }
            return MasterResponse.done(.int(0))
        default: return .fault(code: 1, text: "method '\(call.method.prefix(64))' is not supported")
        }
    }

    /// The most publishers of one topic accepted from the master; no real graph has as many.
    private static let maximumPublishers = 1024

    private func requestTopic(_ parameters: [XMLRPCValue]) -> XMLRPCResponse {
        guard parameters.count == 3, let topic = parameters[1].stringValue, let protocols = parameters[2].arrayValue
        else { return MasterResponse.refused("requestTopic takes caller, topic and protocols") }
        guard publishers[topic] != nil else {
            return MasterResponse.refused("\(topic) is not published by \(node.name)")
        }
        guard protocols.contains(where: { $0.arrayValue?.first?.stringValue == "TCPROS" }) else {
            return MasterResponse.refused("no supported protocol", code: 0)
        }
        return MasterResponse.done(
            .array([.string("TCPROS"), .string(node.host), .int(Int(tcprosPort))]),
            "ready on \(node.host):\(tcprosPort)")
    }

    private var busInfo: XMLRPCValue {
        var rows: [XMLRPCValue] = []
        for channel in publishers.values {
            for peer in channel.subscriberNodes {
                rows.append(
                    .array([
                        .int(rows.count + 1), .string(peer), .string("o"), .string("TCPROS"), .string(channel.topic),
                        .bool(true),
                    ]))
            }
        }
        for subscription in subscriptions.values {
            for connection in subscription.connections {
                rows.append(
                    .array([
                        .int(rows.count + 1), .string(connection.uri), .string("i"), .string("TCPROS"),
                        .string(subscription.topic), .bool(true),
                    ]))
            }
        }
        return .array(rows)
    }

    private var busStats: XMLRPCValue {
        let published = publishers.values.map { channel -> XMLRPCValue in
            let counts = channel.counts
            return .array([
                .string(channel.topic), .int(Int(truncatingIfNeeded: counts.sent)),
                .array([.array([.int(0), .int(0), .int(Int(truncatingIfNeeded: counts.sent)), .bool(true)])]),
            ])
        }
        let subscribed = subscriptions.values.map { subscription -> XMLRPCValue in
            .array([
                .string(subscription.topic),
                .array(
                    subscription.connections.enumerated().map { index, connection in
                        .array([
                            .int(index + 1), .int(Int(truncatingIfNeeded: connection.bytes)), .int(-1), .bool(true),
                        ])
                    }),
            ])
        }
        return .array([.array(published), .array(subscribed), .array([.int(0), .int(0), .int(0)])])
    }
}
