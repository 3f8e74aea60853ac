#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import Secrets
internal import Threads
public import UAVLink

/// Allows one companion per vehicle of a ROS graph on a host, whatever its user and runtime directory.
///
/// It is an abstract socket address of Linux, so it needs no file permissions, is shared by all users of a network namespace,
/// and disappears with its process, however that ends. Its holder announces the path of its control socket there:
///
/// ```
///   bound, not announced    starting: clients wait for the answer
///   announced               each client is sent the control socket's path
///   concluded               ending: no client can connect, and the name is still taken
/// ```
/// Any user of the host can take the name first and so keep a companion from starting, but cannot make a second one fly.
///
/// Linux only; elsewhere a second companion is detected only by its nodes' names in the ROS graph.
public final class HostLock: Sendable {
    /// The name of a lock.
    public struct Name: Hashable, Sendable, CustomStringConvertible {
        private let text: String

        /// The address as `ss -xl` shows it.
        public var description: String { address.text }

        var address: UnixAddress { .abstract(text) }

        /// The name for a vehicle of a ROS graph.
        ///
        /// - Parameter graph: its master's address, in one normalized spelling.
        public init(vehicle: String, graph: String) {
            // FNV-1a: an address is short, and the hash has no security purpose.
            var hash: UInt64 = 0xcbf2_9ce4_8422_2325
            for byte in graph.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
            text = "uavlink-companion/\(vehicle)/\(String(hash, radix: 16))"
        }
    }

    /// The holder of a lock: the kernel's information about the process that took it.
    public struct Holder: Hashable, Sendable {
        /// The process ID; 0 for one in another container.
        public let process: Int32
        /// The user ID.
        public let user: UInt32
        /// Path of its control socket; `nil` if it announces none, as while starting or ending.
        public let controlSocket: String?

        /// Whether it is a process of this user, which can be trusted.
        public var isSameUser: Bool { user == geteuid() }
    }

    private let socket: UnixSocket?

    /// Default timeout for a line: 2 s.
    public static let defaultLineTimeout = ControlLimits.timeout

    /// Takes the lock; `nil` if another process has it.
    ///
    /// - Parameter timeout: timeout for sending the answer to a client.
    /// - Throws: ``LinkError`` with ``LinkError/Code/companionUnavailable`` if it cannot be created.
    public init?(_ name: Name, timeout: Duration = defaultLineTimeout) throws(LinkError) {
        #if os(Linux)
            guard let socket = try UnixSocket.listen(atUnused: name.address, timeout: timeout) else { return nil }
            self.socket = socket
        #else
            socket = nil
        #endif
    }

    /// Announces the control socket's path to all clients from now on.
    ///
    /// - Throws: ``LinkError`` if no thread can be started.
    public func announce(_ controlSocket: String) throws(LinkError) {
        guard let socket else { return }
        let hasStarted = DedicatedThread.start {
            // Until it is concluded. A line fits the buffer of a fresh connection, so no client can block this.
            while let connection = socket.accept() { connection.writeLine(SecretBytes(controlSocket)) }
        }
        guard hasStarted else {
            throw LinkError(.companionUnavailable, "cannot create a thread", hint: "raise 'ulimit -u'")
        }
    }

    /// Accepts no more clients; the name stays taken until the lock is released.
    public func conclude() { socket?.stopListening() }

    deinit { conclude() }

    /// The holder of the lock; `nil` if there is none, or it cannot be asked.
    ///
    /// - Parameter timeout: timeout for the whole answer, since any user's process may be the holder.
    public static func holder(of name: Name, within timeout: Duration = defaultLineTimeout) -> Holder? {
        #if os(Linux)
            guard let socket = try? UnixSocket.connect(to: name.address, timeout: timeout), let peer = socket.peer
            else { return nil }
            guard case .line(let path) = socket.readLine(limit: ControlLimits.pathBytes) else {
                return Holder(process: peer.process, user: peer.user, controlSocket: nil)
            }
            return Holder(process: peer.process, user: peer.user, controlSocket: path.unwipedText)
        #else
            return nil
        #endif
    }
}
