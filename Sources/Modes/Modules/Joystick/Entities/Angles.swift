#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// Sine and cosine, which the standard library does not have.
enum Angles {
    static func sine(_ radians: Double) -> Double { sin(radians) }
    static func cosine(_ radians: Double) -> Double { cos(radians) }
}
