/// Reads XML-RPC documents, strictly: what is not XML-RPC is an error that names the byte.
public enum XMLRPCDecoder {
    /// Arrays and structs within each other; a parameter tree is as deep as its names are long, in practice below 10.
    public static let maximumNesting = 48

    /// Reads a `methodCall`.
    ///
    /// - Throws: ``ROSError`` with ``ROSError/Code/protocolViolation``.
    public static func call(_ bytes: [UInt8]) throws(ROSError) -> XMLRPCCall {
        try decode(bytes) { source throws(XMLPullParser.Failure) in
            try source.expectStart("methodCall")
            let method = try source.text(of: "methodName")
            var parameters: [XMLRPCValue] = []
            if try source.takeStart("params") {
                while try source.takeStart("param") {
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

    /// Reads a `methodResponse`.
    ///
    /// - Throws: ``ROSError`` with ``ROSError/Code/protocolViolation``.
    public static func response(_ bytes: [UInt8]) throws(ROSError) -> XMLRPCResponse {
        try decode(bytes) { source throws(XMLPullParser.Failure) in
            try source.expectStart("methodResponse")
            let response: XMLRPCResponse
            if try source.takeStart("fault") {
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
    ) throws(ROSError) -> Result {
        do {
            var source = try Source(parser: XMLPullParser(bytes))
            return try body(&source)
        } catch {
            throw ROSError(.protocolViolation, "not an XML-RPC document: \(error)")
        }
    }
}

/// Events with one of lookahead, and the grammar of values on top.
private struct Source {
    private var parser: XMLPullParser
    private var ahead: XMLPullParser.Event

    init(parser: consuming XMLPullParser) throws(XMLPullParser.Failure) {
        self.parser = parser
        ahead = try self.parser.next()
        try skipSpace()
    }

    private mutating func advance() throws(XMLPullParser.Failure) { ahead = try parser.next() }

    /// Space between elements means nothing; anything else between them is left for the caller to stumble on.
    private mutating func skipSpace() throws(XMLPullParser.Failure) {
        while case .text(let text) = ahead, text.utf8.allSatisfy({ [0x20, 0x09, 0x0A, 0x0D].contains($0) }) {
            try advance()
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
        return XMLPullParser.Failure(what: "\(found) where \(wanted) should be", offset: parser.position)
    }

    mutating func takeStart(_ name: String) throws(XMLPullParser.Failure) -> Bool {
        try skipSpace()
        guard ahead == .start(name) else { return false }
        try advance()
        return true
    }

    mutating func expectStart(_ name: String) throws(XMLPullParser.Failure) {
        guard try takeStart(name) else { throw unexpected("<\(name)>") }
    }

    mutating func expectEnd(_ name: String) throws(XMLPullParser.Failure) {
        try skipSpace()
        guard ahead == .end(name) else { throw unexpected("</\(name)>") }
        try advance()
    }

    mutating func expectFinish() throws(XMLPullParser.Failure) {
        guard ahead == .finished else { throw unexpected("the end") }
    }

    mutating func text(of name: String) throws(XMLPullParser.Failure) -> String {
        try expectStart(name)
        let text = try leaf()
        guard ahead == .end(name) else { throw unexpected("</\(name)>") }
        try advance()
        return text
    }

    private mutating func leaf() throws(XMLPullParser.Failure) -> String {
        var text = ""
        while case .text(let part) = ahead {
            text += part
            try advance()
        }
        return text
    }

    mutating func value(nesting: Int) throws(XMLPullParser.Failure) -> XMLRPCValue {
        guard nesting <= XMLRPCDecoder.maximumNesting else {
            throw XMLPullParser.Failure(
                what: "values nested deeper than \(XMLRPCDecoder.maximumNesting)", offset: parser.position)
        }
        try expectStart("value")
        let bare = try leaf()
        guard case .start(let type) = ahead else {
            // Text without a type is a string.
            guard ahead == .end("value") else { throw unexpected("</value>") }
            try advance()
            return .string(bare)
        }
        guard bare.utf8.allSatisfy({ [0x20, 0x09, 0x0A, 0x0D].contains($0) }) else { throw unexpected("</value>") }
        try advance()
        let value = try typed(type, nesting: nesting)
        try expectEnd(type)
        try expectEnd("value")
        return value
    }

    private mutating func typed(_ type: String, nesting: Int) throws(XMLPullParser.Failure) -> XMLRPCValue {
        switch type {
        case "string": return .string(try leaf())
        case "int", "i4", "i8":
            let text = try trimmedLeaf()
            guard let number = Int(text) else { throw invalid(type, text) }
            return .int(number)
        case "boolean":
            let text = try trimmedLeaf()
            guard text == "0" || text == "1" else { throw invalid(type, text) }
            return .bool(text == "1")
        case "double":
            let text = try trimmedLeaf()
            guard let number = Double(text) else { throw invalid(type, text) }
            return .double(number)
        case "dateTime.iso8601": return .dateTime(try trimmedLeaf())
        case "base64":
            let text = try leaf()
            guard let bytes = Base64.decode(text) else { throw invalid(type, String(text.prefix(20))) }
            return .binary(bytes)
        case "array":
            var elements: [XMLRPCValue] = []
            try expectStart("data")
            try skipSpace()
            while ahead == .start("value") {
                elements.append(try value(nesting: nesting + 1))
                try skipSpace()
            }
            try expectEnd("data")
            return .array(elements)
        case "struct":
            var members: [String: XMLRPCValue] = [:]
            while try takeStart("member") {
                let name = try text(of: "name")
                members[name] = try value(nesting: nesting + 1)
                try expectEnd("member")
            }
            return .structure(members)
        default:
            throw XMLPullParser.Failure(what: "a value of unknown type '\(type)'", offset: parser.position)
        }
    }

    private mutating func trimmedLeaf() throws(XMLPullParser.Failure) -> String {
        let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\n" || $0 == "\t" || $0 == "\r\n" || $0 == "\r" }
        let text = try leaf()
        return String(text.drop(while: isSpace).reversed().drop(while: isSpace).reversed())
    }

    private func invalid(_ type: String, _ text: String) -> XMLPullParser.Failure {
        XMLPullParser.Failure(what: "'\(text.prefix(40))' is not a value of type \(type)", offset: parser.position)
    }
}
