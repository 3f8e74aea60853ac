/// What a node notices by itself, for logs; nothing in it needs an answer.
public enum ROSEvent: Sendable, CustomStringConvertible {
    /// The master answers, for the first time or again; everything is being registered (anew).
    case masterFound(uri: String, again: Bool)
    /// The master does not answer any more; it is being asked for.
    case masterLost(ROSError)
    /// The master refused a registration.
    case registrationRefused(what: String, ROSError)
    /// Messages come from this node now.
    case publisherConnected(topic: String, node: String)
    /// A publisher's connection broke or could not be made; it is tried again while the master lists it.
    case publisherLost(topic: String, uri: String, ROSError)
    /// A node takes our messages now.
    case subscriberConnected(topic: String, node: String)
    /// A subscriber has gone.
    case subscriberLost(topic: String, node: String)
    /// A connection to us was refused: wrong type, wrong sum, no such topic or service.
    case peerRefused(node: String, ROSError)
    /// A message that its type's definition does not allow was dropped.
    case undecodable(topic: String, ROSDecodingError)
    /// The master or a person told this node to go, for example because another took its name; it has shut down.
    case toldToShutDown(reason: String)

    /// One line.
    public var description: String {
        switch self {
        case .masterFound(let uri, let again): "the ROS master at \(uri) answers\(again ? " again" : "")"
        case .masterLost(let error): error.description
        case .registrationRefused(let what, let error): "cannot register \(what): \(error)"
        case .publisherConnected(let topic, let node): "\(topic) comes from \(ROSError(.refused, node).what)"
        case .publisherLost(let topic, let uri, let error):
            "\(topic) comes from \(ROSError(.refused, uri).what) no more: \(error)"
        case .subscriberConnected(let topic, let node): "\(topic) goes to \(ROSError(.refused, node).what)"
        case .subscriberLost(let topic, let node): "\(topic) goes to \(ROSError(.refused, node).what) no more"
        case .peerRefused(let node, let error): "refused \(ROSError(.refused, node).what): \(error)"
        case .undecodable(let topic, let error): "dropped a message of \(topic): \(error)"
        case .toldToShutDown(let reason): "told to shut down: \(ROSError(.refused, reason).what)"
        }
    }
}
