extension FixedWidthInteger {
    /// The whole number that a value has before its point; for a value of which nothing is known, where `Int(_:)` would end
    /// the program.
    ///
    /// What is further from zero than 2^53, or than this type holds, becomes that bound, and what is not a number 0. A `Double`
    /// beyond 2^53 is no longer one whole number, and so there is room left for sums and small multiples of the result.
    @inlinable
    public init(saturating value: some BinaryFloatingPoint) {
        guard !value.isNaN else {
            self = 0
            return
        }
        let whole = Int64(Double(Swift.min(Swift.max(value, -0x1p53), 0x1p53)))
        self.init(clamping: whole)
    }
}
