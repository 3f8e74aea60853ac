public import ROSMessages

/// An event of a node, for logs; none requires an action.
public enum ROSEvent: Sendable, CustomStringConvertible {
    /// The master answers, for the first time or again; all registrations are being sent.
    case masterFound(uri: String, again: Bool)
    /// The master stopped answering; the node keeps polling it.
    case masterLost(ROSError)
    /// The master refused a registration.
    case registrationRefused(what: String, ROSError)
    /// A publisher was connected; its messages are being received.
    case publisherConnected(topic: String, node: String)
    /// A publisher's connection broke or could not be opened; it is retried while the master lists the publisher.
    case publisherLost(topic: String, uri: String, ROSError)
    /// A subscriber connected; messages are sent to it.
    case subscriberConnected(topic: String, node: String)
    /// A subscriber disconnected.
    case subscriberLost(topic: String, node: String)
    /// An incoming connection was refused: wrong type, wrong MD5 sum, unknown topic or service.
    case peerRefused(node: String, ROSError)
    /// A message that could not be decoded was dropped.
    case undecodable(topic: String, ROSDecodingError)
    /// The master or a user requested the shutdown of this node, for example because another node took its name; it is shutting
    /// down.
    case shutdownRequested(reason: String)

    /// One line.
    public var description: String {
        switch self {
        case .masterFound(let uri, let again): "the ROS master at \(uri) answers\(again ? " again" : "")"
        case .masterLost(let error): error.description
        case .registrationRefused(let what, let error): "cannot register \(what): \(error)"
        case .publisherConnected(let topic, let node):
            "\(topic): connected to the publisher \(ROSError(.refused, node).what)"
        case .publisherLost(let topic, let uri, let error):
            "\(topic): lost the publisher at \(ROSError(.refused, uri).what): \(error)"
        case .subscriberConnected(let topic, let node):
            "\(topic): subscriber \(ROSError(.refused, node).what) connected"
        case .subscriberLost(let topic, let node): "\(topic): subscriber \(ROSError(.refused, node).what) disconnected"
        case .peerRefused(let node, let error): "refused a connection from \(ROSError(.refused, node).what): \(error)"
        case .undecodable(let topic, let error): "\(topic): dropped a message that cannot be decoded: \(error)"
        case .shutdownRequested(let reason): "shutdown requested: \(ROSError(.refused, reason).what)"
        }
    }
}
