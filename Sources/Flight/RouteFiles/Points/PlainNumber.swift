/// Numbers in files: decimal digits, a point and an exponent; other forms that Swift accepts (`0x1p3`, `nan`) are rejected.
enum PlainNumber {
    static func double(_ text: some StringProtocol) -> Double? {
        let bytes = text.utf8
        guard (1...64).contains(bytes.count), bytes.allSatisfy(isPart), let value = Double(String(text)), value.isFinite
        else { return nil }
        return value
    }

    static func double(_ bytes: some Collection<UInt8>) -> Double? {
        guard (1...64).contains(bytes.count), bytes.allSatisfy(isPart),
            let value = Double(String(decoding: bytes, as: UTF8.self)), value.isFinite
        else { return nil }
        return value
    }

    /// Whether a byte may be part of a number.
    static func isPart(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "e"), UInt8(ascii: "E"):
            true
        default: false
        }
    }

    /// The shortest text that reads back as the same number; without a fraction for whole numbers.
    static func text(_ value: Double) -> String {
        if abs(value) < 1e15, let whole = Int64(exactly: value) { return String(whole) }
        let text = "\(value)"
        guard let exponentMark = text.firstIndex(of: "e") else { return text }
        // Many readers of XML files do not accept exponents; only numbers below 1e-30 or from about 1e16 keep one.
        guard let exponent = Int(text[text.index(after: exponentMark)...]), (-30...(-1)).contains(exponent) else {
            return text
        }
        let digits = text[..<exponentMark].filter(\.isNumber)
        return (value < 0 ? "-" : "") + "0." + String(repeating: "0", count: -exponent - 1) + digits
    }
}
