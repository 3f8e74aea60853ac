#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import Synchronization
internal import SystemKit
internal import Threads
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

/// Writes lines in order, on a thread of its own: the channel thread logs here, and neither a slow terminal nor a full pipe may delay
/// steering.
///
/// Each command is a line. The thread looks for lines by itself as long as they come, so that a line wakes nobody: another thread that
/// wakes while an answer is on its way takes the processor from the one that waits for it.
final class LogLines: Sendable {
    /// Maximum number of lines that wait for a blocked reader; further ones are only counted.
    private static let most = 1000

    /// How long the first line after a silence waits, for those that follow it: the caller is busy with what it logs.
    private static let delayMicroseconds: UInt32 = 20_000
    /// From one look for further lines to the next, in which commands back to back make 600 of them; and after how many without one
    /// the thread ends.
    private static let pauseMicroseconds: UInt32 = 50_000
    private static let looks = 20

    private struct Waiting {
        var lines: [(text: String, time: Int64)] = []
        /// Lines that are waiting or being written.
        var count = 0
        var dropped = 0
        /// Whether a thread will write them.
        var hasWriter = false
    }

    private let waiting = Mutex(Waiting())
    /// Held while lines are written, so that they stay in order.
    private let writing = Mutex(())
    private let output: @Sendable (String) -> Void
    private let startThread: StartThread
    private let pause: @Sendable (_ microseconds: UInt32) -> Void

    /// Starts a thread; `false` if the system has none.
    typealias StartThread = @Sendable (@escaping @Sendable () -> Void) -> Bool

    init(
        _ output: @escaping @Sendable (String) -> Void, startThread: @escaping StartThread = DedicatedThread.start,
        pause: @escaping @Sendable (_ microseconds: UInt32) -> Void = { usleep($0) }
    ) {
        self.output = output
        self.startThread = startThread
        self.pause = pause
    }

    func write(_ line: String, at time: Int64) {
        let begins = waiting.withLock { waiting in
            guard waiting.count < Self.most else {
                waiting.dropped += 1
                // Without a writer there was no thread for one until now.
                defer { waiting.hasWriter = true }
                return !waiting.hasWriter
            }
            if waiting.dropped > 0 {
                waiting.lines.append(("\(waiting.dropped) log lines dropped: buffer full", time))
                waiting.dropped = 0
                waiting.count += 1
            }
            waiting.lines.append((line, time))
            waiting.count += 1
            defer { waiting.hasWriter = true }
            return !waiting.hasWriter
        }
        guard begins, !startThread({ self.writeAll() }) else { return }
        // Written with the next line for which there is a thread, or at the end.
        waiting.withLock { $0.hasWriter = false }
    }

    func finish() { _ = print() }

    private func writeAll() {
        pause(Self.delayMicroseconds)
        var quiet = 0
        repeat {
            quiet = print() ? 0 : quiet + 1
            pause(Self.pauseMicroseconds)
        } while !ends(after: quiet)
    }

    private func ends(after quiet: Int) -> Bool {
        guard quiet >= Self.looks else { return false }
        return waiting.withLock { waiting in
            waiting.hasWriter = !waiting.lines.isEmpty
            return waiting.lines.isEmpty
        }
    }

    /// Writes what waits; `false` if nothing does.
    private func print() -> Bool {
        writing.withLock { _ in
            let lines = waiting.withLock { waiting in
                defer { waiting.lines = [] }
                return waiting.lines
            }
            guard !lines.isEmpty else { return false }
            output(lines.map { "\(WallTime.utcText($0.time)) \($0.text.sanitizedLine)\n" }.joined())
            waiting.withLock { $0.count -= lines.count }
            return true
        }
    }
}
