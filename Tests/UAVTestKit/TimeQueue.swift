public import UAVLink

/// Things to come, each at its time: a binary heap. Those of one time come in the order in which they were added.
///
/// It is inlinable, since a simulation asks it at every step: across modules nothing generic is specialised otherwise.
public struct TimeQueue<Element> {
    @usableFromInline
    struct Entry {
        @usableFromInline let at: Int64
        @usableFromInline let order: UInt64
        @usableFromInline let element: Element

        @inlinable
        init(at: Int64, order: UInt64, element: Element) {
            self.at = at
            self.order = order
            self.element = element
        }

        @inlinable
        func comes(before other: Self) -> Bool { at == other.at ? order < other.order : at < other.at }
    }

    @usableFromInline var heap: [Entry] = []
    @usableFromInline var added: UInt64 = 0

    /// Nothing is to come.
    @inlinable
    public init() {}

    /// How many are to come.
    @inlinable public var count: Int { heap.count }

    /// When the next one comes.
    @inlinable public var next: MonotonicTime? { heap.first.map { MonotonicTime(nanoseconds: $0.at) } }

    /// Adds one.
    @inlinable
    public mutating func add(_ element: Element, at: MonotonicTime) {
        added += 1
        heap.append(Entry(at: at.nanoseconds, order: added, element: element))
        var child = heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard heap[child].comes(before: heap[parent]) else { return }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    /// Takes out the next one whose time has come.
    @inlinable
    public mutating func takeDue(at now: MonotonicTime) -> Element? {
        guard let first = heap.first, first.at <= now.nanoseconds else { return nil }
        let last = heap.removeLast()
        guard !heap.isEmpty else { return first.element }
        heap[0] = last
        var parent = 0
        while true {
            var least = parent
            let left = 2 * parent + 1
            if left < heap.count, heap[left].comes(before: heap[least]) { least = left }
            if left + 1 < heap.count, heap[left + 1].comes(before: heap[least]) { least = left + 1 }
            if least == parent { return first.element }
            heap.swapAt(least, parent)
            parent = least
        }
    }
}

extension TimeQueue: Sendable where Element: Sendable {}
extension TimeQueue.Entry: Sendable where Element: Sendable {}
