/// A ROS 1 message type and its serialisation.
///
/// The types of this project are generated from their definitions; the tests compare ``ROSMessage/md5`` of each
/// with the sum computed from ``ROSMessage/definition``.
public protocol ROSMessage: Sendable {
    /// `package/Name`, for example `geometry_msgs/Point`.
    static var typeName: String { get }
    /// The MD5 sum of the definition, 32 lower-case hexadecimal digits.
    static var md5: String { get }
    /// The text of the definition and of all its dependencies, as sent in a connection header.
    static var definition: String { get }

    /// Sets all fields to zero, empty or false.
    init()

    /// Decodes the fields in order.
    ///
    /// - Throws: ``ROSDecodingError`` with the offset when the bytes end too early or a length is impossible.
    init(from reader: inout ROSReader) throws(ROSDecodingError)

    /// Appends the fields in order, little-endian.
    func write(to writer: inout ROSWriter)
}

/// A ROS 1 service type.
public protocol ROSService: Sendable {
    /// The request.
    associatedtype Request: ROSMessage
    /// The response.
    associatedtype Response: ROSMessage
    /// `package/Name`, for example `std_srvs/Trigger`.
    static var typeName: String { get }
    /// The MD5 sum over request and response, 32 lower-case hexadecimal digits.
    static var md5: String { get }
}

/// An error in a serialised message.
public struct ROSDecodingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was wrong.
    public let what: String
    /// The byte offset in the message.
    public let offset: Int

    /// Creates an error.
    public init(_ what: String, at offset: Int) {
        self.what = what
        self.offset = offset
    }

    /// One line.
    public var description: String { "\(what) at byte \(offset)" }
}

/// `time` of ROS 1: seconds and nanoseconds since the epoch of the graph's clock (wall clock or simulated).
public struct ROSTime: Hashable, Comparable, Sendable {
    /// Whole seconds.
    public var seconds: UInt32
    /// The fraction in nanoseconds; below 1,000,000,000 in a normalized time.
    public var nanoseconds: UInt32

    /// Creates a time.
    public init(seconds: UInt32 = 0, nanoseconds: UInt32 = 0) {
        self.seconds = seconds
        self.nanoseconds = nanoseconds
    }

    /// Whether `left` is earlier than `right`.
    public static func < (left: Self, right: Self) -> Bool {
        (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
    }
}

/// `duration` of ROS 1.
public struct ROSDuration: Hashable, Sendable {
    /// Whole seconds.
    public var seconds: Int32
    /// The fraction in nanoseconds.
    public var nanoseconds: Int32

    /// Creates a duration.
    public init(seconds: Int32 = 0, nanoseconds: Int32 = 0) {
        self.seconds = seconds
        self.nanoseconds = nanoseconds
    }
}
