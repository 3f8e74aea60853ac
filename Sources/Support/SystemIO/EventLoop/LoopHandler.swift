/// A socket, a deadline or both, served by an ``EventLoop``.
package protocol LoopHandler: AnyObject {
    /// The socket; -1 for none.
    var descriptor: Int32 { get }
    /// What keeps ``descriptor`` open; the loop holds it until it no longer waits for that. `nil` for one that stays open while the
    /// handler is not finished. Another descriptor has another owner, even with the same number.
    var owner: AnyObject? { get }
    /// The socket events to wait for.
    var interest: Readiness { get }
    /// When ``deadlinePassed(on:)`` is due.
    var deadline: ContinuousClock.Instant? { get }
    /// `true` once the loop may remove the handler.
    var isFinished: Bool { get }
    /// Whether what it does when its socket is ready changes no other handler, except through the loop (closures, new handlers,
    /// wake-ups, announced deadlines): then only this one is asked again what it waits for.
    var isSelfContained: Bool { get }
    /// The socket is ready.
    func ready(_ readiness: Readiness, on loop: LoopCore)
    /// The deadline has passed.
    func deadlinePassed(on loop: LoopCore)
    /// The loop is stopping and this handler is not finished.
    func loopWillStop(on loop: LoopCore)
}

extension LoopHandler {
    package var isSelfContained: Bool { false }
}
