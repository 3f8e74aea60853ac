#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// Sine and cosine, for targets that do not import the C library.
public enum Angles {
    /// The sine of an angle in radians.
    public static func sine(_ radians: Double) -> Double { sin(radians) }
    /// The cosine of an angle in radians.
    public static func cosine(_ radians: Double) -> Double { cos(radians) }
}
