internal import Dispatch
internal import Foundation
internal import Synchronization
internal import UAVLink

/// What a companion says of what it does: one line each, with the time, control characters made harmless.
public struct CompanionLog: Sendable {
    private let write: @Sendable (String) -> Void
    private let finish: @Sendable () -> Void

    /// A log that ends up wherever `write` puts its lines.
    public init(write: @escaping @Sendable (String) -> Void) {
        self.write = { write($0.harmlessLine) }
        finish = {}
    }

    /// A log on standard error, as systemd and people expect; whoever says something does not wait for it.
    public init() { self.init(LogLines { try? FileHandle.standardError.write(contentsOf: $0) }) }

    /// A log in a file of its own, which takes at most two megabytes: where nobody rotates it. Whoever says something does not
    /// wait for it.
    public init(file path: String) {
        let file = Mutex(BoundedLogFile(path: path))
        self.init(LogLines { text in file.withLock { $0.write(text) } })
    }

    private init(_ lines: LogLines) {
        write = { lines.write($0, at: .now) }
        finish = { lines.finish() }
    }

    /// Says one line, whatever is in it.
    public func say(_ line: String) { write(line) }

    /// A line's time: UTC, and it says so.
    static func stamp(_ time: Date) -> String {
        time.ISO8601Format(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }

    /// Waits until everything said so far is written.
    public func flush() { finish() }
}

/// Writes lines in their order behind the backs of those who say them: the channel's thread speaks here, and neither a
/// slow terminal nor a full pipe may hold up steering.
private final class LogLines: Sendable {
    /// Lines that may wait for a reader that has stopped; then further ones are counted only.
    private static let most = 1000

    /// Lines are written together, so late: whoever said them is busy with what they tell of, and a log that is read at
    /// once wakes its reader on the same processor in the middle of it.
    private static let delay = DispatchTimeInterval.milliseconds(20)

    private struct Waiting {
        var lines: [(text: String, time: Date)] = []
        /// Lines that are waiting or being written.
        var count = 0
        var dropped = 0
        var isPlanned = false
    }

    private let queue = DispatchQueue(label: "uavlink.log")
    private let waiting = Mutex(Waiting())
    private let output: @Sendable (Data) -> Void

    init(_ output: @escaping @Sendable (Data) -> Void) { self.output = output }

    func write(_ line: String, at time: Date) {
        let plans = waiting.withLock { waiting in
            guard waiting.count < Self.most else {
                waiting.dropped += 1
                return false
            }
            if waiting.dropped > 0 {
                waiting.lines.append(("\(waiting.dropped) lines were not written: nobody read them", time))
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
        let text = lines.map { "\(CompanionLog.stamp($0.time)) \($0.text.harmlessLine)\n" }.joined()
        output(Data(text.utf8))
        waiting.withLock { $0.count -= lines.count }
    }
}
