extension Int {
    /// The number with what is counted: `1 point`, `3 points`.
    ///
    /// - Parameter noun: in the singular, with a regular plural.
    public func counted(_ noun: String) -> String { self == 1 ? "1 \(noun)" : "\(self) \(noun)s" }
}
