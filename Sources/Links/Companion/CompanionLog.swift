internal import Dispatch

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import Synchronization
internal import SystemKit
internal import UAVLink

/// The log of a companion: one line per event, with the time, sanitized.
public struct CompanionLog: Sendable {
    private let write: @Sendable (String) -> Void
    private let finish: @Sendable () -> Void

    /// A log whose lines go to `write`.
    public init(write: @escaping @Sendable (String) -> Void) {
        self.write = { write($0.sanitizedLine) }
        finish = {}
    }

    /// A log on standard error, as systemd and users expect; the caller does not wait for it.
    public init() { self.init(LogLines { BoundedLogFile.append($0, to: STDERR_FILENO) }) }

    /// A log in its own file of at most two megabytes, for where nothing rotates it; the caller does not wait for it.
    public init(file path: String) {
        let file = Mutex(BoundedLogFile(path: path))
        self.init(LogLines { text in file.withLock { $0.write(text) } })
    }

    private init(_ lines: LogLines) {
        write = { lines.write($0, at: WallTime.now) }
        finish = { lines.finish() }
    }

    /// Logs one line; any text is allowed.
    public func say(_ line: String) { write(line) }

    /// Waits until everything logged so far is written.
    public func flush() { finish() }
}

/// Writes lines in order, asynchronously: the channel thread logs here, and neither a slow terminal nor a full pipe may delay
/// steering.
private final class LogLines: Sendable {
    /// Maximum number of lines that wait for a blocked reader; further ones are only counted.
    private static let most = 1000

    /// Lines are written together after a delay: the caller is busy with what it logs, and an immediate write would wake the
    /// log's reader on the same processor in the middle of it.
    private static let delay = DispatchTimeInterval.milliseconds(20)

    private struct Waiting {
        var lines: [(text: String, time: Int64)] = []
        /// Lines that are waiting or being written.
        var count = 0
        var dropped = 0
        var isPlanned = false
    }

    private let queue = DispatchQueue(label: "uavlink.log")
    private let waiting = Mutex(Waiting())
    private let output: @Sendable (String) -> Void

    init(_ output: @escaping @Sendable (String) -> Void) { self.output = output }

    func write(_ line: String, at time: Int64) {
        let plans = waiting.withLock { waiting in
            guard waiting.count < Self.most else {
                waiting.dropped += 1
                return false
            }
            if waiting.dropped > 0 {
                waiting.lines.append(("\(waiting.dropped) log lines dropped: buffer full", time))
                waiting.dropped = 0
                waiting.count += 1
            }
            waiting.lines.append((line, time))
            waiting.count += 1
            defer { waiting.isPlanned = true }
            return !waiting.isPlanned
        }
        if plans { queue.asyncAfter(deadline: .now() + Self.delay) { self.print() } }
    }

    func finish() { queue.sync { print() } }

    private func print() {
        let lines = waiting.withLock { waiting in
            waiting.isPlanned = false
            defer { waiting.lines = [] }
            return waiting.lines
        }
        let text = lines.map { "\(WallTime.utcText($0.time)) \($0.text.sanitizedLine)\n" }.joined()
        output(text)
        waiting.withLock { $0.count -= lines.count }
    }
}
