/// Receives the parts of an XML document in order; an error that it throws ends the reading and is passed on.
package protocol XMLHandler: AnyObject {
    /// An element starts.
    func start(_ element: XMLElement, at position: XMLPosition) throws
    /// Text between two tags, in one piece, CDATA sections included, white space included; not called for no text.
    func text(_ text: String, at position: XMLPosition) throws
    /// The element that was started last and has not ended ends.
    func end(_ name: String, at position: XMLPosition) throws
}

/// The start tag of an element.
package struct XMLElement: Sendable {
    /// The name without a namespace prefix.
    package let name: String
    /// The attributes in the order of the document, their names without a namespace prefix.
    package let attributes: [(name: String, value: String)]

    /// The value of an attribute; `nil` where the element has none of that name.
    package func attribute(_ name: String) -> String? { attributes.first { $0.name == name }?.value }
}

/// A place in a document.
package struct XMLPosition: Equatable, Sendable {
    package let line: Int
    /// The byte, from 0.
    package let offset: Int

    static let start = XMLPosition(line: 1, offset: 0)
}

/// What is accepted of a document; anything beyond is an error.
package struct XMLBounds: Sendable {
    /// The largest document.
    package var bytes: Int
    /// The deepest nesting.
    package var depth: Int
    /// The most elements.
    package var elements: Int
    /// The most attributes of one element.
    package var attributes: Int

    /// Bounds of one kind of document.
    package init(bytes: Int, depth: Int, elements: Int, attributes: Int) {
        (self.bytes, self.depth, self.elements, self.attributes) = (bytes, depth, elements, attributes)
    }
}

/// A document that cannot be read, and where.
package struct XMLError: Error, Equatable, CustomStringConvertible, Sendable {
    /// What is wrong, without the place.
    package let what: String
    /// Where.
    package let position: XMLPosition

    init(_ what: String, at position: XMLPosition) { (self.what, self.position) = (what, position) }

    /// What is wrong, and the byte.
    package var description: String { "\(what) at byte \(position.offset)" }
}
