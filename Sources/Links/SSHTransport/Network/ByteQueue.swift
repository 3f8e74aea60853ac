/// Bytes that come in at the back and go out at the front.
struct ByteQueue {
    private var storage: [UInt8] = []
    private var head = 0

    var count: Int { storage.count - head }
    var isEmpty: Bool { count == 0 }

    mutating func append(_ bytes: some Sequence<UInt8>) {
        storage.append(contentsOf: bytes)
    }

    /// Lends the waiting bytes to `body`, then forgets as many from the front as it says it used.
    mutating func consume(_ body: (UnsafeRawBufferPointer) -> Int) -> Int {
        let used = storage.withUnsafeBytes { all in body(UnsafeRawBufferPointer(rebasing: all[head...])) }
        drop(used)
        return used
    }

    mutating func drop(_ used: Int) {
        head += min(max(used, 0), count)
        if head == storage.count {
            storage.removeAll(keepingCapacity: storage.capacity <= Self.capacityWorthKeeping)
            head = 0
        } else if head >= Self.capacityWorthKeeping, head * 2 >= storage.count {
            storage.removeFirst(head)
            head = 0
        }
    }

    /// All waiting bytes; the queue is empty afterwards.
    mutating func takeAll() -> [UInt8] {
        defer {
            storage = []
            head = 0
        }
        return head == 0 ? storage : Array(storage[head...])
    }

    /// Up to `limit` waiting bytes from the front.
    mutating func take(upTo limit: Int) -> [UInt8] {
        guard count > limit else { return takeAll() }
        let part = Array(storage[head..<(head + limit)])
        drop(limit)
        return part
    }

    /// One socket buffer's worth: smaller storage is kept for the next bytes, larger is given back.
    private static let capacityWorthKeeping = 256 * 1024
}
