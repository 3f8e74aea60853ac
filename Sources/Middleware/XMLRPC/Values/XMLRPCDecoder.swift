internal import ReportKit

/// A strict decoder of XML-RPC documents; its errors name the byte offset.
public enum XMLRPCDecoder {
    /// The deepest nesting of arrays and structs; documents in use have below 10.
    public static let maximumNesting = 48

    /// Decodes a `methodCall`.
    ///
    /// - Throws: ``XMLRPCError`` with ``XMLRPCError/Code/protocolViolation``.
    public static func call(_ bytes: [UInt8]) throws(XMLRPCError) -> XMLRPCCall {
        try decode(bytes) { source throws(XMLPullParser.Failure) in
            try source.expectStart("methodCall")
            let method = try source.text(of: "methodName")
            var parameters: [XMLRPCValue] = []
            if source.takeStart("params") {
                while source.takeStart("param") {
                    parameters.append(try source.value(nesting: 0))
                    try source.expectEnd("param")
                }
                try source.expectEnd("params")
            }
            try source.expectEnd("methodCall")
            try source.expectFinish()
            return XMLRPCCall(method, parameters)
        }
    }

    /// Decodes a `methodResponse`.
    ///
    /// - Throws: ``XMLRPCError`` with ``XMLRPCError/Code/protocolViolation``.
    public static func response(_ bytes: [UInt8]) throws(XMLRPCError) -> XMLRPCResponse {
        try decode(bytes) { source throws(XMLPullParser.Failure) in
            try source.expectStart("methodResponse")
            let response: XMLRPCResponse
            if source.takeStart("fault") {
                let members = try source.value(nesting: 0).structureValue ?? [:]
                response = .fault(
                    code: members["faultCode"]?.intValue ?? 0, text: members["faultString"]?.stringValue ?? "")
                try source.expectEnd("fault")
            } else {
                try source.expectStart("params")
                try source.expectStart("param")
                response = .value(try source.value(nesting: 0))
                try source.expectEnd("param")
                try source.expectEnd("params")
            }
            try source.expectEnd("methodResponse")
            try source.expectFinish()
            return response
        }
    }

    private static func decode<Result>(
        _ bytes: [UInt8], _ body: (inout Source) throws(XMLPullParser.Failure) -> Result
    ) throws(XMLRPCError) -> Result {
        do {
            var source = Source(parser: try XMLPullParser(bytes))
            return try body(&source)
        } catch {
            throw XMLRPCError(.protocolViolation, "not an XML-RPC document: \(error)")
        }
    }
}

/// Parser events with a lookahead of one, and the grammar of values on top.
private struct Source {
    private var parser: XMLPullParser
    private var ahead: XMLPullParser.Event

    init(parser: consuming XMLPullParser) {
        self.parser = parser
        ahead = self.parser.next()
        skipSpace()
    }

    private mutating func advance() { ahead = parser.next() }

    /// Skips white space between elements; any other text is left for the caller, which rejects it.
    private mutating func skipSpace() {
        while case .text(let text) = ahead, text.utf8.allSatisfy({ [0x20, 0x09, 0x0A, 0x0D].contains($0) }) {
            advance()
        }
    }

    private func unexpected(_ wanted: String) -> XMLPullParser.Failure {
        let found =
            switch ahead {
            case .start(let name): "<\(name)>"
            case .end(let name): "</\(name)>"
            case .text: "text"
            case .finished: "the end"
            }
        return XMLPullParser.Failure(what: "found \(found), expected \(wanted)", offset: parser.position)
    }

    mutating func takeStart(_ name: String) -> Bool {
        skipSpace()
        guard ahead == .start(name) else { return false }
        advance()
        return true
    }

    mutating func expectStart(_ name: String) throws(XMLPullParser.Failure) {
        guard takeStart(name) else { throw unexpected("<\(name)>") }
    }

    mutating func expectEnd(_ name: String) throws(XMLPullParser.Failure) {
        skipSpace()
        guard ahead == .end(name) else { throw unexpected("</\(name)>") }
        advance()
    }

    mutating func expectFinish() throws(XMLPullParser.Failure) {
        guard ahead == .finished else { throw unexpected("the end") }
    }

    mutating func text(of name: String) throws(XMLPullParser.Failure) -> String {
        try expectStart(name)
        let text = leaf()
        guard ahead == .end(name) else { throw unexpected("</\(name)>") }
        advance()
        return text
    }

    private mutating func leaf() -> String {
        var text = ""
        while case .text(let part) = ahead {
            text += part
            advance()
        }
        return text
    }

    mutating func value(nesting: Int) throws(XMLPullParser.Failure) -> XMLRPCValue {
        guard nesting <= XMLRPCDecoder.maximumNesting else {
            throw XMLPullParser.Failure(
                what: "values nested deeper than \(XMLRPCDecoder.maximumNesting)", offset: parser.position)
        }
        try expectStart("value")
        let bare = leaf()
        guard case .start(let type) = ahead else {
            // A value without a type element is a string.
            guard ahead == .end("value") else { throw unexpected("</value>") }
            advance()
            return .string(bare)
        }
        guard bare.utf8.allSatisfy({ [0x20, 0x09, 0x0A, 0x0D].contains($0) }) else { throw unexpected("</value>") }
        advance()
        let value = try typed(type, nesting: nesting)
        try expectEnd(type)
        try expectEnd("value")
        return value
    }

    private mutating func typed(_ type: String, nesting: Int) throws(XMLPullParser.Failure) -> XMLRPCValue {
        switch type {
        case "string": return .string(leaf())
        case "int", "i4", "i8":
            let text = trimmedLeaf()
            guard let number = Int(text) else { throw invalid(type, text) }
            return .int(number)
        case "boolean":
            let text = trimmedLeaf()
            guard text == "0" || text == "1" else { throw invalid(type, text) }
            return .bool(text == "1")
        case "double":
            let text = trimmedLeaf()
            guard let number = Double(text) else { throw invalid(type, text) }
            return .double(number)
        case "dateTime.iso8601": return .dateTime(trimmedLeaf())
        case "base64":
            let text = leaf()
            // White space may stand anywhere in it; the last group is padded.
            let digits = text.utf8.filter { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
            guard digits.count % 4 == 0, let bytes = Base64.decode(digits) else {
                throw invalid(type, String(text.prefix(20)))
            }
            return .binary(bytes)
        case "array":
            var elements: [XMLRPCValue] = []
            try expectStart("data")
            skipSpace()
            while ahead == .start("value") {
                elements.append(try value(nesting: nesting + 1))
                skipSpace()
            }
            try expectEnd("data")
            return .array(elements)
        case "struct":
            var members: [String: XMLRPCValue] = [:]
            while takeStart("member") {
                let name = try text(of: "name")
                members[name] = try value(nesting: nesting + 1)
                try expectEnd("member")
            }
            return .structure(members)
        default:
            throw XMLPullParser.Failure(what: "a value of unknown type '\(type)'", offset: parser.position)
        }
    }

    private mutating func trimmedLeaf() -> String {
        let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\n" || $0 == "\t" || $0 == "\r\n" || $0 == "\r" }
        let text = leaf()
        return String(text.drop(while: isSpace).reversed().drop(while: isSpace).reversed())
    }

    private func invalid(_ type: String, _ text: String) -> XMLPullParser.Failure {
        XMLPullParser.Failure(what: "'\(text.prefix(40))' is not a value of type \(type)", offset: parser.position)
    }
}
