public import ROSMessages

/// A ROS 2 message type and its serialisation in CDR.
///
/// Types that ROS 1 has too conform to `ROSMessage` as well: one structure, two codecs. A field that only one of them has is
/// neither read nor written by the other; it keeps its default.
public protocol ROS2Message: Sendable {
    /// `package/msg/Name`, or `package/srv/Name_Request` and `package/srv/Name_Response`.
    static var ros2TypeName: String { get }
    /// The hash of the type and of all types in it (REP 2016).
    static var ros2TypeHash: TypeHash { get }
    /// The definition of the type and of all types in it, as recordings contain it.
    static var ros2Definition: String { get }

    /// Sets all fields to zero, empty or false, or to the default of the definition.
    init()

    /// Decodes the fields in order.
    ///
    /// - Throws: `ROSDecodingError` with the offset when the bytes end too early or a length is impossible.
    init(from reader: inout CDRReader) throws(ROSDecodingError)

    /// Appends the fields in order.
    func write(to writer: inout CDRWriter)
}

/// A ROS 2 service type.
public protocol ROS2Service: Sendable {
    /// The request.
    associatedtype Request: ROS2Message
    /// The response.
    associatedtype Response: ROS2Message
    /// `package/srv/Name`, for example `std_srvs/srv/Trigger`.
    static var ros2TypeName: String { get }
    /// The hash of the service, which is that of a type with request, response and event.
    static var ros2TypeHash: TypeHash { get }
}

extension ROS2Message {
    /// The message in CDR with its header.
    public var cdr: [UInt8] {
        var writer = CDRWriter()
        write(to: &writer)
        return writer.bytes
    }

    /// Decodes one message with its header; trailing bytes are ignored, as in other ROS libraries.
    ///
    /// - Throws: `ROSDecodingError` when the header is another, the bytes end too early or a length is impossible.
    public init(cdr bytes: [UInt8]) throws(ROSDecodingError) {
        var reader = try CDRReader(bytes)
        try self.init(from: &reader)
    }

    /// What the definition describes.
    ///
    /// - Throws: ``InterfaceError`` when the definition is invalid, which the tests exclude for the types of this project.
    public static func ros2Description() throws(InterfaceError) -> TypeDescription {
        try InterfaceSet(fullText: ros2Definition, typeName: ros2TypeName).description(of: ros2TypeName)
    }
}

extension ROS2Service {
    /// What the definitions of request and response describe.
    ///
    /// - Throws: ``InterfaceError`` when a definition is invalid, which the tests exclude for the types of this project.
    public static func ros2Description() throws(InterfaceError) -> TypeDescription {
        TypeDescription(
            service: ros2TypeName, request: try Request.ros2Description(), response: try Response.ros2Description())
    }
}
