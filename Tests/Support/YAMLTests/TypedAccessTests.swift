import Testing
import YAML

@Suite struct `YAML values` {
    func scalar(_ text: String) throws -> YAMLNode { try YAMLReader.document("- \(text)").sequence[0] }

    @Test(arguments: [
        ("1", 1), ("-2.5", -2.5), ("+3", 3), ("1e3", 1000), ("1.5E-2", 0.015), ("2.", 2), (".5", 0.5), ("0", 0),
        ("-0.0", 0), ("0x10", 16), ("9007199254740993.0", 9_007_199_254_740_992), (".inf", .infinity),
        ("-inf", -.infinity),
    ])
    func `numbers are read`(text: String, expected: Double) throws {
        #expect(try scalar(text).double == expected)
    }

    @Test(arguments: [
        "010", "abc", "1,5", "1 m", "''", "'1'", "0x1p3", "infinity", "1_000", "1:30", "1e999", "~", "--1", "+",
    ])
    func `what is no number is not taken for one`(text: String) throws {
        #expect(throws: YAMLError.self) { try scalar(text).double }
    }

    @Test func `a number that is not finite is an error`() throws {
        #expect(try scalar("nan").double.isNaN)
        #expect(try scalar(".NaN").double.isNaN)
        let error = #expect(throws: YAMLError.self) { try scalar(".nan").finiteDouble }
        #expect(error?.description == "line 1, column 3: found '.nan', expected a finite number")
    }

    @Test(arguments: [("7", 7), ("-7", -7), ("0x1F", 31), ("0o17", 15), ("0b101", 5)])
    func `whole numbers are read`(text: String, expected: Int) throws {
        #expect(try scalar(text).int == expected)
    }

    @Test(arguments: ["1.0", "0x", "0x-1", "08", "99999999999999999999", "true"])
    func `what is no whole number is not taken for one`(text: String) throws {
        #expect(throws: YAMLError.self) { try scalar(text).int }
    }

    @Test(arguments: [("true", true), ("True", true), ("on", true), ("no", false), ("False", false), ("OFF", false)])
    func `truth is read as Python writes it`(text: String, expected: Bool) throws {
        #expect(try scalar(text).bool == expected)
    }

    @Test(arguments: ["1", "tRUE", "'true'", "~"])
    func `what is not truth is refused`(text: String) throws {
        #expect(throws: YAMLError.self) { try scalar(text).bool }
    }

    @Test func `nothing is not text, but empty text is`() throws {
        #expect(throws: YAMLError.self) { try YAMLReader.document("password:\n").value("password").string }
        #expect(try YAMLReader.document("message: ''\n").value("message").string == "")
    }

    @Test func `errors say where, what was found and what was expected`() throws {
        let root = try YAMLReader.document("vehicles:\n  uav1:\n    port: many\n    links: [ssh]\n")
        let port = #expect(throws: YAMLError.self) { try root.value("vehicles", "uav1", "port").int }
        #expect(port?.description == "line 3, column 11: found 'many', expected a whole number")
        let list = #expect(throws: YAMLError.self) { try root.value("vehicles", "uav1", "links").string }
        #expect(list?.description == "line 4, column 12: found a list of 1, expected text")
        let missing = #expect(throws: YAMLError.self) { try root.value("vehicles", "uav2", "port") }
        #expect(missing?.description == "line 2, column 3: the key 'vehicles.uav2' is missing")
    }

    @Test func `an unknown key is named, with the likely one`() throws {
        let root = try YAMLReader.document("host: a\nusre: b\n")
        let error = #expect(throws: YAMLError.self) { try root.requireKeys(in: ["host", "user"]) }
        #expect(error?.description == "line 2, column 1: unknown key 'usre'; did you mean 'user'?")
        let other = #expect(throws: YAMLError.self) { try root.requireKeys(in: ["host", "link"]) }
        #expect(other?.description == "line 2, column 1: unknown key 'usre'; known keys: host, link")
        try root.requireKeys(in: ["host", "usre"])
    }

    @Test func `control characters in a value do not reach the message`() throws {
        let root = try YAMLReader.document("a: \"\\e[31mred\\nline\"")
        let error = #expect(throws: YAMLError.self) { try root.value("a").int }
        #expect(error?.description == "line 1, column 4: found '\\u{1b}[31mred\\u{a}line', expected a whole number")
    }
}

@Suite struct `YAML writing` {
    @Test func `a service request is written on one line`() {
        let request = YAMLText.record([
            .init("goal", .list([.number(1), .number(-2.5), .number(3), .number(0)])), .init("on", .bool(true)),
        ])
        #expect(request.flow == #"{goal: [1.0, -2.5, 3.0, 0.0], "on": true}"#)
    }

    @Test(arguments: [
        "", "true", "a: b", "\"'\\", "#x", "\u{1}\u{7f}\n\r\t", "š🚁\u{2028}", "- x", "$(reboot)`id`", " ",
    ])
    func `any text comes back as it was`(text: String) throws {
        let flow = YAMLText.list([.text(text)]).flow
        #expect(flow.utf8.allSatisfy { (0x20...0x7E).contains($0) })
        #expect(try YAMLReader.document(flow).sequence[0].string == text)
        let keyed = YAMLText.record([.init(text, .integer(1))]).flow
        #expect(try YAMLReader.document(keyed).mapping.keys == [text])
    }

    @Test(arguments: [990, 998, 999, 1000, 1030, 5000])
    func `a key may be longer than readers look ahead for its colon`(length: Int) throws {
        // Found by fuzzing: libyaml takes nothing for a key that is longer than 1024 characters.
        let key = String(repeating: "\u{1}", count: length / 4) + String(repeating: "k ", count: length % 4)
        let flow = YAMLText.record([.init(key, .integer(1)), .init("b", .integer(2))]).flow
        #expect(try YAMLReader.document(flow).mapping.keys == [key, "b"])
    }

    @Test(arguments: [0, -0.0, 1, 0.1, 1e20, 1e-7, -1.5e300, .pi, .greatestFiniteMagnitude, .leastNonzeroMagnitude])
    func `any number comes back as it was, and has a point that Python insists on`(number: Double) throws {
        let flow = YAMLText.number(number).flow
        #expect(flow.contains("."))
        #expect(try YAMLReader.document(flow).double.bitPattern == number.bitPattern)
    }

    @Test func `numbers that are not finite are written as YAML has them`() throws {
        #expect(YAMLText.list([.number(.nan), .number(.infinity), .number(-.infinity)]).flow == "[.nan, .inf, -.inf]")
    }
}
