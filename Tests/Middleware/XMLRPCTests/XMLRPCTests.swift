import Testing
import XML

@testable import XMLRPC

@Suite struct XMLRPCTests {
    private static let everything = XMLRPCValue.array([
        .int(0), .int(-2_147_483_648), .int(1 << 40), .bool(true), .bool(false), .double(-1.5e300), .string(""),
        .string(" <a>&amp;\"'\r\n\t\u{1F681} "), .dateTime("20260101T00:00:00"), .binary([]), .binary([1]),
        .binary([1, 2]),
        .binary(Array(0...255)), .array([]), .structure([:]),
        .structure(["a": .array([.structure(["b": .int(1)])]), "<&>": .string("]]>")]),
    ])

    @Test func `what is written is read again`() throws {
        let call = XMLRPCCall("setParam", [Self.everything, .string("/x")])
        #expect(try XMLRPCDecoder.call(XMLRPCEncoder.encode(call)) == call)
        let response = XMLRPCResponse.value(Self.everything)
        #expect(try XMLRPCDecoder.response(XMLRPCEncoder.encode(response)) == response)
        let fault = XMLRPCResponse.fault(code: -1, text: "no <such> method")
        #expect(try XMLRPCDecoder.response(XMLRPCEncoder.encode(fault)) == fault)
    }

    @Test func `what XML cannot say becomes a replacement character`() throws {
        let call = XMLRPCCall("m", [.string("a\u{0}b\u{1B}c\u{FFFE}")])
        #expect(
            try XMLRPCDecoder.call(XMLRPCEncoder.encode(call)).parameters == [.string("a\u{FFFD}b\u{FFFD}c\u{FFFD}")])
    }

    /// As Python's, roscpp's and other libraries write it.
    @Test(arguments: [
        ("<value>bare text</value>", XMLRPCValue.string("bare text")),
        ("<value></value>", .string("")), ("<value/>", .string("")), ("<value><string/></value>", .string("")),
        ("<value> <i4> 7 </i4>\n</value>", .int(7)), ("<value><i8>1099511627776</i8></value>", .int(1 << 40)),
        ("<value><nil/></value>", nil), ("<value><int>1</int>x</value>", nil), ("<value><int></int></value>", nil),
        ("<value><boolean>2</boolean></value>", nil), ("<value><double>x</double></value>", nil),
        ("<value><base64>A</base64></value>", nil), ("<value><base64>QUI=\n</base64></value>", .binary([0x41, 0x42])),
        ("<value><array><data><value>a</value></data></array></value>", .array([.string("a")])),
        ("<value><array><value>a</value></array></value>", nil),
        ("<value><string>&#65;&#x42;<![CDATA[<c>]]><!-- no -->d</string></value>", .string("AB<c>d")),
        ("<value><string>&unknown;</string></value>", nil), ("<value><string>&#0;</string></value>", nil),
        ("<value><string>&#xD800;</string></value>", nil), ("<value><string>a & b</string></value>", nil),
        ("<value><string>a\u{1}</string></value>", nil), ("<value><int>1</i4></value>", nil),
        ("<value a='1' b=\"2\">x</value>", .string("x")), ("<value a=1>x</value>", nil), ("<value", nil),
    ])
    func `values in others' spelling`(text: String, value: XMLRPCValue?) {
        let document =
            "<?xml version='1.0'?>\n<methodResponse><params><param>\(text)</param></params></methodResponse>\n"
        let read = try? XMLRPCDecoder.response(Array(document.utf8))
        #expect(read == value.map { .value($0) })
    }

    @Test(arguments: [
        "<!DOCTYPE x [<!ENTITY a 'aaaa'>]><methodCall><methodName>&a;</methodName></methodCall>",
        "<methodCall><methodName>a</methodName></methodCall><methodCall/>", "", "   ", "text", "<methodCall>",
        "<methodResponse/>", "<methodCall><methodName>a</methodName></methodCall>rest",
    ])
    func `documents that are refused`(text: String) {
        let error = #expect(throws: XMLRPCError.self) { try XMLRPCDecoder.call(Array(text.utf8)) }
        #expect(error?.code == .protocolViolation)
    }

    @Test func `a call without parameters may leave them out`() throws {
        let call = try XMLRPCDecoder.call(Array("<methodCall><methodName>getPid</methodName></methodCall>".utf8))
        #expect(call == XMLRPCCall("getPid"))
    }

    @Test func `nesting is bounded`() {
        func nested(_ depth: Int) -> XMLRPCResponse {
            var value = XMLRPCValue.int(1)
            for _ in 0..<depth { value = .array([value]) }
            return .value(value)
        }
        let most = nested(XMLRPCDecoder.maximumNesting)
        #expect((try? XMLRPCDecoder.response(XMLRPCEncoder.encode(most))) == most)
        #expect(throws: XMLRPCError.self) {
            try XMLRPCDecoder.response(XMLRPCEncoder.encode(nested(XMLRPCDecoder.maximumNesting + 1)))
        }
        let deep = String(repeating: "<a>", count: 100_000)
        #expect(throws: XMLRPCError.self) { try XMLRPCDecoder.response(Array(deep.utf8)) }
    }

    @Test func `size is bounded`() {
        let spaces = [UInt8](repeating: 0x20, count: XMLPullParser.bounds.bytes - 4)
        #expect(throws: Never.self) { try XMLPullParser(Array("<a/>".utf8) + spaces) }
        #expect(throws: XMLPullParser.Failure.self) { try XMLPullParser(Array("<a />".utf8) + spaces) }
    }

    @Test func `every cut of a document is refused and none traps`() {
        let whole = XMLRPCEncoder.encode(XMLRPCCall("setParam", [Self.everything]))
        for count in 0..<whole.count {
            #expect(throws: XMLRPCError.self) { try XMLRPCDecoder.call(Array(whole[..<count])) }
        }
    }
}
