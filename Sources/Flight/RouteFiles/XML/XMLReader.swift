internal import CExpat
internal import UAVLink

/// An element that begins: its name without a prefix, and its attributes.
struct XMLElement {
    let name: String
    let attributes: [(name: String, value: String)]
    let line: Int

    func attribute(_ name: String) -> String? { attributes.first { $0.name == name }?.value }
}

/// Who is told what stands in an XML file, in order.
protocol XMLHandler: AnyObject {
    /// An element begins.
    func start(_ element: XMLElement) throws(RouteFileError)
    /// It ends; `text` is what stood in it after its last child.
    func end(_ name: String, text: String, line: Int) throws(RouteFileError)
}

/// The one owner of an expat parser. Document types are refused: entities, and with them every kind of bomb, can be defined
/// nowhere else, and no KML, GPX or OSM file needs one.
final class XMLReader {
    static let maximumBytes = 128 << 20
    static let maximumDepth = 64
    static let maximumElements = 5_000_000
    static let maximumAttributes = 64

    private let parser: OpaquePointer
    private let source: String
    private let handler: any XMLHandler
    private var text: [UInt8] = []
    private var depth = 0
    private var elements = 0
    private var failure: RouteFileError?

    /// Reads a whole file.
    static func read(_ bytes: [UInt8], source: String, handler: any XMLHandler) throws(RouteFileError) {
        guard bytes.count <= maximumBytes else {
            throw RouteFileError(
                "\(source.harmlessLine): \(bytes.count) bytes of XML, at most \(maximumBytes) are read")
        }
        try XMLReader(source: source, handler: handler).read(bytes)
    }

    private init(source: String, handler: any XMLHandler) throws(RouteFileError) {
        guard let parser = XML_ParserCreate(nil) else {
            throw RouteFileError("\(source.harmlessLine): there is no memory left to read XML")
        }
        self.parser = parser
        self.source = source
        self.handler = handler
    }

    deinit { XML_ParserFree(parser) }

    private func read(_ bytes: [UInt8]) throws(RouteFileError) {
        XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
        XML_SetStartDoctypeDeclHandler(parser) { user, _, _, _, _ in
            XMLReader.from(user)?.fail(
                "a document type is declared, which is refused: it could define entities without end")
        }
        XML_SetElementHandler(
            parser,
            { user, name, attributes in XMLReader.from(user)?.start(name, attributes) },
            { user, name in XMLReader.from(user)?.end(name) })
        XML_SetCharacterDataHandler(parser) { user, start, count in
            XMLReader.from(user)?.characters(start, Int(count))
        }
        // Pieces, as expat counts bytes in 32 bits.
        var position = 0
        repeat {
            let count = min(1 << 20, bytes.count - position)
            let isLast = position + count == bytes.count
            let status = bytes[position..<position + count].withUnsafeBytes {
                XML_Parse(parser, $0.bindMemory(to: CChar.self).baseAddress, Int32(count), isLast ? 1 : 0)
            }
            if let failure { throw failure }
            guard status == XML_STATUS_OK else {
                let reason = XML_ErrorString(XML_GetErrorCode(parser)).map { String(cString: $0) } ?? "this is not XML"
                throw RouteFileError(source, line: line, "this is not whole XML: \(reason)")
            }
            position += count
        } while position < bytes.count
    }

    private static func from(_ user: UnsafeMutableRawPointer?) -> XMLReader? {
        user.map { Unmanaged<XMLReader>.fromOpaque($0).takeUnretainedValue() }
    }

    private var line: Int { Int(XML_GetCurrentLineNumber(parser)) }

    private func fail(_ what: String) { fail(RouteFileError(source, line: line, what)) }

    private func fail(_ error: RouteFileError) {
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
        guard depth <= Self.maximumDepth else {
            return fail("elements stand more than \(Self.maximumDepth) deep in each other")
        }
        guard elements <= Self.maximumElements else {
            return fail("there are more than \(Self.maximumElements) elements")
        }
        var found: [(name: String, value: String)] = []
        var index = 0
        while let attributes, let key = attributes[index], let value = attributes[index + 1] {
            guard found.count < Self.maximumAttributes else {
                return fail("an element has more than \(Self.maximumAttributes) attributes")
            }
            found.append((Self.bare(key), String(cString: value)))
            index += 2
        }
        text.removeAll(keepingCapacity: true)
        do throws(RouteFileError) {
            try handler.start(XMLElement(name: Self.bare(name), attributes: found, line: line))
        } catch { fail(error) }
    }

    private func end(_ name: UnsafePointer<XML_Char>?) {
        guard failure == nil else { return }
        depth -= 1
        let content = String(decoding: text, as: UTF8.self)
        text.removeAll(keepingCapacity: true)
        do throws(RouteFileError) { try handler.end(Self.bare(name), text: content, line: line) } catch { fail(error) }
    }

    private func characters(_ start: UnsafePointer<XML_Char>?, _ count: Int) {
        guard failure == nil, let start else { return }
        start.withMemoryRebound(to: UInt8.self, capacity: count) {
            text.append(contentsOf: UnsafeBufferPointer(start: $0, count: count))
        }
    }
}
