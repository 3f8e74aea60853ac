/// Numbers in YAML syntax.
enum Number {
    static func double(_ text: String) -> Double? {
        switch text {
        case ".nan", ".NaN", ".NAN", "nan": return .nan
        case ".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF", "inf": return .infinity
        case "-.inf", "-.Inf", "-.INF", "-inf": return -.infinity
        default: break
        }
        if let whole = int(text) { return Double(whole) }
        // Swift's own parser also accepts "0x1p3" and "infinity", which no YAML parser does.
        guard !hasLeadingZero(text), text.utf8.count <= 400,
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) || [0x2B, 0x2D, 0x2E, 0x45, 0x65].contains($0) }),
            let value = Double(text.hasSuffix(".") ? text + "0" : text), value.isFinite
        else { return nil }
        return value
    }

    static func int(_ text: String) -> Int? {
        guard !hasLeadingZero(text) else { return nil }
        for (prefix, radix) in [("0x", 16), ("0o", 8), ("0b", 2)] where text.hasPrefix(prefix) {
            let digits = text.dropFirst(2)
            return digits.first?.isHexDigit == true ? Int(digits, radix: radix) : nil
        }
        return Int(text)
    }

    /// `010` is eight in YAML 1.1 and ten to a user, so it is not accepted as a number.
    private static func hasLeadingZero(_ text: String) -> Bool {
        let digits = text.drop { $0 == "+" || $0 == "-" }
        return digits.count > 1 && digits.first == "0" && digits.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }
}
