public import FlightRecorder
public import UAVLink
public import VehicleAccess

/// Opens a link to a vehicle; a test puts its own here.
public protocol VehicleOpener: Sendable {
    /// Logs in and opens the link that was asked for.
    ///
    /// - Parameters:
    ///   - person: asked about an unknown host key.
    ///   - timeout: how long the log-in, and each link that is tried, may take.
    ///   - onStep: told what is done, in its order.
    /// - Throws: ``UAVLink/LinkError``; then nothing is left open.
    func open(
        _ request: LoginRequest, person: any PersonAtHand, within timeout: Duration,
        onStep: @escaping @Sendable (ConnectProgress) -> Void
    ) async throws(LinkError) -> OpenedVehicle
}

/// A vehicle whose link is open.
public struct OpenedVehicle: Sendable {
    /// The connected link.
    public var link: any UAVLink
    /// The SSH session and whatever else is reached through it.
    public var connector: VehicleConnector?

    /// A vehicle whose link is open.
    public init(link: any UAVLink, connector: VehicleConnector? = nil) {
        self.link = link
        self.connector = connector
    }

    func close() async {
        await link.close()
        await connector?.close()
    }
}

/// Opens links through a ``VehicleAccess/VehicleConnector``.
public struct ConnectorOpener: VehicleOpener {
    private let environment: [String: String]
    private let acceptsNewHostKey: Bool
    private let recordings: Recordings?

    /// An opener.
    ///
    /// - Parameters:
    ///   - acceptsNewHostKey: whether the key of an unknown host is taken without asking.
    ///   - recordings: where links are recorded; `nil` records nothing.
    public init(environment: [String: String], acceptsNewHostKey: Bool = false, recordings: Recordings? = nil) {
        self.recordings = recordings
        self.environment = environment
        self.acceptsNewHostKey = acceptsNewHostKey
    }

    /// See ``VehicleOpener/open(_:person:within:onStep:)``.
    public func open(
        _ request: LoginRequest, person: any PersonAtHand, within timeout: Duration,
        onStep: @escaping @Sendable (ConnectProgress) -> Void
    ) async throws(LinkError) -> OpenedVehicle {
        let connector = VehicleConnector(
            profile: request.profile,
            credentials: Credentials(
                password: request.password, acceptsNewHostKey: acceptsNewHostKey, person: person),
            environment: environment, decorate: Recordings.decoration(recordings, vehicle: request.profile.vehicle))
        do {
            return OpenedVehicle(
                link: try await connector.connect(within: timeout, onStep: onStep), connector: connector)
        } catch {
            await connector.close()
            throw error
        }
    }
}
