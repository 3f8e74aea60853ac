/// Parses decimal numbers from bytes, without a `String` per number.
enum NumberText {
    /// Powers of ten that double precision holds exactly.
    private static let powers: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22,
    ]

    /// Parses all of the bytes as a number, correctly rounded; `nil` if they are not one. "nan" and "inf" are accepted.
    ///
    /// A mantissa below 2^53 with a power of ten up to 22 needs one exact multiplication or division (Clinger 1990, "How
    /// to read floating point numbers accurately"); other numbers are left to the standard library.
    @inline(__always)
    static func number(_ bytes: UnsafeRawBufferPointer, _ start: Int, _ end: Int) -> Double? {
        var place = start
        guard place < end else { return nil }
        let isNegative = bytes[place] == 0x2D
        if isNegative || bytes[place] == 0x2B { place += 1 }
        var mantissa: UInt64 = 0
        var digits = 0
        var exponent = 0
        while place < end, case let digit = bytes[place] &- 0x30, digit < 10 {
            mantissa = mantissa &* 10 &+ UInt64(digit)
            digits += 1
            place += 1
        }
        if place < end, bytes[place] == 0x2E {
            place += 1
            let first = place
            while place < end, case let digit = bytes[place] &- 0x30, digit < 10 {
                mantissa = mantissa &* 10 &+ UInt64(digit)
                place += 1
            }
            exponent = first - place
            digits += place - first
        }
        guard digits > 0 else { return slowly(bytes, start, end) }
        if place < end {
            guard bytes[place] | 0x20 == 0x65, let written = Self.exponent(bytes, place + 1, end) else { return nil }
            exponent += written
        }
        guard digits <= 19, mantissa < 1 << 53, abs(exponent) <= 22 else { return slowly(bytes, start, end) }
        let size = exponent < 0 ? Double(mantissa) / powers[-exponent] : Double(mantissa) * powers[exponent]
        return isNegative ? -size : size
    }

    /// Parses all of the bytes as an integer; `nil` if they are not one or it is too large.
    static func integer(_ text: some Collection<UInt8>) -> Int? { Int(String(decoding: text, as: UTF8.self)) }

    private static func exponent(_ bytes: UnsafeRawBufferPointer, _ start: Int, _ end: Int) -> Int? {
        var place = start
        guard place < end else { return nil }
        let isNegative = bytes[place] == 0x2D
        if isNegative || bytes[place] == 0x2B { place += 1 }
        guard place < end, end - place <= 6 else { return nil }
        var value = 0
        while place < end {
            let digit = bytes[place] &- 0x30
            guard digit < 10 else { return nil }
            value = value * 10 + Int(digit)
            place += 1
        }
        return isNegative ? -value : value
    }

    /// Long mantissas, large exponents, "nan" and "inf"; C's hexadecimal numbers are rejected.
    @inline(never)
    private static func slowly(_ bytes: UnsafeRawBufferPointer, _ start: Int, _ end: Int) -> Double? {
        guard end - start <= 1024 else { return nil }
        let text = String(decoding: bytes[start..<end], as: UTF8.self).lowercased()
        guard !text.contains("x"), !text.contains("(") else { return nil }
        return Double(text)
    }
}
