#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// The events that a handler waits for, or that have occurred.
package struct Readiness: OptionSet {
    package let rawValue: Int16

    /// Creates a set of the bits of `poll`.
    package init(rawValue: Int16) { self.rawValue = rawValue }

    /// Bytes or connections can be read, or the connection has ended.
    package static let readable = Readiness(rawValue: Int16(POLLIN))
    /// Bytes can be written, or a connection was established or has failed.
    package static let writable = Readiness(rawValue: Int16(POLLOUT))
    /// The socket has failed.
    package static let broken = Readiness(rawValue: Int16(POLLERR) | Int16(POLLHUP) | Int16(POLLNVAL))
}

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
