#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// The events that a handler waits for, or that have occurred.
struct Readiness: OptionSet {
    let rawValue: Int16
    static let readable = Readiness(rawValue: Int16(POLLIN))
    static let writable = Readiness(rawValue: Int16(POLLOUT))
    static let broken = Readiness(rawValue: Int16(POLLERR) | Int16(POLLHUP) | Int16(POLLNVAL))
}

/// A socket, a deadline or both, served by an ``EventLoop``.
protocol LoopHandler: AnyObject {
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
