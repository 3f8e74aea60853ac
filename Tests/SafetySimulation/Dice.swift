/// Numbers that are the same for the same seed (SplitMix64, Steele, Lea, Flood 2014).
struct Dice {
    private var state: UInt64

    /// The seed is mixed first: with steps of the generator's own between them, the next seed's numbers would be this one's.
    init(seed: UInt64) {
        state = seed
        state = next()
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// From 0 up to 1.
    mutating func share() -> Double { Double(next() >> 11) * 0x1p-53 }

    /// Whether something that happens so often happens now.
    mutating func hits(_ probability: Double) -> Bool { share() < probability }

    mutating func milliseconds(_ range: ClosedRange<Int>) -> Duration {
        .microseconds(
            Int64(range.lowerBound * 1000) + Int64(share() * Double((range.upperBound - range.lowerBound) * 1000)))
    }

    mutating func pick<Element>(_ choices: [Element]) -> Element { choices[Int(next() % UInt64(choices.count))] }
}
