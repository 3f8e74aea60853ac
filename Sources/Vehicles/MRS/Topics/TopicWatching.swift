public import UAVLink

/// A topic that is being published.
public struct PublishedTopic: Hashable, Sendable {
    /// Its complete name; text from the ROS graph.
    public var name: String
    /// `package/Name`.
    public var type: String

    /// A topic.
    public init(name: String, type: String) {
        self.name = name
        self.type = type
    }
}

/// A field of a message whose type is unknown at compile time.
public struct TopicField: Hashable, Sendable {
    /// Its path: `pose.position.x`, `ranges[3]`.
    public var path: String
    /// Its value as text; for an array only its length, its first elements follow.
    public var value: String

    /// A field.
    public init(path: String, value: String) {
        self.path = path
        self.value = value
    }
}

/// A message of a topic, possibly shortened.
public struct TopicReading: Hashable, Sendable {
    /// `package/Name`.
    public var type: String
    /// The fields, at most ``TopicLimits/fields``.
    public var fields: [TopicField]
    /// Whether parts of the message were left out.
    public var isShortened: Bool
    /// Messages per second over the recent past, including those not shown; `nil` while it is too early to tell.
    public var hertz: Double?

    /// A message.
    public init(type: String, fields: [TopicField], isShortened: Bool = false, hertz: Double? = nil) {
        self.type = type
        self.fields = fields
        self.isShortened = isShortened
        self.hertz = hertz
    }
}

/// An update on a watched topic.
public enum TopicUpdate: Hashable, Sendable {
    /// No message at present, and why: not published, none received yet, ... The rate is that of the recent past.
    case silent(String, hertz: Double?)
    /// Its newest message.
    case reading(TopicReading)
    /// It cannot be watched; this is the last update.
    case failed(LinkError)
}

/// Watches topics by name, whatever their type: newest-wins, at most ``TopicLimits/updatesPerSecond``.
public protocol TopicWatching: AnyObject, Sendable {
    /// Why there never are any topics; `nil` if there may be.
    var obstacle: LinkError? { get }

    /// The published topics, sorted by name.
    ///
    /// - Throws: ``UAVLink/LinkError`` if the ROS graph cannot be queried.
    func published(within timeout: Duration) async throws(LinkError) -> [PublishedTopic]

    /// Updates on a topic from now on, until the reader ends; a slow reader gets the newest.
    func updates(of topic: String) -> AsyncStream<TopicUpdate>

    /// Ends all watching.
    func close() async
}

extension TopicWatching {
    /// None: there may be topics.
    public var obstacle: LinkError? { nil }
}

/// Bounds on what is shown of a topic.
public enum TopicLimits {
    /// Fields of a message.
    public static let fields = 200
    /// Elements of an array.
    public static let elements = 8
    /// Characters of a text.
    public static let characters = 120
    /// Updates per second: readable for a user, and few enough for SSH over a bad link.
    public static let updatesPerSecond = 5.0
    /// Bytes of a line of `uavlink-companion topic`.
    public static let lineBytes = 64 * 1024
    /// Topics in the list of published ones.
    public static let published = 4000
    /// Topics watched at the same time.
    public static let watched = 8
}
