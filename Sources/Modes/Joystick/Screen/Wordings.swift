internal import TextScreen

extension String {
    /// The first of several wordings, longest first, that fits into a width; the last one, shortened, when none does.
    static func fitting(_ width: Int, _ wordings: String...) -> String {
        wordings.first { $0.cells <= width } ?? (wordings.last ?? "").shortened(to: width)
    }
}
