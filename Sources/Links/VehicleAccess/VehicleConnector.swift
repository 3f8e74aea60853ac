internal import ARDrone
internal import CompanionControl
package import MRS
package import SSHTransport
internal import ChannelProtocol
internal import SocketTransport
internal import Synchronization
internal import Bluno
internal import Tello
package import UAVLink

/// Creates links to one vehicle from its profile; the only place that maps link kinds to types.
///
/// The SSH session is opened when it is first needed and then shared by SSH commands and the bootstrap of the socket channel.
///
/// ```
///   udp, tcp: SSH session ─▶ run "uavlink-companion bootstrap" ─▶ ticket ─▶ SocketLink
///             (on this machine: the control socket instead of SSH)
///   ssh, ssh-shell: SSH session ─▶ SSHCommandLink
///   ros:      ROSLink, in ROS 2 ROS2Link       sim: SimulatedLink       direct: the link of the machine, by its address
/// ```
package final class VehicleConnector: Sendable {
    /// Receives progress as text, one line at a time.
    package typealias Progress = @Sendable (String) -> Void

    /// Wraps a connected link, for example in a recorder.
    package typealias LinkWrapper = @Sendable (any UAVLink) async throws(LinkError) -> any UAVLink

    /// The vehicle's profile.
    package let profile: VehicleProfile
    /// How to log in, and where secrets come from.
    package let credentials: Credentials
    let environment: [String: String]
    let shared: SharedSession
    private let decorate: LinkWrapper
    private let lastFallback = Mutex<LinkFallback?>(nil)

    /// The fallback of the link tried last, if it has no control authority and was not requested by name; else `nil`.
    package var fallback: LinkFallback? { lastFallback.withLock { $0 } }

    /// The link that was opened last, and whether one has said that its vehicle is simulated.
    private struct Opened {
        weak var link: (any UAVLink)?
        var isSimulated = false
    }

    private let opened = Mutex(Opened())

    /// The vehicle and where it is, and that it is simulated if that is known: what the profile says, and what the vehicle has said since
    /// it is connected.
    package var target: String {
        let isSimulated = opened.withLock { opened in
            // A companion says it right after the welcome.
            if opened.link?.vehicleCapabilities.isSimulated == true { opened.isSimulated = true }
            return opened.isSimulated
        }
        let simulated = " (simulated)"
        return isSimulated && !profile.target.hasSuffix(simulated) ? profile.target + simulated : profile.target
    }

    /// The link that was opened last as it is, without what wraps it: for what only some machines have, such as flight plans.
    package var machineLink: (any UAVLink)? { opened.withLock { $0.link } }

    /// Creates a connector; nothing is opened yet.
    ///
    /// - Parameter decorate: wraps each link that ``connect(_:within:progress:onStep:)`` returns.
    package init(
        profile: VehicleProfile, credentials: Credentials, environment: [String: String],
        decorate: @escaping LinkWrapper = { (link) async throws(LinkError) in link }
    ) {
        self.decorate = decorate
        self.profile = profile
        self.credentials = credentials
        self.environment = environment
        shared = SharedSession(profile: profile, credentials: credentials, environment: environment)
    }

    private init(_ other: VehicleConnector, companion: String) {
        decorate = other.decorate
        var profile = other.profile
        profile.companion = companion
        self.profile = profile
        credentials = other.credentials
        environment = other.environment
        shared = other.shared
    }

    /// The same vehicle over the same SSH session, with the companion's program at another path.
    package func usingCompanion(_ path: String) -> VehicleConnector { VehicleConnector(self, companion: path) }

    /// Opens the requested link, or the profile's. Links that need the SSH session are tried after the login; the timeout
    /// applies to the login and again to each link.
    ///
    /// - Parameters:
    ///   - timeout: for the login, and for each link that is tried.
    ///   - progress: receives progress as text.
    ///   - onStep: receives progress as values, in order, on any thread.
    /// - Throws: ``LinkError``; with an automatic choice, the error of the last link tried. A companion that runs and cannot
    ///   be used is not bypassed: see ``LinkSearch``.
    package func connect(
        _ choice: VehicleProfile.LinkChoice? = nil, within timeout: Duration, progress: Progress = { _ in },
        onStep: @escaping @Sendable (ConnectProgress) -> Void = { _ in }
    ) async throws(LinkError) -> any UAVLink {
        let stages = StageReporter(onStep)
        defer { stages.end() }
        lastFallback.withLock { $0 = nil }
        let kinds = linksToTry(choice ?? profile.link)
        do throws(LinkError) {
            if let fault = selectionFault(of: kinds) { throw fault }
            try await logIn(for: kinds, within: timeout, stages)
            return try await open(firstOf: kinds, within: timeout, progress, stages)
        } catch {
            stages.fail(error)
            throw error
        }
    }

    /// Over ROS the master is named by the environment, and the simulation is in this program.
    private func selectionFault(of kinds: [LinkKind]) -> LinkError? {
        kinds.contains { $0 == .udp || $0 == .tcp || $0.runsPrograms } ? profile.selectionFault : nil
    }

    private func linksToTry(_ choice: VehicleProfile.LinkChoice) -> [LinkKind] {
        switch choice {
        case .only(let kind): [kind]
        case .machine: [.direct]
        // Without SSH there are only the two carriers of the companion on this machine.
        // Behind a bridge is a machine that no SSH command reaches.
        case .automatic: profile.isLocal || profile.isBridged ? [.udp, .tcp] : [.udp, .tcp, .ssh]
        }
    }

    /// Logs in once, before all links, so that a question about a host key does not use up their timeouts.
    private func logIn(
        for kinds: [LinkKind], within timeout: Duration, _ stages: StageReporter
    ) async throws(LinkError) {
        let needsSession = kinds.contains { kind in kind == .udp || kind == .tcp || kind.runsPrograms }
        guard needsSession, !profile.isLocal else {
            return stages.skip(
                [.reach, .hostKey, .logIn], needsSession ? "on this machine" : "not needed over \(kinds[0].rawValue)")
        }
        if await shared.isOpen { return stages.skip([.reach, .hostKey, .logIn], "already logged in") }
        _ = try await shared.session(within: timeout) { stages.begin($0) }
        stages.finish()
    }

    private func open(
        firstOf kinds: [LinkKind], within timeout: Duration, _ progress: Progress, _ stages: StageReporter
    ) async throws(LinkError) -> any UAVLink {
        let (link, _) = try await LinkSearch.first(of: kinds, namesCompanion: profile.namedCompanion != nil) {
            (kind, fallback) async throws(LinkFailure) -> any UAVLink in
            lastFallback.withLock { $0 = fallback }
            if let fallback { stages.tell(.fellBack(fallback)) }
            return try await open(kind, within: timeout, progress, stages, isOnly: kinds.count == 1)
        } abandon: { (kind, error) async throws(LinkError) in
            if kinds.count > 1 { progress("\(kind.rawValue): \(error.description)") }
            stages.fail(error)
            stages.tell(.abandoned(kind, error))
            // Without a login no other link works, and each would wait for it again.
            if !profile.isLocal, await !shared.isOpen { throw error }
        }
        return link
    }

    /// The SSH session to the vehicle, opened if necessary.
    ///
    /// - Throws: ``LinkError``.
    package func session(within timeout: Duration) async throws(LinkError) -> SSHSession {
        try await shared.session(within: timeout)
    }

    /// Why the vehicle simulated in this program has no topics.
    package static let noTopicsOfSimulation = LinkError(
        .unsupported, "the vehicle simulated in this program has no ROS topics",
        hint: "'uavlink-sim' simulates one on a ROS master")

    /// Watches any ROS topic of the vehicle by name, whatever the link: with a ROS node if ROS is reached from this machine,
    /// else through the companion over SSH.
    ///
    /// - Parameter kind: the kind of the vehicle's link.
    package func topicWatch(over kind: LinkKind) -> any TopicWatching {
        if kind == .direct || profile.isBridged {
            return NoTopicWatch(LinkError(.unsupported, "\(profile.target) has no ROS topics"))
        }
        if kind == .sim { return NoTopicWatch(Self.noTopicsOfSimulation) }
        if kind == .ros || profile.isLocal {
            if profile.ros.isTwo { return profile.ros2TopicWatch(environment) }
            return ROSTopicWatch(master: kind == .ros ? profile.rosMaster : nil, environment: environment)
        }
        return SSHTopicWatch(profile: profile, shared: shared)
    }

    /// Logs out. Links created here must be closed before.
    package func close() async { await shared.close() }

    private func open(
        _ kind: LinkKind, within timeout: Duration, _ progress: Progress, _ stages: StageReporter, isOnly: Bool
    ) async throws(LinkFailure) -> any UAVLink {
        let place = profile.link.machine?.text ?? profile.host?.sanitizedLine ?? "this machine"
        progress("opening \(kind.rawValue) to \(place)")
        stages.tell(.trying(kind))
        switch kind {
        case .udp, .tcp: stages.begin(.companion)
        case .ssh, .sshShell, .ros, .sim, .direct:
            if isOnly { stages.skip([.companion], "not needed over \(kind.rawValue)") }
            stages.begin(.ros)
        }
        let ticket = TicketFlag()
        let link: any UAVLink
        do { link = try make(kind, noting: ticket) } catch { throw LinkFailure(kind, error, hadTicket: false) }
        do throws(LinkError) {
            try await link.connect(within: timeout)
            opened.withLock { $0.link = link }
            let decorated = try await decorate(link)
            stages.finish()
            stages.tell(.opened(kind))
            progress("connected over \(kind.rawValue)" + (rosMaster(of: kind).map { " to the ROS master \($0)" } ?? ""))
            return decorated
        } catch {
            await link.close()
            throw LinkFailure(kind, error, hadTicket: ticket.wasIssued)
        }
    }

    /// Creates a link that is not connected yet.
    ///
    /// - Throws: ``LinkError`` if the profile lacks what the link needs.
    package func make(_ kind: LinkKind) throws(LinkError) -> any UAVLink { try make(kind, noting: TicketFlag()) }

    private func make(_ kind: LinkKind, noting note: TicketFlag) throws(LinkError) -> any UAVLink {
        // A ROS master that the environment names has a real vehicle.
        guard !profile.isSimulatedOnly || [.udp, .tcp, .sim].contains(kind) else {
            throw LinkError(
                .invalidInput, "the \(kind.rawValue) link does not lead to the simulated vehicle",
                hint: "'--vehicle sim' takes --link udp or tcp")
        }
        if let fault = selectionFault(of: [kind]) { throw fault }
        switch kind {
        case .udp, .tcp:
            let bootstrap = CompanionBootstrap(profile: profile, environment: environment, session: shared)
            return try SocketLink(
                host: profile.host ?? "127.0.0.1", carrier: kind == .udp ? .udp : .tcp,
                requestTicket: { (timeout: Duration) async throws(LinkError) in
                    let ticket = try await bootstrap.ticket(within: timeout)
                    note.take()
                    return ticket
                })
        case .ssh, .sshShell:
            guard !profile.isLocal else {
                throw LinkError(
                    .invalidInput, "the \(kind.rawValue) link needs a host",
                    hint: "give it with --host, or in the configuration file")
            }
            let shared = shared
            return try SSHCommandLink(
                kind, vehicle: profile.vehicle, environment: shared.finder,
                session: { (timeout: Duration) async throws(LinkError) in try await shared.session(within: timeout) })
        case .ros:
            if profile.ros.isTwo { return try profile.ros2Link(environment) }
            return try ROSLink(vehicle: profile.vehicle, master: profile.rosMaster, environment: environment)
        case .sim:
            return try profile.simulatedLink()
        case .direct:
            guard let machine = profile.link.machine else {
                throw LinkError(
                    .invalidInput, "the direct link needs the address of a machine",
                    hint: "give it with --link: \(MachineAddress.patterns)")
            }
            return link(to: machine)
        }
    }

    private func transport(to machine: MachineAddress) -> any BlunoTransport {
        switch machine.board {
        case .bluetooth(let address): BluetoothTransport(address: address)
        case .port(let path): SerialTransport(path: path)
        case nil: SerialTransport(path: machine.host)
        }
    }

    /// The link of a machine by its own protocol.
    private func link(to machine: MachineAddress) -> any UAVLink {
        switch machine.kind {
        case .ardrone:
            ARDroneLink(
                .init(host: machine.host, port: machine.port ?? ARDroneLink.commandPort, vehicle: profile.vehicle))
        case .tello:
            TelloLink(
                .init(host: machine.host, port: machine.port ?? TelloLink.commandPort, vehicle: profile.vehicle))
        case .bluno:
            BlunoLink(.init(transport: transport(to: machine), vehicle: profile.vehicle, program: profile.robot))
        }
    }
}
