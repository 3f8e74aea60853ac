internal import SystemIO

extension ZenohError {
    /// An error of a socket or of the event loop.
    init(_ error: SocketError) {
        switch error.code {
        case .unreachable: self.init(.unreachable, error.what, hint: error.hint)
        case .closed: self = .clientShutDown
        case .systemFailure: self.init(.systemFailure, error.what, hint: error.hint)
        }
    }

    /// The client, to which the event loop and its connection belong, has ended.
    static var clientShutDown: ZenohError { ZenohError(.closed, "the Zenoh client was shut down") }

    /// There is no session now.
    static var noSession: ZenohError {
        ZenohError(.notConnected, "there is no session with a Zenoh router now", hint: "is rmw_zenohd running there?")
    }
}

/// What a task waits for from the event loop.
typealias Answer<Value: Sendable> = LoopAnswer<Value, ZenohError>

extension LoopAnswer where Failure == ZenohError {
    /// Waits for the result; only one caller may wait.
    func value() async throws(ZenohError) -> Value {
        try await value(cancelled: ZenohError(.cancelled, "the call was cancelled"))
    }
}
