#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// The simulator's only source of randomness: the same seed gives the same numbers on every machine.
///
/// xoshiro256++ by D. Blackman and S. Vigna (2019), its state initialised by SplitMix64 (Steele, Lea and Flood, 2014),
/// both as published at prng.di.unimi.it.
public struct NoiseSource: RandomNumberGenerator, Hashable, Sendable {
    private var state: SIMD4<UInt64>

    /// Creates a source; every seed is valid, including zero.
    public init(seed: UInt64) {
        var mixer = seed
        func next() -> UInt64 {
            mixer &+= 0x9E37_79B9_7F4A_7C15
            var z = mixer
            z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
            z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
            return z ^ (z >> 31)
        }
        state = SIMD4(next(), next(), next(), next())
    }

    /// 64 random bits.
    public mutating func next() -> UInt64 {
        func rotated(_ x: UInt64, _ by: UInt64) -> UInt64 { (x << by) | (x >> (64 - by)) }
        let result = rotated(state[0] &+ state[3], 23) &+ state[0]
        let shifted = state[1] << 17
        state[2] ^= state[0]
        state[3] ^= state[1]
        state[1] ^= state[2]
        state[0] ^= state[3]
        state[2] ^= shifted
        state[3] = rotated(state[3], 45)
        return result
    }

    /// A number in 0..<1 with 53 random bits.
    public mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

    /// A normally distributed number with mean 0 and standard deviation 1 (Box and Muller, 1958).
    public mutating func gaussian() -> Double {
        let radius = (-2 * log(1 - unit())).squareRoot()
        return radius * cos(2 * .pi * unit())
    }
}

/// Correlated noise: a first-order Gauss-Markov (Ornstein-Uhlenbeck) process.
struct GaussMarkovNoise: Hashable, Sendable {
    private(set) var value = 0.0
    private let keep: Double
    private let push: Double

    /// - Parameters:
    /// - deviation: long-term standard deviation.
    /// - seconds: correlation time.
    ///   - step: seconds from one update to the next.
    init(deviation: Double, correlation seconds: Double, step: Double) {
        keep = exp(-step / seconds)
        push = deviation * (1 - keep * keep).squareRoot()
    }

    mutating func update(from source: inout NoiseSource) {
        value = value * keep + push * source.gaussian()
    }
}
