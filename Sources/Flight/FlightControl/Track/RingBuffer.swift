/// The newest elements of a series, a bounded number of them.
public struct RingBuffer<Element> {
    /// How many are kept.
    public let capacity: Int
    private var elements: [Element] = []
    private var oldest = 0

    /// An empty one.
    public init(capacity: Int) {
        self.capacity = max(1, capacity)
        elements.reserveCapacity(self.capacity)
    }

    /// How many are kept now.
    public var count: Int { elements.count }

    /// The newest.
    public var last: Element? {
        elements.isEmpty ? nil : elements[(oldest + elements.count - 1) % elements.count]
    }

    /// Adds one in place of the oldest when there is no room.
    public mutating func append(_ element: Element) {
        if elements.count < capacity {
            elements.append(element)
        } else {
            elements[oldest] = element
            oldest = (oldest + 1) % capacity
        }
    }

    /// Forgets all.
    public mutating func removeAll() {
        elements.removeAll(keepingCapacity: true)
        oldest = 0
    }

    /// All of them, oldest first.
    public var values: [Element] { Array(elements[oldest...] + elements[..<oldest]) }
}

extension RingBuffer: Sendable where Element: Sendable {}
