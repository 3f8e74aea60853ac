/// Redirects a connection, for measurements and tests.
public struct ZenohRedirect: Sendable {
    /// Maps the address of the router to the one to connect to; must not block.
    public let dial: @Sendable (_ host: String, _ port: UInt16) -> (host: String, port: UInt16)

    /// Creates a redirection.
    public init(_ dial: @escaping @Sendable (_ host: String, _ port: UInt16) -> (host: String, port: UInt16)) {
        self.dial = dial
    }
}

/// The configuration of a client.
public struct ZenohConfiguration: Sendable {
    /// The router's host: a name or an IPv4 address.
    public var host: String
    /// The router's port.
    public var port: UInt16
    /// TLS of the connection; `nil` for none, over TCP alone.
    public var security: (any ZenohSecurity)?
    /// Our identity; `nil` for a random one.
    public var id: ZenohID?
    /// How long the router waits for a sign of life from us, at least a second; we give four in that time.
    public var lease: Duration = .seconds(10)
    /// How long connecting and opening a session may take together.
    public var openTimeout: Duration = .seconds(5)
    /// The largest message accepted from the router, bytes. A dense point cloud has some 10 MB.
    public var maximumMessageBytes = 64 << 20
    /// The most bytes that wait while the connection accepts none; messages beyond are refused.
    public var maximumWaitingBytes = 64 << 20
    /// How often the router is asked for one of our liveliness tokens; one that it has forgotten is declared again with all else.
    public var checkPeriod: Duration = .seconds(1)
    /// Redirects the connection, for measurements and tests.
    public var redirect: ZenohRedirect?
    /// Receives the client's events on the I/O thread; must not block.
    public var onEvent: (@Sendable (ZenohEvent) -> Void)?

    /// The port of a router when none is given.
    public static let defaultPort: UInt16 = 7447

    /// Creates a configuration for a router at a host and port.
    public init(host: String, port: UInt16 = defaultPort) {
        self.host = host
        self.port = port
    }

    /// Creates a configuration for a router given in Zenoh's notation, `tcp/host:port` or `tls/host:port`.
    ///
    /// - Parameter security: TLS, for `tls/host:port`; `nil` in a program that has none.
    /// - Throws: ``ZenohError`` with ``ZenohError/Code/invalidConfiguration``; UDP and IPv6 are not supported.
    public init(locator: String, security: (any ZenohSecurity)? = nil) throws(ZenohError) {
        let isSecure = locator.hasPrefix("tls/")
        guard isSecure || locator.hasPrefix("tcp/") else {
            guard locator.utf8.contains(UInt8(ascii: "/")) else { throw Self.invalid(locator) }
            throw ZenohError(
                .invalidConfiguration, "'\(locator)' is not a connection over TCP",
                hint: "only 'tcp/host:port' and 'tls/host:port' are supported")
        }
        let bytes = Array(locator.utf8)
        guard let colon = bytes.lastIndex(of: UInt8(ascii: ":")), colon > Self.kindLength else {
            throw Self.invalid(locator)
        }
        var number = 0
        for byte in bytes[(colon + 1)...] {
            guard (0x30...0x39).contains(byte), number <= UInt16.max else { throw Self.invalid(locator) }
            number = number * 10 + Int(byte & 0xF)
        }
        guard let port = UInt16(exactly: number), port > 0 else { throw Self.invalid(locator) }
        for byte in bytes[Self.kindLength..<colon] {
            guard byte > 0x20, byte < 0x7F, !Self.reserved.contains(byte) else { throw Self.invalid(locator) }
        }
        self.init(host: String(decoding: bytes[Self.kindLength..<colon], as: UTF8.self), port: port)
        guard isSecure else { return }
        guard let security else {
            throw ZenohError(
                .invalidConfiguration, "'\(locator)' is a connection over TLS, which this program does not have",
                hint: "it runs beside the router: use 'tcp/host:port' there; 'uavlink --link ros' has TLS")
        }
        self.security = security
    }

    /// The bytes of `tcp/`.
    private static let kindLength = 4
    /// `/:[]?#`: not in a host.
    private static let reserved: [UInt8] = [0x2F, 0x3A, 0x5B, 0x5D, 0x3F, 0x23]

    /// The router in Zenoh's notation.
    public var locator: String { "\(security == nil ? "tcp" : "tls")/\(host):\(port)" }

    private static func invalid(_ locator: String) -> ZenohError {
        ZenohError(
            .invalidConfiguration, "'\(locator)' is no address of a Zenoh router", hint: "write 'tcp/host:7447'")
    }
}

/// An event of a client, for logs; none requires an action.
public enum ZenohEvent: Sendable, CustomStringConvertible {
    /// A session is open, for the first time or again; everything is declared.
    case connected(router: ZenohID, again: Bool)
    /// The router did not know this token of ours any more; everything was declared again.
    case forgotten(String)
    /// The session ended; the client connects again.
    case lost(ZenohError)
    /// No session could be opened; the client tries again.
    case unreachable(ZenohError)

    /// One line.
    public var description: String {
        switch self {
        case .connected(let router, let again):
            "the Zenoh router \(router) answers\(again ? " again" : "")"
        case .forgotten(let token):
            "the Zenoh router does not know '\(token)' any more: everything was declared again"
        case .lost(let error): "lost the session with the Zenoh router: \(error)"
        case .unreachable(let error): error.description
        }
    }
}
