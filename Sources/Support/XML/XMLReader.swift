internal import CExpat

/// Reads XML documents with expat, in one pass.
///
/// A document type may declare elements and attributes without values. One that declares an entity, or a value for an
/// attribute, is refused, since either can expand without end; nothing external is ever loaded. A document with a document
/// type that uses an entity of it is refused. Text that is not valid in the document's encoding is an error.
package final class XMLReader {
    private let parser: OpaquePointer
    private let bounds: XMLBounds
    private let handler: any XMLHandler
    private var text: [UInt8] = []
    private var depth = 0
    private var elements = 0
    private var failure: (any Error)?
    /// The whole document, while it is read.
    private var document: [UInt8] = []
    /// The byte at which the declarations of the document type begin; `nil` without any.
    private var declarations: Int?

    /// Reads a whole document.
    ///
    /// - Parameters:
    ///   - bytes: the document.
    ///   - bounds: what is accepted.
    ///   - handler: called for each part, in order.
    /// - Throws: ``XMLError``, or what the handler throws.
    package static func read(_ bytes: [UInt8], bounds: XMLBounds, handler: any XMLHandler) throws {
        guard bytes.count <= bounds.bytes else {
            throw XMLError("\(bytes.count) bytes of XML, at most \(bounds.bytes) are read", at: .start)
        }
        try XMLReader(bounds: bounds, handler: handler).read(bytes)
    }

    private init(bounds: XMLBounds, handler: any XMLHandler) throws {
        guard let parser = XML_ParserCreate(nil) else {
            throw XMLError("out of memory for reading XML", at: .start)
        }
        self.parser = parser
        self.bounds = bounds
        self.handler = handler
    }

    deinit { XML_ParserFree(parser) }

    private func read(_ bytes: [UInt8]) throws {
        XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
        XML_SetStartDoctypeDeclHandler(parser) { user, _, _, _, hasDeclarations in
            XMLReader.from(user)?.documentType(hasDeclarations: hasDeclarations != 0)
        }
        XML_SetEndDoctypeDeclHandler(parser) { user in XMLReader.from(user)?.documentTypeEnds() }
        XML_SetEntityDeclHandler(parser) { user, _, _, _, _, _, _, _, _ in
            XMLReader.from(user)?.refuse(XMLReader.entityDeclared)
        }
        XML_SetAttlistDeclHandler(parser) { user, _, _, _, value, _ in
            if value != nil { XMLReader.from(user)?.refuse(XMLReader.valueDeclared) }
        }
        XML_SetSkippedEntityHandler(parser) { user, _, _ in XMLReader.from(user)?.refuse(XMLReader.entityUsed) }
        XML_SetUnknownEncodingHandler(parser, { _, name, info in XMLReader.describe(name, info) }, nil)
        XML_SetElementHandler(
            parser,
            { user, name, attributes in XMLReader.from(user)?.start(name, attributes) },
            { user, name in XMLReader.from(user)?.end(name) })
        XML_SetCharacterDataHandler(parser) { user, start, count in
            XMLReader.from(user)?.characters(start, Int(count))
        }
        document = bytes
        defer { document = [] }
        // In pieces, since expat counts bytes in 32 bits.
        var offset = 0
        repeat {
            let count = min(1 << 20, bytes.count - offset)
            let isLast = offset + count == bytes.count
            let status = bytes[offset..<offset + count].withUnsafeBytes {
                XML_Parse(parser, $0.bindMemory(to: CChar.self).baseAddress, Int32(count), isLast ? 1 : 0)
            }
            if let failure { throw failure }
            guard status == XML_STATUS_OK else {
                let reason = XML_ErrorString(XML_GetErrorCode(parser)).map { String(cString: $0) } ?? "unknown error"
                throw XMLError("not well-formed XML: \(reason)", at: position)
            }
            offset += count
        } while offset < bytes.count
    }

    private static func from(_ user: UnsafeMutableRawPointer?) -> XMLReader? {
        user.map { Unmanaged<XMLReader>.fromOpaque($0).takeUnretainedValue() }
    }

    private var position: XMLPosition {
        XMLPosition(
            line: Int(XML_GetCurrentLineNumber(parser)), offset: max(0, Int(XML_GetCurrentByteIndex(parser))))
    }

    private static let entityUsed =
        "an entity of the document type is used, which is refused: document types are not loaded"

    private static let entityDeclared =
        "a document type declares an entity, which is refused: entities can expand without end"
    private static let valueDeclared =
        "a document type declares a value for an attribute, which is refused: it can be repeated without end"
    private static let otherEncoding =
        "a document type with declarations is refused in UTF-16: what it declares is looked for in UTF-8"

    private func documentType(hasDeclarations: Bool) {
        if hasDeclarations {
            declarations = position.offset
            if document.contains(0) { return refuse(Self.otherEncoding) }
            if Self.contains("<!ENTITY", document[...]) { return refuse(Self.entityDeclared) }
        }
        // Expat would leave it out in an attribute, without a call.
        if Self.usesEntity(document) { refuse(Self.entityUsed) }
    }

    /// Behind a reference to a parameter entity expat passes over declarations without a call.
    private func documentTypeEnds() {
        guard failure == nil, let start = declarations else { return }
        let end = min(max(start, position.offset), document.count)
        var rest = document[start..<end]
        while let mark = rest.firstIndex(of: UInt8(ascii: "%")) {
            rest = rest[(mark + 1)...]
            guard let next = rest.first else { return }
            let isLetter = (next | 0x20) &- UInt8(ascii: "a") < 26
            if isLetter || next == UInt8(ascii: "_") || next == UInt8(ascii: ":") || next >= 0x80 {
                return refuse(Self.entityUsed)
            }
        }
    }

    private static func contains(_ text: String, _ bytes: ArraySlice<UInt8>) -> Bool {
        let sought = Array(text.utf8)
        var rest = bytes
        while let mark = rest.firstIndex(of: sought[0]) {
            rest = rest[mark...]
            if rest.starts(with: sought) { return true }
            rest = rest.dropFirst()
        }
        return false
    }

    /// Whether there is a reference to an entity other than the five of XML, be it in a comment.
    private static func usesEntity(_ bytes: [UInt8]) -> Bool {
        let known = ["amp;", "lt;", "gt;", "quot;", "apos;", "#"].map { Array($0.utf8) }
        var rest = bytes[...]
        while let mark = rest.firstIndex(of: UInt8(ascii: "&")) {
            rest = rest[(mark + 1)...]
            if !known.contains(where: { rest.starts(with: $0) }) { return true }
        }
        return false
    }

    /// Describes an encoding that expat does not know.
    private static func describe(
        _ name: UnsafePointer<XML_Char>?, _ info: UnsafeMutablePointer<XML_Encoding>?
    ) -> Int32 {
        guard let name, let info, let codes = SingleByteEncoding.codes(named: String(cString: name)) else {
            return Int32(XML_STATUS_ERROR.rawValue)
        }
        withUnsafeMutableBytes(of: &info.pointee.map) { map in
            for (place, code) in codes.enumerated() {
                map.storeBytes(of: code, toByteOffset: place * MemoryLayout<Int32>.size, as: Int32.self)
            }
        }
        info.pointee.convert = nil
        info.pointee.release = nil
        return Int32(XML_STATUS_OK.rawValue)
    }

    private func refuse(_ what: String) { fail(XMLError(what, at: position)) }

    private func fail(_ error: any Error) {
        guard failure == nil else { return }
        failure = error
        _ = XML_StopParser(parser, 0)
    }

    private static func bare(_ name: UnsafePointer<XML_Char>?) -> String {
        guard let name else { return "" }
        let full = String(cString: name)
        guard let colon = full.lastIndex(of: ":") else { return full }
        return String(full[full.index(after: colon)...])
    }

    private func start(
        _ name: UnsafePointer<XML_Char>?, _ attributes: UnsafeMutablePointer<UnsafePointer<XML_Char>?>?
    ) {
        guard failure == nil else { return }
        depth += 1
        elements += 1
        guard depth <= bounds.depth else { return refuse("elements nested more than \(bounds.depth) deep") }
        guard elements <= bounds.elements else { return refuse("more than \(bounds.elements) elements") }
        var found: [(name: String, value: String)] = []
        var index = 0
        while let attributes, let key = attributes[index], let value = attributes[index + 1] {
            guard found.count < bounds.attributes else {
                return refuse("an element with more than \(bounds.attributes) attributes")
            }
            found.append((Self.bare(key), String(cString: value)))
            index += 2
        }
        do {
            try flushText()
            try handler.start(XMLElement(name: Self.bare(name), attributes: found), at: position)
        } catch { fail(error) }
    }

    private func end(_ name: UnsafePointer<XML_Char>?) {
        guard failure == nil else { return }
        depth -= 1
        do {
            try flushText()
            try handler.end(Self.bare(name), at: position)
        } catch { fail(error) }
    }

    private func characters(_ start: UnsafePointer<XML_Char>?, _ count: Int) {
        guard failure == nil, let start else { return }
        start.withMemoryRebound(to: UInt8.self, capacity: count) {
            text.append(contentsOf: UnsafeBufferPointer(start: $0, count: count))
        }
    }

    private func flushText() throws {
        guard !text.isEmpty else { return }
        let content = String(decoding: text, as: UTF8.self)
        text.removeAll(keepingCapacity: true)
        try handler.text(content, at: position)
    }
}
