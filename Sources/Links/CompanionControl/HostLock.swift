#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import Threads
public import UAVLink

/// Lets only one companion for a vehicle of a ROS graph run on a host, whatever user and runtime directory it has.
///
/// It is an abstract socket address of Linux, so that it needs no rights to any file, is one for all users in a network namespace,
/// and is gone with its process, however that ends. Who has it says there where his control socket is:
///
/// ```
///   bound, not announced    starting: whoever asks waits for the answer
///   announced               each who connects is told the control socket's path
///   concluded               ending: nobody can connect, and the name is still taken
/// ```
/// Any user of the host can take the name first, and so keep a companion from starting; he cannot have a second one fly.
///
/// Elsewhere than on Linux there is none, and the ROS graph alone (its nodes' names) tells of a second companion.
public final class HostLock: Sendable {
    /// What is locked.
    public struct Name: Hashable, Sendable, CustomStringConvertible {
        private let text: String

        /// The address as `ss -xl` shows it.
        public var description: String { address.text }

        var address: UnixAddress { .abstract(text) }

        /// The name of a vehicle of a ROS graph.
        ///
        /// - Parameter graph: its master's address; each has one spelling only.
        public init(vehicle: String, graph: String) {
            // FNV-1a: an address is short, and nothing is proved by it.
            var hash: UInt64 = 0xcbf2_9ce4_8422_2325
            for byte in graph.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
            text = "uavlink-companion/\(vehicle)/\(String(hash, radix: 16))"
        }
    }

    /// Who has a lock: what the kernel says of the process that took it.
    public struct Holder: Hashable, Sendable {
        /// The process, 0 for one of another container.
        public let process: Int32
        /// The number of its user.
        public let user: UInt32
        /// Where it says that it is asked; `nil` when it says nothing, as one does that is starting or ending.
        public let controlSocket: String?

        /// Whether it is a process of this user, whose word is as good as ours.
        public var isOurs: Bool { user == geteuid() }
    }

    private let socket: UnixSocket?

    /// How long an end may take over its line, when nothing else is said: 2 s.
    public static let defaultPatience = ControlLimits.patience

    /// Takes the lock; `nil` when somebody has it.
    ///
    /// - Parameter patience: how long who asks may take to be told.
    /// - Throws: ``LinkError`` with ``LinkError/Code/companionUnavailable`` when there can be none.
    public init?(_ name: Name, patience: Duration = defaultPatience) throws(LinkError) {
        #if os(Linux)
            guard let socket = try UnixSocket.listen(atUnused: name.address, patience: patience) else { return nil }
            self.socket = socket
        #else
            socket = nil
        #endif
    }

    /// Tells everybody who asks from now on where the control socket is.
    ///
    /// - Throws: ``LinkError`` when the system has no more threads to give.
    public func announce(_ controlSocket: String) throws(LinkError) {
        guard let socket else { return }
        let hasStarted = OwnThread.start {
            // Until it is concluded. A line fits the buffer of a fresh connection, so nobody can hold this up.
            while let connection = socket.accept() { connection.writeLine(controlSocket) }
        }
        guard hasStarted else {
            throw LinkError(.companionUnavailable, "a thread could not be started", hint: "raise 'ulimit -u'")
        }
    }

    /// Lets nobody ask any more; the name stays taken until the lock is let go of.
    public func conclude() { socket?.stopListening() }

    deinit { conclude() }

    /// Who has the lock; `nil` when nobody has, or nobody can be asked.
    ///
    /// - Parameter patience: how long his whole answer may take: any user's process may be the one that answers.
    public static func holder(of name: Name, within patience: Duration = defaultPatience) -> Holder? {
        #if os(Linux)
            guard let socket = try? UnixSocket.connect(to: name.address, patience: patience), let peer = socket.peer
            else { return nil }
            guard case .line(let path) = socket.readLine(limit: ControlLimits.pathBytes) else {
                return Holder(process: peer.process, user: peer.user, controlSocket: nil)
            }
            return Holder(process: peer.process, user: peer.user, controlSocket: path)
        #else
            return nil
        #endif
    }
}
