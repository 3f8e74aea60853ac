import Foundation

/// What `Peers/count_allocations.c` has counted in a process so far, by thread.
struct AllocationCounts: Sendable {
    struct Thread: Sendable {
        var id: Int64
        var name: String
        var allocations: Int64
    }

    var threads: [Thread]

    /// Reads the file that the process keeps its counts in.
    init(file path: String) throws {
        let bytes = try Array(Data(contentsOf: URL(fileURLWithPath: path)))
        let slot = 40
        threads = stride(from: 0, to: bytes.count - slot + 1, by: slot).compactMap { start in
            func integer(_ offset: Int) -> Int64 {
                bytes[start + offset..<start + offset + 8].reversed().reduce(0) { $0 << 8 | Int64($1) }
            }
            let id = integer(0)
            guard id != 0 else { return nil }
            let name = bytes[start + 8..<start + 24].prefix { $0 != 0 }
            return Thread(id: id, name: String(decoding: name, as: UTF8.self), allocations: integer(24))
        }
    }

    /// What was allocated since `earlier`, by thread; threads that allocated nothing are left out.
    func since(_ earlier: AllocationCounts) -> [Thread] {
        threads.compactMap { thread in
            let before = earlier.threads.first { $0.id == thread.id }?.allocations ?? 0
            guard thread.allocations > before else { return nil }
            return Thread(id: thread.id, name: thread.name, allocations: thread.allocations - before)
        }
    }
}
