/// Receives the parts of an XML document in order; an error that it throws ends the reading and is passed on.
public protocol XMLHandler: AnyObject {
    /// An element starts.
    func start(_ element: XMLElement, at position: XMLPosition) throws
    /// Text between two tags, in one piece, CDATA sections included, white space included; not called for no text.
    func text(_ text: String, at position: XMLPosition) throws
    /// The element that was started last and has not ended ends.
    func end(_ name: String, at position: XMLPosition) throws
}

/// The start tag of an element.
public struct XMLElement: Sendable {
    /// The name without a namespace prefix.
    public let name: String
    /// The attributes in the order of the document, their names without a namespace prefix.
    public let attributes: [(name: String, value: String)]

    /// The value of an attribute; `nil` where the element has none of that name.
    public func attribute(_ name: String) -> String? { attributes.first { $0.name == name }?.value }
}

/// A place in a document.
public struct XMLPosition: Equatable, Sendable {
    /// The line, from 1.
    public let line: Int
    /// The byte, from 0.
    public let offset: Int

    static let start = XMLPosition(line: 1, offset: 0)
}

/// What is accepted of a document; anything beyond is an error.
public struct XMLBounds: Sendable {
    /// The largest document.
    public var bytes: Int
    /// The deepest nesting.
    public var depth: Int
    /// The most elements.
    public var elements: Int
    /// The most attributes of one element.
    public var attributes: Int

    /// Bounds of one kind of document.
    public init(bytes: Int, depth: Int, elements: Int, attributes: Int) {
        (self.bytes, self.depth, self.elements, self.attributes) = (bytes, depth, elements, attributes)
    }
}

/// A document that cannot be read, and where.
public struct XMLError: Error, Equatable, CustomStringConvertible, Sendable {
    /// What is wrong, without the place.
    public let what: String
    /// Where.
    public let position: XMLPosition

    init(_ what: String, at position: XMLPosition) { (self.what, self.position) = (what, position) }

    /// What is wrong, and the byte.
    public var description: String { "\(what) at byte \(position.offset)" }
}
