#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// A seeded random number generator: SplitMix64 (Steele, Lea, Flood 2014).
public struct SeededRandom: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Creates a generator; the same seed gives the same numbers.
    public init(seed: UInt64) { state = seed }

    /// The next 64 bits.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }

    /// Uniform, above 0 and below 1.
    public mutating func unit() -> Double { (Double(next() >> 11) + 0.5) * 0x1p-53 }

    /// Normal, mean 0 and deviation 1 (Box and Muller 1958).
    public mutating func normal() -> Double { (-2 * log(unit())).squareRoot() * cos(2 * .pi * unit()) }

    /// Gamma with this shape, at least 1, and scale 1 (Marsaglia and Tsang 2000).
    mutating func gamma(_ shape: Double) -> Double {
        let d = max(shape, 1) - 1.0 / 3
        let c = 1 / (9 * d).squareRoot()
        while true {
            let x = normal()
            let cube = (1 + c * x) * (1 + c * x) * (1 + c * x)
            guard cube > 0 else { continue }
            if log(unit()) < 0.5 * x * x + d - d * cube + d * log(cube) { return d * cube }
        }
    }

    /// Beta with these shapes, each at least 1.
    mutating func beta(_ first: Double, _ second: Double) -> Double {
        let (a, b) = (gamma(first), gamma(second))
        return a / (a + b)
    }
}
