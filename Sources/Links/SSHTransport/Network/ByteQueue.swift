/// A FIFO of bytes.
struct ByteQueue {
    private var storage: [UInt8] = []
    private var head = 0

    var count: Int { storage.count - head }
    var isEmpty: Bool { count == 0 }

    mutating func append(_ bytes: some Sequence<UInt8>) {
        storage.append(contentsOf: bytes)
    }

    /// Passes the queued bytes to `body`, then drops as many from the front as it returns.
    mutating func consume(_ body: (UnsafeRawBufferPointer) -> Int) -> Int {
        let used = storage.withUnsafeBytes { all in body(UnsafeRawBufferPointer(rebasing: all[head...])) }
        drop(used)
        return used
    }

    mutating func drop(_ used: Int) {
        head += min(max(used, 0), count)
        if head == storage.count {
            storage.removeAll(keepingCapacity: storage.capacity <= Self.retainedCapacity)
            head = 0
        } else if head >= Self.retainedCapacity, head * 2 >= storage.count {
            storage.removeFirst(head)
            head = 0
        }
    }

    /// Removes and returns all queued bytes.
    mutating func takeAll() -> [UInt8] {
        defer {
            storage = []
            head = 0
        }
        return head == 0 ? storage : Array(storage[head...])
    }

    /// Removes and returns up to `limit` bytes from the front.
    mutating func take(upTo limit: Int) -> [UInt8] {
        guard count > limit else { return takeAll() }
        let part = Array(storage[head..<(head + limit)])
        drop(limit)
        return part
    }

    /// Storage up to this size, one socket buffer, is kept for reuse; larger storage is released. Bytes.
    private static let retainedCapacity = 256 * 1024
}
