public import UAVLink

/// A topic that somebody publishes.
public struct PublishedTopic: Hashable, Sendable {
    /// Its complete name: text from the ROS graph.
    public var name: String
    /// `package/Name`.
    public var type: String

    /// A topic.
    public init(name: String, type: String) {
        self.name = name
        self.type = type
    }
}

/// A field of a message whose type was not known before.
public struct TopicField: Hashable, Sendable {
    /// Where it lies: `pose.position.x`, `ranges[3]`.
    public var path: String
    /// Its value in words and figures; of an array only how long it is, its first elements follow.
    public var value: String

    /// A field.
    public init(path: String, value: String) {
        self.path = path
        self.value = value
    }
}

/// A message of a topic, shortened.
public struct TopicReading: Hashable, Sendable {
    /// `package/Name`.
    public var type: String
    /// The fields, at most ``TopicLimits/fields``.
    public var fields: [TopicField]
    /// Whether the message has more.
    public var isShortened: Bool
    /// Messages a second over the recent past, also of those that were not shown; `nil` while it is too early to tell.
    public var hertz: Double?

    /// A message.
    public init(type: String, fields: [TopicField], isShortened: Bool = false, hertz: Double? = nil) {
        self.type = type
        self.fields = fields
        self.isShortened = isShortened
        self.hertz = hertz
    }
}

/// What is heard of a watched topic.
public enum TopicUpdate: Hashable, Sendable {
    /// No message now, and why: nobody publishes it, nothing came yet, ... The rate is that of the recent past.
    case silent(String, hertz: Double?)
    /// Its newest message.
    case reading(TopicReading)
    /// It cannot be watched; nothing follows.
    case failed(LinkError)
}

/// Watches topics by their names, whatever their types: newest wins, at most ``TopicLimits/updatesPerSecond``.
public protocol TopicWatching: AnyObject, Sendable {
    /// The topics that somebody publishes, by name.
    ///
    /// - Throws: ``UAVLink/LinkError`` when the ROS graph cannot be asked.
    func published(within timeout: Duration) async throws(LinkError) -> [PublishedTopic]

    /// What is heard of a topic from now on, until the reader ends; a slow reader gets the newest.
    func updates(of topic: String) -> AsyncStream<TopicUpdate>

    /// Ends all of it.
    func close() async
}

/// How much of a topic is shown.
public enum TopicLimits {
    /// Fields of a message.
    public static let fields = 200
    /// Elements of an array.
    public static let elements = 8
    /// Characters of a text.
    public static let characters = 120
    /// Updates a second: what a person can read, and little enough for SSH over a bad link.
    public static let updatesPerSecond = 5.0
    /// Bytes of a line of `uavlink-companion topic`.
    public static let lineBytes = 64 * 1024
    /// Topics in a list of those that are published.
    public static let published = 4000
    /// Topics watched at a time.
    public static let watched = 8
}
