/// A number whose memory layout equals its wire format, so that arrays of it are copied as a block.
///
/// Only the integer and floating-point types of the standard library may conform: every bit pattern must be valid.
public protocol ROSScalar: BitwiseCopyable, Sendable, Hashable {
    /// Zero.
    init()
}

extension Int8: ROSScalar {}
extension UInt8: ROSScalar {}
extension Int16: ROSScalar {}
extension UInt16: ROSScalar {}
extension Int32: ROSScalar {}
extension UInt32: ROSScalar {}
extension Int64: ROSScalar {}
extension UInt64: ROSScalar {}
extension Float: ROSScalar {}
extension Double: ROSScalar {}

#if _endian(big)
    #error("ROS 1 serialisation is little-endian, and arrays are copied whole here: add the byte swap first")
#endif
