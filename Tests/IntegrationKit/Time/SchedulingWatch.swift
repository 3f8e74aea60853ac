internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// Notes when processes of a test wanted to run and did not get the processor, so that what is judged in milliseconds can be
/// judged without what the machine did to it.
///
/// Three things are noted, on the monotonic clock (nanoseconds), when they take a millisecond or more:
/// - A thread of its own sleeps two milliseconds again and again; when it wakes too late, the machine stood still or was busy.
/// - Linux counts for each thread how long it waited for a processor (`schedstat`); each thread of each watched process is
///   asked for that every ten milliseconds.
/// - Linux counts the time that a virtual machine's host took away (`steal` in `/proc/stat`).
///
/// What a thread of another process did with its time is not known: only spans in which a watched thread was kept waiting.
public final class SchedulingWatch: Sendable {
    private struct Wait {
        /// Whose it was; `nil` when the whole machine's.
        var process: Int32?
        /// When it began, at the earliest.
        var begin: Int64
        /// When it was over, at the latest.
        var end: Int64
        /// How long it was: less than from one to the other, where only its length is known.
        var length: Int64
    }

    private struct State {
        var processes: Set<Int32> = []
        var waits: [Wait] = []
        var stops = false
        var passes = 0
    }

    private final class Shared: Sendable { let state = Mutex(State()) }
    private let shared = Shared()

    /// Begins to watch the test's own process and these.
    public init(_ processes: [Int32] = []) {
        shared.state.withLock { $0.processes = Set(processes).union([getpid()]) }
        let shared = shared
        ChildProcess.detach { Self.run(shared) }
        // The first look at a process tells nothing yet.
        while shared.state.withLock({ $0.passes }) == 0 { usleep(500) }
    }

    deinit { stop() }

    /// Watches this process too from now on.
    public func add(_ process: Int32) { shared.state.withLock { _ = $0.processes.insert(process) } }

    /// Ends watching; what was noted stays.
    public func stop() { shared.state.withLock { $0.stops = true } }

    /// Now, on the clock of its times.
    public static var now: Int64 {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        return Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
    }

    /// The instant of the wall clock's (seconds since 1970) on the clock of its times.
    public static func instant(wallSeconds: Double) -> Int64 {
        var wall = timespec()
        clock_gettime(CLOCK_REALTIME, &wall)
        let ahead = wallSeconds - Double(wall.tv_sec) - Double(wall.tv_nsec) / 1e9
        return now + Int64(ahead * 1e9)
    }

    /// Waits until what happened up to now has been noted.
    public func settle() {
        let passes = shared.state.withLock { $0.passes }
        while shared.state.withLock({ $0.passes < passes + 2 && !$0.stops }) { usleep(2000) }
    }

    /// For how long within these bounds a watched thread was kept waiting, nanoseconds: never less than it was, and no more
    /// than all waits together.
    public func waited(from begin: Int64, to end: Int64) -> Int64 {
        let inside = waits(from: begin, to: end)
        var union: Int64 = 0
        var reached = begin
        for wait in inside {
            union += max(0, min(end, wait.end) - max(reached, wait.begin))
            reached = max(reached, wait.end)
        }
        let sum = inside.reduce(0) { $0 + min($1.length, min(end, $1.end) - max(begin, $1.begin)) }
        return min(union, sum)
    }

    /// How long within these bounds a watched thread was kept waiting at a stretch, nanoseconds.
    ///
    /// What passes a thread or two is delayed by about that much; by ``waited(from:to:)`` only what passes all of them.
    ///
    /// - Parameter process: only threads of this one, and what the whole machine had to wait.
    public func longestWait(from begin: Int64, to end: Int64, of process: Int32? = nil) -> Int64 {
        waits(from: begin, to: end)
            .filter { process == nil || $0.process == nil || $0.process == process }
            .map { min($0.length, min(end, $0.end) - max(begin, $0.begin)) }.max() ?? 0
    }

    /// The same in words, for the message of a test.
    public func account(from begin: Int64, to end: Int64) -> String {
        "its processes waited for a processor \(waited(from: begin, to: end) / 1_000_000) ms of "
            + "\((end - begin) / 1_000_000) ms, \(longestWait(from: begin, to: end) / 1_000_000) ms at a stretch"
    }

    private func waits(from begin: Int64, to end: Int64) -> [Wait] {
        shared.state.withLock { $0.waits }.filter { $0.begin < end && $0.end > begin }.sorted { $0.begin < $1.begin }
    }

    // MARK: The thread

    private static let pause: Int64 = 2_000_000
    private static let least: Int64 = 1_000_000
    private static let look: Int64 = 10_000_000

    private static func run(_ shared: Shared) {
        var counters = WaitCounters()
        var last = now
        var looked = last
        while true {
            usleep(UInt32(pause / 1000))
            let woken = now
            var waits: [Wait] = []
            if woken - last - pause >= least {
                waits.append(Wait(process: getpid(), begin: last + pause, end: woken, length: woken - last - pause))
            }
            if woken - looked >= look {
                let processes = shared.state.withLock { $0.processes }
                for (process, delay) in counters.look(at: processes) where delay >= least {
                    // It ended since the last look; when is not known.
                    waits.append(Wait(process: process, begin: looked - delay, end: woken, length: delay))
                }
                looked = woken
            }
            let isLook = looked == woken
            let stops = shared.state.withLock { state in
                state.waits += waits
                if isLook { state.passes += 1 }
                return state.stops
            }
            if stops { return counters.end() }
            last = now
        }
    }
}

/// The system's counters of waiting, read again and again.
private struct WaitCounters {
    private struct Thread {
        var file: Int32
        var waited: Int64
    }

    private var threads: [Int32: [Int32: Thread]] = [:]
    private var stolen: Int64?
    private var looks = 0
    private var room = [UInt8](repeating: 0, count: 512)

    /// By how much each has grown since the last look, nanoseconds.
    mutating func look(at processes: Set<Int32>) -> [(process: Int32?, nanoseconds: Int64)] {
        var grown: [(process: Int32?, nanoseconds: Int64)] = []
        #if canImport(Glibc)
            for process in processes {
                let isNew = threads[process] == nil
                // New threads are looked for ten times a second.
                if isNew || looks % 10 == 0 { findThreads(of: process, isNew: isNew) }
                for (id, thread) in threads[process] ?? [:] {
                    guard let waited = waited(thread.file) else {
                        close(thread.file)
                        threads[process]?[id] = nil
                        continue
                    }
                    grown.append((process, waited - thread.waited))
                    threads[process]?[id]?.waited = waited
                }
            }
            if let now = steal() {
                if let stolen { grown.append((nil, now - stolen)) }
                stolen = now
            }
            looks += 1
        #endif
        return grown
    }

    private mutating func findThreads(of process: Int32, isNew: Bool) {
        guard let folder = opendir("/proc/\(process)/task") else { return }
        defer { closedir(folder) }
        var known = threads[process] ?? [:]
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard let id = Int32(name), known[id] == nil else { continue }
            let file = open("/proc/\(process)/task/\(id)/schedstat", O_RDONLY | O_CLOEXEC)
            guard file >= 0 else { continue }
            // What a thread waited before it was watched is not of interest; one that began meanwhile began with nothing.
            known[id] = Thread(file: file, waited: isNew ? waited(file) ?? 0 : 0)
        }
        threads[process] = known
    }

    /// The second of three numbers.
    private mutating func waited(_ file: Int32) -> Int64? {
        let count = pread(file, &room, room.count, 0)
        guard count > 0 else { return nil }
        let fields = room[..<count].split(separator: UInt8(ascii: " "))
        return fields.count > 1 ? Int64(String(decoding: fields[1], as: UTF8.self)) : nil
    }

    /// The eighth number behind the first line's name, in hundredths of a second over all processors.
    private mutating func steal() -> Int64? {
        let file = open("/proc/stat", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        let count = pread(file, &room, room.count, 0)
        guard count > 0 else { return nil }
        let fields = room[..<count].split(separator: UInt8(ascii: " "))
        return fields.count > 8 ? Int64(String(decoding: fields[8], as: UTF8.self)).map { $0 * 10_000_000 } : nil
    }

    /// Closes what it has open.
    mutating func end() {
        for thread in threads.values.flatMap(\.values) { close(thread.file) }
        threads = [:]
    }
}
