internal import SystemIO
internal import Threads

/// Has connections over TLS begun on a thread of their own: that reads files, and a disk may take long to answer.
///
/// Everything here is called on the I/O thread.
final class SecureConnector {
    typealias Outcome = Result<any ZenohTLSConnection, ZenohError>

    /// Who gets the next outcome: the newest attempt to connect.
    private var waiter: ((Outcome) -> Void)?
    /// Whether a thread is at work. There is one at most, however often a slow disk makes an attempt time out.
    private var isAtWork = false

    /// Calls `completion` on the I/O thread, unless this is called again before the outcome.
    func connect(
        _ security: any ZenohSecurity, to host: String, at locator: String, on loop: LoopCore,
        _ completion: @escaping (Outcome) -> Void
    ) {
        waiter = completion
        guard !isAtWork else { return }
        isAtWork = true
        let events = loop.loop
        let hasStarted = DedicatedThread.start {
            let outcome: Outcome = Result { () throws(ZenohError) -> any ZenohTLSConnection in
                try security.connection(to: host, at: locator)
            }
            events.submit { core in (core.attachment as? ClientCore)?.secureConnector.finish(outcome) }
        }
        if !hasStarted {
            finish(.failure(ZenohError(.systemFailure, "cannot create a thread", hint: "raise 'ulimit -u'")))
        }
    }

    fileprivate func finish(_ outcome: Outcome) {
        isAtWork = false
        let waiter = waiter
        self.waiter = nil
        waiter?(outcome)
    }
}
