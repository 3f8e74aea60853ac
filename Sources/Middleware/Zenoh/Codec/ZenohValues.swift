/// The priority of a message in the queues of routers; 0 is Zenoh's own.
public enum ZenohPriority: UInt8, Sendable, CaseIterable {
    case control, realTime, interactiveHigh, interactiveLow, dataHigh, data, dataLow, background
}

/// How routers treat a message.
public struct ZenohQoS: Hashable, Sendable {
    /// The priority in their queues.
    public var priority: ZenohPriority
    /// Whether a router waits for room in a full queue; otherwise it drops the message.
    public var blocks: Bool
    /// Whether a router sends it at once, without collecting others for a batch.
    public var isExpress: Bool
    /// Whether it goes over the reliable channel of each connection.
    public var isReliable: Bool

    /// What a message has that says nothing: priority of data, dropped when a queue is full, on the reliable channel.
    public static let `default` = ZenohQoS()
    /// Requests and answers: dropped nowhere, sent at once.
    public static let service = ZenohQoS(blocks: true, isExpress: true)

    /// Creates a treatment.
    public init(
        priority: ZenohPriority = .data, blocks: Bool = false, isExpress: Bool = false, isReliable: Bool = true
    ) {
        self.priority = priority
        self.blocks = blocks
        self.isExpress = isExpress
        self.isReliable = isReliable
    }

    /// The value of the extension, without the channel.
    init(extension value: UInt64) {
        self.init(
            priority: ZenohPriority(rawValue: UInt8(truncatingIfNeeded: value & 0x07)) ?? .data,
            blocks: value & 0x08 != 0, isExpress: value & 0x10 != 0)
    }

    /// The value of the extension, which says nothing of the channel.
    var extensionValue: UInt64 { UInt64(priority.rawValue) | (blocks ? 0x08 : 0) | (isExpress ? 0x10 : 0) }

    /// The value of a message without the extension.
    static let silentValue = ZenohQoS.default.extensionValue
}

/// When a publication was made, and by whose clock.
public struct ZenohTimestamp: Hashable, Sendable {
    /// Seconds since 1970 in the high 32 bits, fractions of 2^-32 s in the low ones.
    public var time: UInt64
    /// The node whose clock it is.
    public var clock: ZenohID

    /// Creates a timestamp.
    public init(time: UInt64, clock: ZenohID) {
        self.time = time
        self.clock = clock
    }
}

/// What the bytes of a payload are: a number of Zenoh's table, and a text.
public struct ZenohEncoding: Hashable, Sendable {
    /// The number; 0 for plain bytes.
    public var number: UInt32
    /// The text behind it; empty for none.
    public var schema: String

    /// Bytes of which nothing is said.
    public static let bytes = ZenohEncoding(number: 0)

    /// Creates an encoding.
    public init(number: UInt32, schema: String = "") {
        self.number = number
        self.schema = schema
    }
}

/// Which queryables a router asks.
public enum ZenohTarget: UInt8, Sendable {
    /// The best one: a complete and near one, or all that may have a part of the answer.
    case bestMatching
    /// All.
    case all
    /// All that are complete: what ROS 2 uses for services.
    case allComplete
}

/// What routers do with several replies for one key.
public enum ZenohConsolidation: UInt8, Sendable {
    case automatic, none, monotonic, latest
}
