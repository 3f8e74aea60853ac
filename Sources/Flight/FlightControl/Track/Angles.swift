#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// Sine and cosine, for targets that do not import the C library.
package enum Angles {
    /// The sine of an angle in radians.
    package static func sine(_ radians: Double) -> Double { sin(radians) }
    /// The cosine of an angle in radians.
    package static func cosine(_ radians: Double) -> Double { cos(radians) }
}
