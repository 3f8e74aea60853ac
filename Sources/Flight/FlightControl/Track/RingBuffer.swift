/// A bounded buffer that keeps the newest elements.
public struct RingBuffer<Element> {
    /// The maximum number of elements.
    public let capacity: Int
    private var elements: [Element] = []
    private var oldest = 0

    /// An empty buffer.
    public init(capacity: Int) {
        self.capacity = max(1, capacity)
        elements.reserveCapacity(self.capacity)
    }

    /// The current number of elements.
    public var count: Int { elements.count }

    /// The newest element.
    public var last: Element? {
        elements.isEmpty ? nil : elements[(oldest + elements.count - 1) % elements.count]
    }

    /// Adds an element; replaces the oldest if the buffer is full.
    public mutating func append(_ element: Element) {
        if elements.count < capacity {
            elements.append(element)
        } else {
            elements[oldest] = element
            oldest = (oldest + 1) % capacity
        }
    }

    /// Removes all elements.
    public mutating func removeAll() {
        elements.removeAll(keepingCapacity: true)
        oldest = 0
    }

    /// All elements, oldest first.
    public var values: [Element] { Array(elements[oldest...] + elements[..<oldest]) }
}

extension RingBuffer: Sendable where Element: Sendable {}
