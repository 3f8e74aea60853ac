internal import ROSMessages
internal import SystemIO
internal import XMLRPC

extension ROSError {
    /// An error of a socket or of the event loop.
    init(_ error: SocketError) {
        switch error.code {
        case .unreachable: self.init(.unreachable, error.what, hint: error.hint)
        case .closed: self = .nodeShutDown
        case .systemFailure: self.init(.systemFailure, error.what, hint: error.hint)
        }
    }

    /// An error of a call to the master or to another node.
    init(_ error: XMLRPCError) {
        let code: Code
        switch error.code {
        case .unreachable: code = .unreachable
        case .connectionLost: code = .connectionLost
        case .timedOut: code = .timedOut
        case .closed:
            self = .nodeShutDown
            return
        case .protocolViolation: code = .protocolViolation
        case .tooLarge: code = .tooLarge
        }
        self.init(code, error.what)
    }

    /// The node, to which the event loop and its connections belong, has ended.
    static var nodeShutDown: ROSError { ROSError(.closed, "the node was shut down") }
}

/// What a task waits for from the event loop.
typealias Answer<Value: Sendable> = LoopAnswer<Value, ROSError>

extension LoopAnswer where Failure == ROSError {
    /// Waits for the result; only one caller may wait.
    func value() async throws(ROSError) -> Value {
        try await value(cancelled: ROSError(.cancelled, "the call was cancelled"))
    }
}
