#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// Sine and cosine, which the standard library does not have.
public enum Angles {
    public static func sine(_ radians: Double) -> Double { sin(radians) }
    public static func cosine(_ radians: Double) -> Double { cos(radians) }
}
