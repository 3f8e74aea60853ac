#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import SystemIO
internal import UAVLink

/// Notifies a service manager of the process's state, like `sd_notify` of systemd: one message per datagram, to the socket
/// that the environment names. It never blocks; a message that cannot be sent is dropped.
public final class ServiceManager: Sendable {
    /// A message to the manager.
    public enum State: String, Sendable {
        /// The service is ready.
        case ready = "READY=1"
        /// The service is about to end.
        case stopping = "STOPPING=1"
        /// The service is alive.
        case watchdog = "WATCHDOG=1"
    }

    /// How long without ``State/watchdog`` until the manager ends the service; `nil` if it does not watch this process.
    public let watchdogPeriod: Duration?
    private let socket: SocketHandle
    private let address: UnixAddress

    /// The manager named by the environment (`NOTIFY_SOCKET`, `WATCHDOG_USEC`, `WATCHDOG_PID`); `nil` if there is none.
    public convenience init?(environment: [String: String]) {
        self.init(environment: environment, process: getpid())
    }

    init?(environment: [String: String], process: Int32) {
        guard let name = environment["NOTIFY_SOCKET"], let address = UnixAddress(notify: name),
            // An address that does not fit is detected here, not with each message.
            (try? address.withSockaddr { _, _ in }) != nil,
            let socket = SocketHandle.make(family: AF_UNIX, stream: false)
        else { return nil }
        self.socket = socket
        self.address = address
        watchdogPeriod = Self.watchdogPeriod(environment, process: process)
    }

    /// Sends a message.
    public func tell(_ state: State) {
        var text = state.rawValue
        text.withUTF8 { bytes in
            _ = try? address.withSockaddr {
                sendto(socket.descriptor, bytes.baseAddress, bytes.count, sendFlags, $0, $1)
            }
        }
    }

    /// Parses the environment like sd_watchdog_enabled(3).
    static func watchdogPeriod(_ environment: [String: String], process: Int32) -> Duration? {
        guard let microseconds = environment["WATCHDOG_USEC"].flatMap({ Int64($0) }), microseconds > 0,
            microseconds <= Int64.max / 1000
        else { return nil }
        if let named = environment["WATCHDOG_PID"], Int32(named) != process { return nil }
        return .microseconds(microseconds)
    }
}

extension UnixAddress {
    /// Parses `NOTIFY_SOCKET`: an absolute path, or `@` and the name of an abstract address.
    init?(notify text: String) {
        switch text.first {
        case "/": self = .path(text)
        case "@" where text.utf8.count > 1: self = .abstract(String(text.dropFirst()))
        default: return nil
        }
    }
}

#if canImport(Glibc)
    private let sendFlags = Int32(MSG_NOSIGNAL)
#else
    private let sendFlags: Int32 = 0
#endif
