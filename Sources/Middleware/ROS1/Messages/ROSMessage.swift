/// A ROS 1 message type: fields in the order of its definition, and how they stand on the wire.
///
/// The types of this project are generated from their definitions; ``ROSMessage/md5`` of each is checked in the tests
/// against the sum computed from ``ROSMessage/definition``.
public protocol ROSMessage: Sendable {
    /// `package/Name`, for example `geometry_msgs/Point`.
    static var typeName: String { get }
    /// The MD5 sum of the definition, 32 lower-case hexadecimal digits.
    static var md5: String { get }
    /// The full text of the definition with all that it depends on, as it stands in a connection header.
    static var definition: String { get }

    /// All fields zero, empty or false.
    init()

    /// Reads the fields in order.
    ///
    /// - Throws: ``ROSDecodingError`` that names the place, when the bytes end too early or a length is impossible.
    init(from reader: inout ROSReader) throws(ROSDecodingError)

    /// Appends the fields in order, little-endian.
    func write(to writer: inout ROSWriter)
}

/// A ROS 1 service type.
public protocol ROSService: Sendable {
    /// What is sent to it.
    associatedtype Request: ROSMessage
    /// What comes back.
    associatedtype Response: ROSMessage
    /// `package/Name`, for example `std_srvs/Trigger`.
    static var typeName: String { get }
    /// The MD5 sum over request and response, 32 lower-case hexadecimal digits.
    static var md5: String { get }
}

/// Bytes that are not the message they should be.
public struct ROSDecodingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was wrong.
    public let what: String
    /// At which byte of the message.
    public let offset: Int

    /// Names what was wrong and where.
    public init(_ what: String, at offset: Int) {
        self.what = what
        self.offset = offset
    }

    /// One line.
    public var description: String { "\(what) at byte \(offset)" }
}

/// `time` of ROS 1: seconds and nanoseconds since the epoch of whatever clock the graph runs on.
public struct ROSTime: Hashable, Comparable, Sendable {
    /// Whole seconds.
    public var seconds: UInt32
    /// The rest, below 1,000,000,000 in a normal time.
    public var nanoseconds: UInt32

    /// A time.
    public init(seconds: UInt32 = 0, nanoseconds: UInt32 = 0) {
        self.seconds = seconds
        self.nanoseconds = nanoseconds
    }

    /// Whether `left` comes before `right`.
    public static func < (left: Self, right: Self) -> Bool {
        (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
    }
}

/// `duration` of ROS 1.
public struct ROSDuration: Hashable, Sendable {
    /// Whole seconds.
    public var seconds: Int32
    /// The rest, in nanoseconds.
    public var nanoseconds: Int32

    /// A duration.
    public init(seconds: Int32 = 0, nanoseconds: Int32 = 0) {
        self.seconds = seconds
        self.nanoseconds = nanoseconds
    }
}
