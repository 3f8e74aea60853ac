internal import UAVLink
internal import XML

/// The start tag of an element of a route file.
struct FileElement {
    /// The name without a namespace prefix.
    let name: String
    let line: Int
    private let element: XMLElement

    init(_ element: XMLElement, line: Int) { (name, self.element, self.line) = (element.name, element, line) }

    /// The value of an attribute; `nil` where there is none of that name.
    func attribute(_ name: String) -> String? { element.attribute(name) }
}

/// Receives the elements of a route file in order.
protocol FileElementHandler: AnyObject {
    /// An element starts.
    func start(_ element: FileElement) throws(RouteFileError)
    /// It ends; `text` is its text after its last child.
    func end(_ name: String, text: String, line: Int) throws(RouteFileError)
}

/// KML, GPX and OSM as XML. No such file needs a document type that declares entities, and ``XMLReader`` refuses them.
enum XMLFile {
    /// OpenStreetMap extracts are the largest; KML nests a few folders deep.
    static let bounds = XMLBounds(bytes: 128 << 20, depth: 64, elements: 5_000_000, attributes: 64)

    /// Reads a whole file.
    ///
    /// - Throws: ``RouteFileError`` with the line.
    static func read(_ bytes: [UInt8], source: String, handler: any FileElementHandler) throws(RouteFileError) {
        do {
            try XMLReader.read(bytes, bounds: bounds, handler: Adapter(handler))
        } catch let error as RouteFileError {
            throw error
        } catch let error as XMLError {
            if !OtherEncoding.isNamed(inXML: bytes), let line = OtherEncoding.line(bytes), line <= error.position.line {
                throw RouteFileError(source, line: line, OtherEncoding.advice)
            }
            if error.what.contains("unknown encoding"), let advice = OtherEncoding.unknownAdvice(inXML: bytes) {
                throw RouteFileError(source, line: error.position.line, advice)
            }
            throw RouteFileError(source, line: error.position.line, error.what)
        } catch {
            throw RouteFileError("\(source.sanitizedLine): \(error)")
        }
    }

    /// Keeps the text since the last tag.
    private final class Adapter: XMLHandler {
        private let handler: any FileElementHandler
        private var text = ""

        init(_ handler: any FileElementHandler) { self.handler = handler }

        func start(_ element: XMLElement, at position: XMLPosition) throws {
            text = ""
            try handler.start(FileElement(element, line: position.line))
        }

        func text(_ text: String, at position: XMLPosition) throws { self.text = text }

        func end(_ name: String, at position: XMLPosition) throws {
            defer { text = "" }
            try handler.end(name, text: text, line: position.line)
        }
    }
}
