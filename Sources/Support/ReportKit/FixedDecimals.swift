extension Double {
    /// The number with that many decimals (0 to 15), rounded to nearest, halves to even like C's `printf`; with a point
    /// in every locale and without a minus before zero; `nan`, `inf` or `-inf` if it is not finite.
    public func formatted(decimals: Int) -> String {
        guard isFinite else { return isNaN ? "nan" : self < 0 ? "-inf" : "inf" }
        let decimals = min(max(decimals, 0), 15)
        let size = magnitude
        var whole = size.rounded(.towardZero)
        let scale = powersOfTen[decimals]
        var digits = Self.roundedProduct(size - whole, scale, wholeIsOdd: whole.truncatingRemainder(dividingBy: 2) == 1)
        if digits >= scale {
            digits = 0
            whole += 1
        }
        // Past 2^63 there are no decimals left, and the digits are of no use.
        let wholeText = Int64(exactly: whole).map { String($0) } ?? whole.description
        var text = wholeText
        if decimals > 0, Int64(exactly: whole) != nil {
            let fraction = String(Int64(digits))
            text += "." + String(repeating: "0", count: decimals - fraction.count) + fraction
        }
        return self < 0 && (whole > 0 || digits > 0) ? "-" + text : text
    }

    /// `fraction * scale` rounded to nearest as if multiplied exactly: where the rounded product looks like a half, its
    /// rounding error, from a fused multiply-add, decides.
    private static func roundedProduct(_ fraction: Double, _ scale: Double, wholeIsOdd: Bool) -> Double {
        let product = fraction * scale
        let error = (-product).addingProduct(fraction, scale)
        let below = product.rounded(.down)
        let above = product - below - 0.5
        if above > 0 || (above == 0 && error > 0) { return below + 1 }
        if above < 0 || error < 0 { return below }
        // An exact half rounds to even; without decimals the whole part determines what is even.
        let isOdd = scale == 1 ? wholeIsOdd : below.truncatingRemainder(dividingBy: 2) == 1
        return isOdd ? below + 1 : below
    }
}

/// Exact up to 10^22.
private let powersOfTen: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
]
