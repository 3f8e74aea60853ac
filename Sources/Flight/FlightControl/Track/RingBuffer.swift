/// A bounded buffer that keeps the newest elements.
package struct RingBuffer<Element> {
    /// The maximum number of elements.
    package let capacity: Int
    private var elements: [Element] = []
    private var oldest = 0

    package init(capacity: Int) {
        self.capacity = max(1, capacity)
        elements.reserveCapacity(self.capacity)
    }

    /// The current number of elements.
    package var count: Int { elements.count }

    /// The newest element.
    package var last: Element? {
        elements.isEmpty ? nil : elements[(oldest + elements.count - 1) % elements.count]
    }

    /// Adds an element; replaces the oldest if the buffer is full.
    package mutating func append(_ element: Element) {
        if elements.count < capacity {
            elements.append(element)
        } else {
            elements[oldest] = element
            oldest = (oldest + 1) % capacity
        }
    }

    /// Removes all elements.
    package mutating func removeAll() {
        elements.removeAll(keepingCapacity: true)
        oldest = 0
    }

    /// All elements, oldest first.
    package var values: [Element] { Array(elements[oldest...] + elements[..<oldest]) }
}

extension RingBuffer: Sendable where Element: Sendable {}
