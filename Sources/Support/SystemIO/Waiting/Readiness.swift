#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// What a descriptor is waited for, or what `poll` reports of it.
package struct Readiness: OptionSet, Hashable, Sendable {
    package let rawValue: Int16

    /// Creates a set of the bits of `poll`.
    package init(rawValue: Int16) { self.rawValue = rawValue }

    /// Bytes or connections can be read, or the connection has ended.
    package static let readable = Readiness(rawValue: Int16(POLLIN))
    /// Bytes can be written, or a connection was established or has failed.
    package static let writable = Readiness(rawValue: Int16(POLLOUT))
    /// The socket has failed (`POLLERR`); reported without being asked for.
    package static let failed = Readiness(rawValue: Int16(POLLERR))
    /// The other end is gone (`POLLHUP`); what it has sent can still be read. Reported without being asked for.
    package static let hungUp = Readiness(rawValue: Int16(POLLHUP))
    /// The number is no open descriptor (`POLLNVAL`); reported without being asked for.
    package static let invalid = Readiness(rawValue: Int16(POLLNVAL))
    /// Both. As these two, a constant: a set that is written where it is used costs an allocation each time.
    package static let bothWays: Readiness = [.readable, .writable]
    /// There is something to read, or the descriptor is broken.
    package static let arrival: Readiness = [.readable, .failed, .hungUp, .invalid]
    /// The descriptor is of no more use, or soon.
    package static let broken: Readiness = [.failed, .hungUp, .invalid]
}
