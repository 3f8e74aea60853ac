@testable import Zenoh

/// Bytes written as hexadecimal digits, with spaces anywhere; a text between apostrophes stands for its characters.
func wire(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    for (index, part) in text.split(separator: "'", omittingEmptySubsequences: false).enumerated() {
        guard index % 2 == 0 else {
            bytes += part.utf8
            continue
        }
        let digits = part.filter { $0 != " " }.compactMap(\.hexDigitValue)
        for place in stride(from: 0, to: digits.count - 1, by: 2) {
            bytes.append(UInt8(digits[place] * 16 + digits[place + 1]))
        }
    }
    return bytes
}

/// A batch of those bytes.
func batch(_ text: String) -> [UInt8] {
    let bytes = wire(text)
    return [UInt8(bytes.count & 0xFF), UInt8(bytes.count >> 8)] + bytes
}

/// The identity of those bytes.
func identity(_ bytes: [UInt8]) -> ZenohID {
    var generator = SystemRandomNumberGenerator()
    return ZenohID(bytes) ?? ZenohID(using: &generator)
}
