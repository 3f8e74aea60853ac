/// A socket, a deadline or both, served by an ``EventLoop``.
package protocol LoopHandler: AnyObject {
    /// The socket; -1 for none.
    var descriptor: Int32 { get }
    /// The socket events to wait for.
    var interest: Readiness { get }
    /// When ``deadlinePassed(on:)`` is due.
    var deadline: ContinuousClock.Instant? { get }
    /// `true` once the loop may remove the handler.
    var isFinished: Bool { get }
    /// The socket is ready.
    func ready(_ readiness: Readiness, on loop: LoopCore)
    /// The deadline has passed.
    func deadlinePassed(on loop: LoopCore)
    /// The loop is stopping and this handler is not finished.
    func loopWillStop(on loop: LoopCore)
}
