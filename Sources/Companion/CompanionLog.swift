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
        self.write = write
        finish = {}
    }

    /// A log on standard error, as systemd and people expect; whoever says something does not wait for it.
    public init() {
        let lines = LogLines()
        write = { lines.write($0, at: .now) }
        finish = { lines.finish() }
    }

    /// Says one line, whatever is in it.
    public func say(_ line: String) { write(line.harmlessLine) }

    /// Waits until everything said so far is written.
    public func flush() { finish() }
}

/// Writes lines in their order behind the backs of those who say them: the channel's thread speaks here, and neither a
/// slow terminal nor a full pipe may hold up steering.
private final class LogLines: Sendable {
    /// Lines that may wait for a reader that has stopped; then further ones are counted only.
    private static let most = 1000

    private let queue = DispatchQueue(label: "uavlink.log")
    private let waiting = Mutex((lines: 0, dropped: 0))

    func write(_ line: String, at time: Date) {
        let dropped: Int? = waiting.withLock { waiting in
            guard waiting.lines < Self.most else {
                waiting.dropped += 1
                return nil
            }
            waiting.lines += 1
            defer { waiting.dropped = 0 }
            return waiting.dropped
        }
        guard let dropped else { return }
        queue.async {
            if dropped > 0 { Self.print("\(dropped) lines were not written: nobody read them", time) }
            Self.print(line, time)
            self.waiting.withLock { $0.lines -= 1 }
        }
    }

    func finish() { queue.sync {} }

    private static func print(_ line: String, _ time: Date) {
        let time = time.ISO8601Format(.iso8601(timeZone: .gmt, includingFractionalSeconds: true))
        try? FileHandle.standardError.write(contentsOf: Data("\(time) \(line)\n".utf8))
    }
}
