import ReportKit
import Testing

@Suite struct `JSON writing` {
    @Test func `keys keep their order`() {
        let value: JSONValue = ["ok": true, "links": [["link": "ssh", "hz": 1.5, "n": 3]], "none": nil]
        #expect(value.text == #"{"ok": true, "links": [{"link": "ssh", "hz": 1.5, "n": 3}], "none": null}"#)
    }

    @Test func `text is escaped, so that a terminal and a line reader are safe`() {
        #expect(
            JSONValue.string("a\"b\\c\n\r\t\u{0}\u{1b}[2J\u{7f}\u{9b}\u{2028}é🚁").text
                == #""a\"b\\c\n\r\t\u0000\u001b[2J\u007f\u009b\u2028é🚁""#)
    }

    @Test(arguments: [
        (0.0, "0"), (-0.0, "-0"), (1, "1"), (0.1, "0.1"), (1e20, "1e+20"), (1e-7, "1e-07"), (-2.5, "-2.5"),
        (.nan, "null"), (.infinity, "null"), (-.infinity, "null"), (1e15, "1000000000000000"),
    ])
    func `numbers are short, and null when not finite`(number: Double, expected: String) {
        #expect(JSONValue.number(number).text == expected)
    }

    @Test func `absent values are null`() {
        #expect(JSONValue(nil as Double?).text == "null")
        #expect(JSONValue(nil as Int?).text == "null")
        #expect(JSONValue(nil as String?).text == "null")
        #expect(JSONValue(nil as Bool?).text == "null")
        #expect(JSONValue(UInt64.max).text == "18446744073709551615")
        #expect(JSONValue(7 as Int?).text == "7")
        #expect(JSONValue.raw("{}").text == "{}")
    }
}

@Suite struct `Numbers of things` {
    @Test(arguments: [(0, "0 points"), (1, "1 point"), (2, "2 points"), (-1, "-1 points")])
    func `one of them is in the singular`(number: Int, expected: String) {
        #expect(number.counted("point") == expected)
    }
}

@Suite struct `Fixed decimals` {
    @Test(arguments: [
        (3.14159, 2, "3.14"), (-3.14159, 3, "-3.142"), (0, 2, "0.00"), (-0.0, 1, "0.0"), (-0.001, 2, "0.00"),
        (0.999, 2, "1.00"), (9.995, 2, "9.99"), (1.005, 2, "1.00"), (1.115, 2, "1.11"), (0.125, 2, "0.12"),
        (0.375, 2, "0.38"), (0.5, 0, "0"), (1.5, 0, "2"), (2.5, 0, "2"), (-1.5, 0, "-2"), (1234567.891, 1, "1234567.9"),
        (0.05, 2, "0.05"), (1e15, 2, "1000000000000000.00"), (1e20, 2, "1e+20"), (1e-20, 3, "0.000"),
        (.nan, 2, "nan"), (.infinity, 2, "inf"), (-.infinity, 2, "-inf"), (1.25, -3, "1"),
        (0.1, 99, "0.100000000000000"),
        (47.397743, 6, "47.397743"),
    ])
    func `numbers are rounded as printf does`(number: Double, decimals: Int, expected: String) {
        #expect(number.formatted(decimals: decimals) == expected)
    }
}

@Suite struct `Whole numbers` {
    private static let most = 9_007_199_254_740_992

    @Test(arguments: [
        (0.0, 0), (1.9, 1), (-1.9, -1), (.nan, 0), (.infinity, most), (-.infinity, -most), (1e308, most),
        (-1e308, -most), (9.3e18, most), (0x1p53, most), (0x1p53 - 1, most - 1), (.leastNonzeroMagnitude, 0),
    ])
    func `a value from outside becomes a whole number whatever it is`(value: Double, expected: Int) {
        #expect(Int(saturating: value) == expected)
        // There is room left for what drawing adds to it.
        #expect(abs(Int(saturating: value) * 100) <= 100 * Self.most)
    }

    @Test func `a smaller type ends at its own bounds`() {
        #expect(UInt8(saturating: 1e308) == 255 && UInt8(saturating: -1.0) == 0)
        #expect(Int32(saturating: -Float.infinity) == .min && UInt32(saturating: Float.nan) == 0)
    }
}

@Suite struct `Text tables` {
    @Test func `columns are as wide as their widest cell`() {
        var table = TextTable([.init("link"), .init("ms", .right)])
        table.add("ssh", "1042.1")
        table.add("udp", "0.4", "not shown")
        table.add("a\nb")
        #expect(table.text == "link      ms\n----  ------\nssh   1042.1\nudp      0.4\na b\n")
    }
}

@Suite struct `Numbers as typed` {
    @Test(arguments: [("5", 5.0), ("-1.5", -1.5), ("+2e3", 2000.0), ("007", 7.0)])
    func `decimal ones are read`(text: String, expected: Double) { #expect(Double(decimal: text) == expected) }

    @Test(arguments: ["", " 1", "0x10", "0x1p3", "nan", "inf", "infinity", "-infinity", "1e999", "1,5", "1_000", "e"])
    func `nothing else is a number`(text: String) { #expect(Double(decimal: text) == nil) }
}
