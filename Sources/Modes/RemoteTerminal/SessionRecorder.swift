internal import Synchronization

/// A session log written by several tasks.
package final class SessionRecorder: Sendable {
    private let log = Mutex(SessionLog())
    private let now: @Sendable () -> Double

    /// Creates an empty log; `now` returns seconds since 1970.
    package init(now: @escaping @Sendable () -> Double = { SessionLogFile.now }) { self.now = now }

    /// Adds an event of the connection, or a line that was sent.
    package func add(_ kind: SessionLog.Kind, _ text: String) {
        let time = now()
        log.withLock { $0.add(kind, text, at: time) }
    }

    /// Adds received bytes.
    package func received(_ bytes: some Collection<UInt8>) {
        let time = now()
        log.withLock { $0.addReceived(bytes, at: time) }
    }

    /// The present log and time.
    package var present: (log: SessionLog, seconds: Double) { (log.withLock { $0 }, now()) }
}
