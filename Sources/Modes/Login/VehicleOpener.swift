package import FlightRecorder
package import UAVLink
package import VehicleAccess

/// Opens a link to a vehicle; tests substitute their own.
package protocol VehicleOpener: Sendable {
    /// Logs in and opens the requested link.
    ///
    /// - Parameters:
    ///   - userPrompt: asked about an unknown host key, and for what the server prompts for.
    ///   - timeout: for the log-in, and for each link that is tried.
    ///   - onStep: called with the progress events in order.
    /// - Throws: ``UAVLink/LinkError``; nothing is left open.
    func open(
        _ request: LoginRequest, userPrompt: any UserPrompt, within timeout: Duration,
        onStep: @escaping @Sendable (ConnectProgress) -> Void
    ) async throws(LinkError) -> OpenedVehicle
}

/// A vehicle with an open link.
package struct OpenedVehicle: Sendable {
    /// The connected link.
    package var link: any UAVLink
    /// The SSH session and other connections through it.
    package var connector: VehicleConnector?

    /// A vehicle with an open link.
    package init(link: any UAVLink, connector: VehicleConnector? = nil) {
        self.link = link
        self.connector = connector
    }

    /// The ROS master on the vehicle, if commands reach it without a companion.
    var rosMaster: String? { connector?.rosMaster(of: link.kind) }

    func close() async {
        await link.close()
        await connector?.close()
    }
}

/// Opens links through a ``VehicleAccess/VehicleConnector``.
package struct ConnectorOpener: VehicleOpener {
    private let environment: [String: String]
    private let acceptsNewHostKey: Bool
    private let recordings: Recordings?

    /// Creates an opener.
    ///
    /// - Parameters:
    ///   - acceptsNewHostKey: whether the key of an unknown host is accepted without asking.
    ///   - recordings: where links are recorded; `nil` records nothing.
    package init(environment: [String: String], acceptsNewHostKey: Bool = false, recordings: Recordings? = nil) {
        self.recordings = recordings
        self.environment = environment
        self.acceptsNewHostKey = acceptsNewHostKey
    }

    /// See ``VehicleOpener/open(_:userPrompt:within:onStep:)``.
    package func open(
        _ request: LoginRequest, userPrompt: any UserPrompt, within timeout: Duration,
        onStep: @escaping @Sendable (ConnectProgress) -> Void
    ) async throws(LinkError) -> OpenedVehicle {
        let connector = VehicleConnector(
            profile: request.profile,
            credentials: Credentials(
                password: request.password, acceptsNewHostKey: acceptsNewHostKey, userPrompt: userPrompt),
            environment: environment,
            decorate: Recordings.decoration(
                recordings, vehicle: request.profile.vehicle, isROS2: request.profile.ros.isTwo))
        do {
            return OpenedVehicle(
                link: try await connector.connect(within: timeout, onStep: onStep), connector: connector)
        } catch {
            await connector.close()
            throw error
        }
    }
}
