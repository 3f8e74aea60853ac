/// Takes values from bytes in ROS 1 serialisation; every length is checked against the bytes that are there.
public struct ROSReader: Sendable {
    private let bytes: [UInt8]
    /// The next byte to be read.
    public private(set) var offset = 0

    /// Reads from the beginning of `bytes`.
    public init(_ bytes: [UInt8]) { self.bytes = bytes }
}
