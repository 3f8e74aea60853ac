internal import UAVLink

/// Packets in transit, the earliest arrival first; equal arrivals keep their sending order.
struct RelayQueue {
    struct Packet {
        let at: MonotonicTime
        let order: UInt64
        let flow: Int
        let isUp: Bool
        let bytes: [UInt8]
    }

    private var heap: [Packet] = []
    private var order: UInt64 = 0

    var next: MonotonicTime? { heap.first?.at }

    mutating func add(_ bytes: [UInt8], at: MonotonicTime, flow: Int, isUp: Bool) {
        order += 1
        heap.append(Packet(at: at, order: order, flow: flow, isUp: isUp, bytes: bytes))
        var child = heap.count - 1
        while child > 0, precedes(child, (child - 1) / 2) {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    /// Removes the next packet if it has arrived.
    mutating func pop(at now: MonotonicTime) -> Packet? {
        guard let first = heap.first, first.at <= now else { return nil }
        let last = heap.removeLast()
        guard !heap.isEmpty else { return first }
        heap[0] = last
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count && precedes(child, least) {
                least = child
            }
            guard least != parent else { return first }
            heap.swapAt(parent, least)
            parent = least
        }
    }

    mutating func forget(flow: Int) {
        let kept = heap.filter { $0.flow != flow }.sorted { ($0.at, $0.order) < ($1.at, $1.order) }
        heap = kept
    }

    private func precedes(_ a: Int, _ b: Int) -> Bool {
        (heap[a].at, heap[a].order) < (heap[b].at, heap[b].order)
    }
}
