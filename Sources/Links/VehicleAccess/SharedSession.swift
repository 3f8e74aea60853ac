internal import MRS
internal import SSHTransport
internal import SystemKit
internal import UAVLink

/// One SSH session to one vehicle, shared by all callers; a lost session is opened again.
actor SharedSession {
    /// The environment of ROS on the vehicle, the same for all that is run there.
    let finder: EnvironmentFinder
    private let profile: VehicleProfile
    private let credentials: Credentials
    private let environment: [String: String]
    private var opening: Task<Result<SSHSession, LinkError>, Never>?

    init(profile: VehicleProfile, credentials: Credentials, environment: [String: String]) {
        self.profile = profile
        self.credentials = credentials
        self.environment = environment
        finder = EnvironmentFinder(
            vehicle: profile.vehicle, setup: profile.setup, master: profile.rosMaster,
            ros: profile.ros.isTwo ? .two(domain: profile.ros.domain) : .one)
    }

    /// - Parameter onPhase: called with each phase by the caller that opens the session; not called if it is open already.
    func session(
        within timeout: Duration, onPhase: @escaping @Sendable (SSHConnectPhase) -> Void = { _ in }
    ) async throws(LinkError) -> SSHSession {
        if let present = opening {
            if case .success(let session) = await present.value, session.isConnected { return session }
            // Meanwhile another caller may have opened it again.
            if opening != present { return try await session(within: timeout, onPhase: onPhase) }
        }
        let opening = Task { await Self.open(profile, credentials, environment, within: timeout, onPhase) }
        self.opening = opening
        return try await withTaskCancellationHandler {
            await opening.value
        } onCancel: {
            opening.cancel()
        }.get()
    }

    /// Whether a session is open.
    var isOpen: Bool {
        get async {
            guard case .success(let session) = await opening?.value else { return false }
            return session.isConnected
        }
    }

    func close() async {
        guard let opening else { return }
        self.opening = nil
        opening.cancel()
        if case .success(let session) = await opening.value { await session.close() }
    }

    static func open(
        _ profile: VehicleProfile, _ credentials: Credentials, _ environment: [String: String],
        within timeout: Duration, relay: (host: String, port: UInt16)? = nil,
        _ onPhase: @escaping @Sendable (SSHConnectPhase) -> Void
    ) async -> Result<SSHSession, LinkError> {
        guard let host = profile.host else {
            return .failure(
                LinkError(
                    .invalidInput, "no host to log in to",
                    hint: "give it with --host, or in the configuration file")
            )
        }
        do {
            let user = profile.user ?? environment["USER"] ?? HostProcess.userName
            var endpoint = SSHEndpoint(host: host, port: UInt16(clamping: profile.port), user: user)
            if let relay { (endpoint.relayHost, endpoint.relayPort) = relay }
            let session = try await SSHSession.connect(
                to: endpoint, authentication: try credentials.authentication(for: profile, at: endpoint),
                hostKeys: credentials.hostKeys(for: profile), within: timeout, onPhase: onPhase)
            return .success(session)
        } catch {
            return .failure(error)
        }
    }
}
