import Testing
import XML

/// Writes down what it is called with.
private final class Recorder: XMLHandler {
    var parts: [String] = []
    var failsAt: String?

    struct Stop: Error {}

    func start(_ element: XMLElement, at position: XMLPosition) throws {
        parts.append("<\(element.name)" + element.attributes.map { " \($0.name)=\($0.value)" }.joined() + ">")
        if element.name == failsAt { throw Stop() }
    }

    func text(_ text: String, at position: XMLPosition) throws { parts.append(text) }
    func end(_ name: String, at position: XMLPosition) throws { parts.append("</\(name)>\(position.line)") }
}

@Suite struct XMLReaderTests {
    private static let bounds = XMLBounds(bytes: 1000, depth: 3, elements: 5, attributes: 2)

    private func parts(_ text: String, bounds: XMLBounds = bounds) throws -> [String] {
        let recorder = Recorder()
        try XMLReader.read(Array(text.utf8), bounds: bounds, handler: recorder)
        return recorder.parts
    }

    @Test func `elements, attributes and text come in order, text in one piece`() throws {
        let document = "<?xml version=\"1.0\"?>\n<k:a x='1' y:z='&lt;2'>one &amp; <![CDATA[<two>]]>\n<b/>three</k:a>\n"
        #expect(
            try parts(document) == ["<a x=1 z=<2>", "one & <two>\n", "<b>", "</b>3", "three", "</a>3"])
    }

    @Test func `a byte order mark and another encoding are understood`() throws {
        #expect(try parts("\u{FEFF}<a>é</a>") == ["<a>", "é", "</a>1"])
        let recorder = Recorder()
        let latin: [UInt8] = Array("<?xml version='1.0' encoding='ISO-8859-1'?><a>".utf8) + [0xE9] + Array("</a>".utf8)
        try XMLReader.read(latin, bounds: Self.bounds, handler: recorder)
        #expect(recorder.parts == ["<a>", "é", "</a>1"])
    }

    @Test(arguments: [
        "", " \n", "text", "<a>", "<a></b>", "<a/><b/>", "<a>&unknown;</a>", "<a x=1/>", "<a x='1' x='2'/>",
        "<a>\u{1}</a>",
        "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>", "<!DOCTYPE a SYSTEM 'file:///etc/passwd'><a>&b;</a>",
        "<!DOCTYPE a SYSTEM 'file:///etc/passwd'><a x='1&b;2'/>", "<!DOCTYPE a [<!ATTLIST a x CDATA 'y'>]><a/>",
        "<!DOCTYPE a [%b;]><a/>", "<!DOCTYPE a><a>&b;</a>", "<!DOCTYPE a [<!ENTITY b 'c'>]><a/>",
        "<!DOCTYPE a [<!ENTITY % b 'c'>]><a/>", "<!DOCTYPE a [<!ENTITY b SYSTEM 'file:///etc/passwd'>]><a/>",
        "<!DOCTYPE a [<!ENTITY % b SYSTEM 'file:///etc/passwd'>%b;]><a/>", "<!DOCTYPE a [<!ELEMENT a ANY>%b;]><a/>",
        "<!DOCTYPE a [%b;<!ENTITY c 'd'>]><a>&c;</a>", "<!DOCTYPE a [<!ENTITY lt '&#38;#60;'>]><a/>",
        "<!DOCTYPE a [<!NOTATION n SYSTEM 'x'><!ENTITY b SYSTEM 'c' NDATA n>]><a/>",
        "<!DOCTYPE a [<!ELEMENT a ANY>]><a>&b;</a>", "<!DOCTYPE a [<!ELEMENT a ANY>]><a x='&b;'/>",
        "<!DOCTYPE a [<!ATTLIST a x CDATA #FIXED 'y'>]><a/>",
    ])
    func `what is not well-formed, or declares entities or uses them, is an error`(_ document: String) {
        #expect(throws: XMLError.self) { try parts(document) }
    }

    @Test(arguments: [
        "<!DOCTYPE a>", "<!DOCTYPE a SYSTEM 'file:///etc/passwd'>",
        "<!DOCTYPE a PUBLIC '-//A//B' 'http://example.org/a.dtd'>", "<!DOCTYPE a [<!ELEMENT a ANY>]>",
        "<!DOCTYPE a SYSTEM 'a.dtd' [<!-- 5 % --><!ELEMENT a (#PCDATA)><!ATTLIST a x CDATA #IMPLIED>]>",
        "<!DOCTYPE a []>",
    ])
    func `a document type that declares no entity is accepted, and nothing is loaded`(type: String) throws {
        #expect(try parts(type + "<a x='&lt;&#65;'>&amp;</a>") == ["<a x=<A>", "&", "</a>1"])
    }

    @Test func `a document type with declarations in UTF-16 is refused, one without is not`() throws {
        func read(_ type: String) throws -> [String] {
            let recorder = Recorder()
            let words = "\u{FEFF}\(type)<a/>".utf16
            let bytes = words.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
            try XMLReader.read(bytes, bounds: Self.bounds, handler: recorder)
            return recorder.parts
        }
        #expect(try read("<!DOCTYPE a>") == ["<a>", "</a>1"])
        for entity in ["<!ENTITY b 'c'>", "%b;<!ENTITY c 'd'>", "<!ELEMENT a ANY>"] {
            #expect(throws: XMLError.self) { try read("<!DOCTYPE a [\(entity)]>") }
        }
    }

    @Test(
        arguments: [
            ("windows-1252", [0x80, 0xE9], "€é"), ("CP1252", [0x93, 0x94], "“”"), ("Windows-1250", [0xF8, 0x9E], "řž"),
        ] as [(String, [UInt8], String)])
    func `encodings of Windows are understood`(name: String, bytes: [UInt8], text: String) throws {
        let recorder = Recorder()
        let head = "<?xml version='1.0' encoding='\(name)'?><a>"
        try XMLReader.read(Array(head.utf8) + bytes + Array("</a>".utf8), bounds: Self.bounds, handler: recorder)
        #expect(recorder.parts == ["<a>", text, "</a>1"])
    }

    @Test func `other encodings, and bytes without a character, are errors`() {
        for (name, byte) in [("windows-1252", 0x81), ("ebcdic", 0x61)] as [(String, UInt8)] {
            let head = "<?xml version='1.0' encoding='\(name)'?><a>"
            #expect(throws: XMLError.self) {
                try XMLReader.read(
                    Array(head.utf8) + [byte] + Array("</a>".utf8), bounds: Self.bounds, handler: Recorder())
            }
        }
    }

    @Test func `text that is not valid is an error that names its byte`() {
        let recorder = Recorder()
        let error = #expect(throws: XMLError.self) {
            try XMLReader.read(Array("<a>".utf8) + [0xFF] + Array("</a>".utf8), bounds: Self.bounds, handler: recorder)
        }
        #expect(error?.position.offset == 3)
    }

    @Test func `each bound holds at its limit and not beyond`() throws {
        #expect(try parts("<a><b><c/></b></a>").count == 6)
        #expect(throws: XMLError.self) { try parts("<a><b><c><d/></c></b></a>") }
        #expect(try parts("<a><b/><b/><b/><b/></a>").count == 10)
        #expect(throws: XMLError.self) { try parts("<a><b/><b/><b/><b/><b/></a>") }
        #expect(try parts("<a x='' y=''/>").count == 2)
        #expect(throws: XMLError.self) { try parts("<a x='' y='' z=''/>") }
        let filled = "<a>" + String(repeating: "x", count: 993) + "</a>"
        #expect(try parts(filled).count == 3)
        #expect(throws: XMLError.self) { try parts(filled + " ") }
    }

    @Test func `an error of the handler ends the reading`() {
        let recorder = Recorder()
        recorder.failsAt = "b"
        #expect(throws: Recorder.Stop.self) {
            try XMLReader.read(Array("<a><b/><c/></a>".utf8), bounds: Self.bounds, handler: recorder)
        }
        #expect(recorder.parts == ["<a>", "<b>"])
    }
}
