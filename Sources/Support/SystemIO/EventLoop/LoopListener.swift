/// The listening socket of a ``LoopHandler``. After a shortage it is not waited for until ``Acceptance/rest`` has passed, since it
/// stays readable meanwhile.
package struct LoopListener {
    private let socket: SocketHandle
    private var restsUntil: ContinuousClock.Instant?

    /// Takes a listening socket whose calls do not wait.
    package init(_ socket: SocketHandle) { self.socket = socket }

    /// The handler's ``LoopHandler/descriptor``.
    package var descriptor: Int32 { socket.descriptor }
    /// The handler's ``LoopHandler/owner``.
    package var owner: AnyObject? { socket }
    /// The handler's ``LoopHandler/interest``, unless it wants no connections now.
    package var interest: Readiness { restsUntil == nil ? .readable : [] }
    /// When ``resume()`` is due; a part of the handler's ``LoopHandler/deadline``.
    package var deadline: ContinuousClock.Instant? { restsUntil }

    /// The next pending connection, set up for many small messages; `nil` when there is none, or none can be taken now.
    package mutating func accept() -> SocketHandle? {
        guard restsUntil == nil else { return nil }
        while true {
            switch socket.acceptNext() {
            case .connection(let connection):
                connection.setMessageOptions()
                return connection
            case .nobody: return nil
            case .gone: continue
            case .shortage, .ended:
                restsUntil = .now + Acceptance.rest
                return nil
            }
        }
    }

    /// Waits for connections again if ``deadline`` has passed.
    package mutating func resume() {
        if let restsUntil, restsUntil <= .now { self.restsUntil = nil }
    }
}
