#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import Impairment
package import MRS
internal import ROS1
package import SSHTransport
package import ChannelProtocol
package import SocketTransport
internal import SystemIO
internal import Threads
package import UAVLink

/// Links to one vehicle through relays, or through networks that lose packets, opened one at a time for measurements.
package struct LaboratoryAccess: Sendable {
    /// The vehicle's profile.
    package let profile: VehicleProfile
    let connector: VehicleConnector

    /// Creates access to the vehicle of a connector.
    package init(_ connector: VehicleConnector) {
        profile = connector.profile
        self.connector = connector
    }

    /// Command lines of ROS's programs for the vehicle, in its environment of ROS.
    ///
    /// - Throws: ``LinkError`` as ``EnvironmentFinder/lines(in:within:needsROS:)``.
    package func commandLines(
        in session: SSHSession, within timeout: Duration
    ) async throws(LinkError) -> ROSCommandLines {
        try await connector.shared.finder.lines(in: session, within: timeout, needsROS: true)
    }

    /// The vehicle's numeric IPv4 address.
    ///
    /// - Throws: ``LinkError`` with `unreachable` if there is none.
    package func address() async throws(LinkError) -> String {
        guard let host = profile.host else { return "127.0.0.1" }
        let found = await DedicatedThread.run { (try? AddressLookup.addresses(of: host, family: AF_INET))?.first }
        guard let address = (found ?? nil)?.text else {
            throw LinkError(
                .unreachable, "'\(host.sanitizedLine)' has no IPv4 address, which the relays need",
                hint: "give the IPv4 address of the vehicle's computer")
        }
        return address
    }

    /// Opens a separate SSH session; without relays, directly.
    ///
    /// - Throws: ``LinkError`` as ``SSHSession/connect(to:authentication:hostKeys:within:)``.
    package func logIn(
        through relays: RelaySet?, at address: String, within timeout: Duration
    ) async throws(LinkError) -> SSHSession {
        guard !profile.isLocal else {
            throw LinkError(
                .invalidInput, "no host to log in to", hint: "give it with --host, or in the configuration")
        }
        let relay = try relays.map { relays throws(LinkError) in
            let port = try relays.port(.tcp, host: address, port: UInt16(clamping: profile.port))
            return (host: try relays.clientHost, port: port)
        }
        return try await SharedSession.open(
            profile, connector.credentials, connector.environment, within: timeout, relay: relay
        ) { _ in }.get()
    }

    /// Requests a ticket for one session, past all relays.
    ///
    /// - Throws: ``LinkError``.
    package func ticket(within timeout: Duration) async throws(LinkError) -> ChannelTicket {
        try await CompanionBootstrap(
            profile: profile, environment: connector.environment, session: connector.shared
        ).ticket(within: timeout)
    }

    /// The channel; without relays, directly to the companion.
    ///
    /// - Throws: ``LinkError``.
    package func channel(
        _ carrier: SocketLink.Carrier, through relays: RelaySet?, at address: String
    ) throws(LinkError) -> SocketLink {
        let access = self
        return try SocketLink(
            host: try relays?.clientHost ?? address, carrier: carrier,
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
    package func tunnelledChannel(in session: SSHSession) throws(LinkError) -> SocketLink {
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

    /// The forwarded ports of a link, one for each port of the companion.
    private actor Forwards {
        private var open: [UInt16: SSHPortForward] = [:]

        func port(to port: UInt16, in session: SSHSession) throws(LinkError) -> UInt16 {
            if let known = open[port] { return known.port }
            let made = try SSHPortForward(session, toHost: "127.0.0.1", port: port)
            open[port] = made
            return made.port
        }
    }

    /// ROS from this machine: the node's outgoing and incoming connections go through relays, if there are any; in ROS 2 it has one
    /// connection, with the router.
    ///
    /// - Throws: ``LinkError``.
    package func ros(through relays: RelaySet?) throws(LinkError) -> any StampedLink {
        let environment = connector.environment
        guard let relays else {
            if profile.ros.isTwo { return try profile.ros2Link(environment) }
            return try ROSLink(vehicle: profile.vehicle, master: profile.rosMaster, environment: environment)
        }
        let clientHost = try relays.clientHost
        let dial: @Sendable (String, UInt16) -> (host: String, port: UInt16) = { host, port in
            (clientHost, relays.portOrNone(.tcp, host: host, port: port))
        }
        if profile.ros.isTwo { return try profile.ros2Link(environment, dial: dial) }
        return try ROSLink(
            vehicle: profile.vehicle, master: profile.rosMaster, environment: environment,
            redirect: ROSRedirect(dial: dial, announce: { port in relays.announcedPort(of: port) }))
    }

    /// A rosbridge server; without relays, directly.
    ///
    /// - Throws: ``LinkError`` as ``ROSBridgePeer``; with a relay in front of it the reason for which it cannot be reached past that.
    package func rosbridge(
        _ address: ROSBridgeAddress, through relays: RelaySet?, clock: any MonotonicClock, within timeout: Duration
    ) async throws(LinkError) -> ROSBridgePeer {
        let names = try VehicleNames(vehicle: profile.vehicle)
        func connect(_ host: String, _ port: UInt16) async throws(LinkError) -> ROSBridgePeer {
            try await ROSBridgePeer.connect(
                to: address, host: host, port: port, names: names, clock: clock, within: timeout)
        }
        guard let relays else { return try await connect(address.host, address.port) }
        let found = await DedicatedThread.run {
            (try? AddressLookup.addresses(of: address.host, family: AF_INET))?.first?.text
        }
        guard let host = found ?? nil else {
            throw LinkError(
                .unreachable, "'\(address.host)' has no IPv4 address, which the relays need",
                hint: "give the IPv4 address of the rosbridge server")
        }
        do throws(LinkError) {
            return try await connect(try relays.clientHost, try relays.port(.tcp, host: host, port: address.port))
        } catch {
            // A relay accepts a connection before it knows whether the server does.
            await (try connect(host, address.port)).close()
            throw error
        }
    }
}
