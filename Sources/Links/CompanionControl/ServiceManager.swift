#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import UAVLink

/// Tells a service manager how this process fares, as `sd_notify` of systemd does: a word a datagram, to the socket that the
/// environment names. It never waits; what cannot be sent is not sent again.
public final class ServiceManager: Sendable {
    /// What it is told.
    public enum State: String, Sendable {
        /// The service is there.
        case ready = "READY=1"
        /// The service is about to end.
        case stopping = "STOPPING=1"
        /// The service works.
        case watchdog = "WATCHDOG=1"
    }

    /// After how long without ``State/watchdog`` it ends the service; `nil` when it does not watch this process.
    public let watchdogPeriod: Duration?
    private let descriptor: Int32
    private let address: UnixAddress

    /// The one that the environment names (`NOTIFY_SOCKET`, `WATCHDOG_USEC`, `WATCHDOG_PID`); `nil` when it names none that can be told.
    public convenience init?(environment: [String: String]) {
        self.init(environment: environment, process: getpid())
    }

    init?(environment: [String: String], process: Int32) {
        guard let name = environment["NOTIFY_SOCKET"], let address = UnixAddress(notify: name),
            // One that does not fit is found here, and not with each word.
            (try? address.withSockaddr { _, _ in }) != nil
        else { return nil }
        descriptor = socket(AF_UNIX, datagramSocket, 0)
        guard descriptor >= 0 else { return nil }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        self.address = address
        watchdogPeriod = Self.watchdogPeriod(environment, process: process)
    }

    deinit { close(descriptor) }

    /// Tells it.
    public func tell(_ state: State) {
        var text = state.rawValue
        text.withUTF8 { bytes in
            _ = try? address.withSockaddr {
                sendto(descriptor, bytes.baseAddress, bytes.count, withoutWaiting, $0, $1)
            }
        }
    }

    /// As sd_watchdog_enabled(3) reads it.
    static func watchdogPeriod(_ environment: [String: String], process: Int32) -> Duration? {
        guard let microseconds = environment["WATCHDOG_USEC"].flatMap({ Int64($0) }), microseconds > 0,
            microseconds <= Int64.max / 1000
        else { return nil }
        if let named = environment["WATCHDOG_PID"], Int32(named) != process { return nil }
        return .microseconds(microseconds)
    }
}

extension UnixAddress {
    /// What `NOTIFY_SOCKET` names: a whole path, or `@` and the name of an abstract address.
    init?(notify text: String) {
        switch text.first {
        case "/": self = .path(text)
        case "@" where text.utf8.count > 1: self = .abstract(String(text.dropFirst()))
        default: return nil
        }
    }
}

#if canImport(Glibc)
    private let datagramSocket = Int32(SOCK_DGRAM.rawValue)
    private let withoutWaiting = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
#else
    private let datagramSocket = SOCK_DGRAM
    private let withoutWaiting = MSG_DONTWAIT
#endif
