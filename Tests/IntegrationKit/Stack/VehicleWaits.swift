internal import Foundation

/// How long each thread of a vehicle's programs has waited for a processor so far, as Linux counts it (`schedstat`).
///
/// A flight is flown as well as its controllers get to run: where they wait for much of the time, the shape of the flight says
/// something of the machine, and nothing of the link.
public struct VehicleWaits: Sendable {
    private let at: Int64
    /// Nanoseconds by thread.
    private let threads: [Int32: Int64]

    /// A flight that was not as it must be is flown again when a thread waited for more than this share of it. In a run of all tests on
    /// two processors it is up to a third, on a single processor nine tenths.
    public static let starvedShare = 0.5

    /// Looks at the processes and all that they have started.
    init(of processes: [Int32]) {
        at = SchedulingWatch.now
        var threads: [Int32: Int64] = [:]
        for process in processes.flatMap({ [$0] + ProcessHoldings.descendants(of: $0) }) {
            let folder = "/proc/\(process)/task"
            for thread in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
                let counters = (try? String(contentsOfFile: "\(folder)/\(thread)/schedstat", encoding: .utf8)) ?? ""
                let fields = counters.split(separator: " ")
                guard fields.count > 1, let thread = Int32(thread), let waited = Int64(fields[1]) else { continue }
                threads[thread] = waited
            }
        }
        self.threads = threads
    }

    /// The share of the time since an earlier look for which the thread that waited most did so, 0 to 1.
    public func share(since earlier: Self) -> Double {
        let most = threads.compactMap { thread, waited in earlier.threads[thread].map { waited - $0 } }.max() ?? 0
        return Double(most) / Double(max(1, at - earlier.at))
    }
}
