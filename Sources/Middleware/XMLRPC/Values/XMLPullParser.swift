internal import XML

/// The events of an XML document, one at a time; ``XMLReader`` reads the whole document first.
///
/// Comments, processing instructions and attributes are skipped: they have no meaning in XML-RPC (some send `xmlns`).
struct XMLPullParser {
    /// A parser event.
    enum Event: Equatable {
        case start(String)
        case end(String)
        case text(String)
        case finished
    }

    /// An error and its position.
    struct Failure: Error, Equatable, CustomStringConvertible {
        let what: String
        let offset: Int
        var description: String { "\(what) at byte \(offset)" }
    }

    /// Bounds on a document. The largest values in use, whole robot descriptions, are below 2 MB.
    static let bounds = XMLBounds(bytes: 16 << 20, depth: 256, elements: 1 << 20, attributes: 16)

    private let events: [(event: Event, offset: Int)]
    private var index = 0

    init(_ bytes: [UInt8]) throws(Failure) {
        let collector = Collector()
        do {
            try XMLReader.read(bytes, bounds: Self.bounds, handler: collector)
        } catch let error as XMLError {
            throw Failure(what: error.what, offset: error.position.offset)
        } catch {
            throw Failure(what: "\(error)", offset: 0)
        }
        events = collector.events
    }

    /// The offset of the last event read.
    var position: Int { events.isEmpty ? 0 : events[min(max(0, index - 1), events.count - 1)].offset }

    /// The next event; always ``Event/finished`` after the last end tag.
    mutating func next() -> Event {
        guard index < events.count else { return .finished }
        defer { index += 1 }
        return events[index].event
    }

    private final class Collector: XMLHandler {
        var events: [(event: Event, offset: Int)] = []

        func start(_ element: XMLElement, at position: XMLPosition) {
            events.append((.start(element.name), position.offset))
        }
        func text(_ text: String, at position: XMLPosition) { events.append((.text(text), position.offset)) }
        func end(_ name: String, at position: XMLPosition) { events.append((.end(name), position.offset)) }
    }
}
