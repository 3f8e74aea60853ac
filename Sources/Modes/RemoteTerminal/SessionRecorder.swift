internal import Synchronization

/// The log of a session, written from several tasks.
public final class SessionRecorder: Sendable {
    private let log = Mutex(SessionLog())
    private let now: @Sendable () -> Double

    /// An empty log; `now` tells seconds since 1970.
    public init(now: @escaping @Sendable () -> Double = { SessionLogFile.now }) { self.now = now }

    /// Writes down something about the connection, or a line that was sent.
    public func add(_ kind: SessionLog.Kind, _ text: String) {
        let time = now()
        log.withLock { $0.add(kind, text, at: time) }
    }

    /// Writes down bytes that were received.
    public func received(_ bytes: some Collection<UInt8>) {
        let time = now()
        log.withLock { $0.addReceived(bytes, at: time) }
    }

    /// The log as it is now, and the time.
    public var present: (log: SessionLog, seconds: Double) { (log.withLock { $0 }, now()) }
}
