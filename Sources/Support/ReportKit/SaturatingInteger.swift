extension FixedWidthInteger {
    /// The integer part of any value, including those for which `Int(_:)` would trap.
    ///
    /// Values beyond ±2^53, or beyond this type's range, are clamped; NaN becomes 0. A `Double` beyond 2^53 no longer
    /// identifies a single integer, and the bound leaves headroom for sums and small multiples of the result.
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
