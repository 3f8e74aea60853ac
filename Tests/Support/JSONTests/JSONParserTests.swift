import JSON
import Testing

@Suite struct JSONParserTests {
    private static let limits = JSONLimits(bytes: 200, depth: 4, values: 12, longestList: 5)

    private func parse(_ text: String, _ limits: JSONLimits = limits) throws -> JSONNode {
        try JSONParser.parse(Array(text.utf8), limits: limits)
    }

    private func refusal(_ text: String, _ limits: JSONLimits = limits) -> JSONSyntaxError? {
        do throws(JSONSyntaxError) {
            _ = try JSONParser.parse(Array(text.utf8), limits: limits)
            return nil
        } catch { return error }
    }

    @Test func `each kind of value is read, and found by its key`() throws {
        let root = try parse(#" {"a": -1.5e1, "b": true, "c": null, "d": ["x"], "a": 2, "e": {}} "#)
        #expect(root["a"]?.number == 2, "the last one of a key that is repeated")
        #expect(root["b"]?.bool == true && root["c"]?.isNull == true)
        #expect(root["missing"] == nil && root["a"]?["b"] == nil && root["a"]?.string == nil)
        guard case .array(let elements)? = root["d"]?.content else {
            Issue.record("no list")
            return
        }
        #expect(elements.map(\.string) == ["x"] && elements[0].offset == root["d"].map { $0.offset + 1 })
    }

    @Test func `text has its escapes, pairs of surrogates too, and half a pair is replaced`() throws {
        #expect(try parse(#""\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00""#).string == "\"\\/\u{8}\u{C}\n\r\t\u{E9}\u{1F600}")
        #expect(try parse(#""\ud83dx""#).string == "\u{FFFD}x")
        #expect(try parse("\u{FEFF}\"\u{E9}\"").string == "\u{E9}", "a byte order mark is skipped")
    }

    @Test(arguments: [
        ("", "the text ends, expected a value"), ("{", "the text ends, expected a key in quotes"),
        ("[1", "the text ends, expected ',' or ']'"), ("\"a", "the text ends within quotes"),
        ("NaN", "found 'NaN', expected a value"), ("+1", "found '+1', expected a value"),
        ("1e999", "found '1e999', expected a value"), ("--1", "found '--1', expected a value"),
        ("{} x", "found 'x', expected the end of the text"), ("{a: 1}", "found 'a: 1}', expected a key in quotes"),
        (#"{"a" 1}"#, "found '1}', expected ':'"), ("[1 2]", "found '2]', expected ',' or ']'"),
        (#""\x""#, "found 'x\"', expected an escape of JSON"), (#""\u12g4""#, "expected four hexadecimal digits"),
        ("\"\u{1}\"", "the byte 1, expected no control character within quotes"), (#""\"#, "the rest of an escape"),
        ("tru", "found 'tru', expected a value"),
    ])
    func `what is no JSON is refused, with what was found`(_ text: String, _ reason: String) throws {
        let error = try #require(refusal(text))
        #expect(error.what.contains(reason), "\(error)")
        #expect((0...text.utf8.count).contains(error.offset))
    }

    @Test func `bounds hold at their values, and one beyond`() {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        #expect(refusal(nested(4)) == nil && refusal(nested(5))?.what.contains("nested") == true)
        #expect(refusal("[1,2,3,4,5]") == nil && refusal("[1,2,3,4,5,6]")?.what.contains("at most 5") == true)
        let eleven = "[[1,2,3,4,5],[1,2,3]"
        #expect(refusal(eleven + ",7]") == nil && refusal(eleven + ",7,8]")?.what.contains("more than 12") == true)
        let long = String(repeating: "x", count: 198)
        #expect(refusal("\"\(long)\"") == nil && refusal("\"\(long)x\"")?.what.contains("at most 200") == true)
        #expect(refusal(String(repeating: "1", count: 64)) == nil)
        #expect(refusal(String(repeating: "1", count: 65)) != nil)
    }

    @Test func `any byte in any place is refused or read, and nothing traps`() throws {
        let text = Array(#"{"a":[1,"\u00e9\n"],"b":{"c":null}}"#.utf8)
        var read = 0
        for place in text.indices {
            for byte in [UInt8(0), 0x22, 0x2C, 0x5B, 0x5C, 0x7B, 0x7D, 0x80, 0xFF] {
                var changed = text
                changed[place] = byte
                if (try? JSONParser.parse(changed, limits: Self.limits)) != nil { read += 1 }
            }
            #expect((try? JSONParser.parse(Array(text[..<place]), limits: Self.limits)) == nil)
        }
        #expect(read > 0 && read < text.count * 9)
    }
}
