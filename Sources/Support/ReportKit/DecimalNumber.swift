extension Double {
    /// A finite decimal number as a user types it, such as `-1.5` or `2e3`; `nil` for anything else.
    ///
    /// Swift's own conversion also accepts `0x1p3`, `nan` and `infinity`, which nobody means as a place or a speed.
    public init?(decimal text: some StringProtocol) {
        let isDecimal = text.utf8.allSatisfy {
            (0x30...0x39).contains($0) || [0x2B, 0x2D, 0x2E, 0x45, 0x65].contains($0)
        }
        guard isDecimal, let value = Double(String(text)), value.isFinite else { return nil }
        self = value
    }
}
