/// Numbers as files write them: decimal digits, a point and an exponent, nothing else that Swift would take (`0x1p3`, `nan`).
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

    /// Whether a byte may stand in a number.
    static func isPart(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "e"), UInt8(ascii: "E"):
            true
        default: false
        }
    }

    /// The shortest text that reads back as the same number; without a fraction where it has none.
    static func text(_ value: Double) -> String {
        if value == value.rounded(), abs(value) < 1e15 { return String(Int64(value)) }
        return "\(value)"
    }
}
