import Foundation

/// What `Peers/count_allocations.c` has counted in a process so far, by thread.
struct AllocationCounts: Sendable {
    struct Thread: Sendable {
        var id: Int64
        var allocations: Int64
        var sent: Int64
        var received: Int64
        var allocationsForReceived: Int64
    }

    var threads: [Thread]

    /// Reads the file that the process keeps its counts in.
    init(file path: String) throws {
        let fields = try Data(contentsOf: URL(fileURLWithPath: path)).withUnsafeBytes { bytes in
            (0..<bytes.count / 8).map { bytes.loadUnaligned(fromByteOffset: $0 * 8, as: Int64.self).littleEndian }
        }
        threads = stride(from: 0, to: fields.count - 4, by: 5).compactMap { start in
            guard fields[start] != 0 else { return nil }
            return Thread(
                id: fields[start], allocations: fields[start + 1], sent: fields[start + 2],
                received: fields[start + 3], allocationsForReceived: fields[start + 4])
        }
    }

    /// What was counted since `earlier`, by thread.
    func since(_ earlier: AllocationCounts) -> [Thread] {
        threads.map { thread in
            guard let before = earlier.threads.first(where: { $0.id == thread.id }) else { return thread }
            return Thread(
                id: thread.id, allocations: thread.allocations - before.allocations, sent: thread.sent - before.sent,
                received: thread.received - before.received,
                allocationsForReceived: thread.allocationsForReceived - before.allocationsForReceived)
        }
    }
}
