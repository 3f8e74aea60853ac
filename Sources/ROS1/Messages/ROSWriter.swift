/// Appends values in ROS 1 serialisation: little-endian, arrays and strings with a 32-bit length.
///
/// It keeps its storage when it is emptied, so a publisher that reuses one allocates nothing in the steady state.
public struct ROSWriter: Sendable {
    /// What was written so far.
    public private(set) var bytes: [UInt8]

    /// An empty writer.
    public init(reservingCapacity capacity: Int = 0) {
        bytes = []
        bytes.reserveCapacity(capacity)
    }
}
