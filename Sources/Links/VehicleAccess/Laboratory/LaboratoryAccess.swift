#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import Impairment
internal import ROS1
public import SSHTransport
public import SocketTransport
internal import Threads
public import UAVCore
public import UAVLink

/// Links to one vehicle through relays, one at a time and each by itself, for measuring.
public struct LaboratoryAccess: Sendable {
    /// The vehicle's profile.
    public let profile: VehicleProfile
    let connector: VehicleConnector

    /// The vehicle of a connector.
    public init(_ connector: VehicleConnector) {
        profile = connector.profile
        self.connector = connector
    }

    /// Command lines for the vehicle.
    ///
    /// - Throws: ``LinkError`` with `invalidInput` for a name that cannot be a vehicle's.
    public func commandLines() throws(LinkError) -> ROSCommandLines { try profile.commandLines }

    /// The vehicle's address, IPv4 in digits.
    ///
    /// - Throws: ``LinkError`` with `unreachable` when there is none.
    public func address() async throws(LinkError) -> String {
        guard let host = profile.host else { return "127.0.0.1" }
        let found = await OwnThread.run { Self.lookUp(host) }
        guard let address = found ?? nil else {
            throw LinkError(
                .unreachable, "'\(host.harmlessLine)' has no IPv4 address, which the relays need",
                hint: "name the vehicle's computer by its IPv4 address")
        }
        return address
    }

    private static func lookUp(_ host: String) -> String? {
        var hints = addrinfo()
        hints.ai_family = AF_INET
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, &hints, &found) == 0, let first = found else { return nil }
        defer { freeaddrinfo(found) }
        var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        guard
            getnameinfo(
                first.pointee.ai_addr, first.pointee.ai_addrlen, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST)
                == 0
        else { return nil }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// A log-in of its own.
    ///
    /// - Throws: ``LinkError`` as ``SSHSession/connect(to:authentication:hostKeys:within:)``.
    public func logIn(
        through relays: RelaySet, at address: String, within timeout: Duration
    ) async throws(LinkError) -> SSHSession {
        guard !profile.isLocal else {
            throw LinkError(
                .invalidInput, "there is no host to log in to", hint: "name it with --host, or in the configuration")
        }
        let port = try relays.port(.tcp, host: address, port: UInt16(clamping: profile.port))
        return try await SharedSession.open(
            profile, connector.credentials, connector.environment, within: timeout, relayPort: port
        ) { _ in }.get()
    }

    /// A ticket for one session, asked for past all relays.
    ///
    /// - Throws: ``LinkError``.
    public func ticket(within timeout: Duration) async throws(LinkError) -> ChannelTicket {
        try await CompanionBootstrap(
            profile: profile, environment: connector.environment, session: connector.shared
        ).ticket(within: timeout)
    }

    /// The channel; without relays straight to the companion.
    ///
    /// - Throws: ``LinkError``.
    public func channel(
        _ carrier: SocketLink.Carrier, through relays: RelaySet?, at address: String
    ) throws(LinkError) -> SocketLink {
        let access = self
        return try SocketLink(
            host: relays == nil ? address : "127.0.0.1", carrier: carrier,
            requestTicket: { (timeout: Duration) async throws(LinkError) in
                let ticket = try await access.ticket(within: timeout)
                guard let relays else { return ticket }
                return ticket.through(
                    udpPort: carrier == .udp && ticket.udpPort != 0
                        ? try relays.port(.udp, host: address, port: ticket.udpPort) : 0,
                    tcpPort: carrier == .tcp && ticket.tcpPort != 0
                        ? try relays.port(.tcp, host: address, port: ticket.tcpPort) : 0)
            })
    }

    /// The channel over TCP, inside an SSH session.
    ///
    /// - Throws: ``LinkError``.
    public func tunnelledChannel(in session: SSHSession) throws(LinkError) -> SocketLink {
        let access = self
        let forwards = Forwards()
        return try SocketLink(
            host: "127.0.0.1", carrier: .tcp,
            requestTicket: { (timeout: Duration) async throws(LinkError) in
                let ticket = try await access.ticket(within: timeout)
                let port = try await forwards.port(to: ticket.tcpPort, in: session)
                return ticket.through(udpPort: 0, tcpPort: port)
            })
    }

    /// Keeps the forwarded ports of a link, one for each of the companion's.
    private actor Forwards {
        private var open: [UInt16: SSHPortForward] = [:]

        func port(to port: UInt16, in session: SSHSession) throws(LinkError) -> UInt16 {
            if let known = open[port] { return known.port }
            let made = try SSHPortForward(session, toHost: "127.0.0.1", port: port)
            open[port] = made
            return made.port
        }
    }

    /// ROS from here: what the node dials, and what dials it, goes through relays.
    ///
    /// - Throws: ``LinkError``.
    public func ros(through relays: RelaySet) throws(LinkError) -> ROSLink {
        let detour = ROSDetour(
            dial: { host, port in
                // A relay that cannot be made must not pass for a link without one.
                ("127.0.0.1", (try? relays.port(.tcp, host: host, port: port)) ?? 9)
            },
            announce: { port in (try? relays.port(.tcp, host: "127.0.0.1", port: port, everywhere: true)) ?? port })
        return try ROSLink(
            vehicle: profile.vehicle, master: profile.rosMaster, environment: connector.environment, detour: detour)
    }
}
