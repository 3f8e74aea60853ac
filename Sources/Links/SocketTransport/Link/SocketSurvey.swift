internal import ChannelProtocol
internal import Synchronization
public import UAVLink

extension SocketLink {
    /// Queries with maps, progress, and control authority: what the channel carries. What of it the vehicle has is in
    /// ``vehicleCapabilities``.
    public var capabilities: LinkCapabilities {
        LinkCapabilities(survey: self, transfersMaps: true, bulk: self, control: self)
    }

    /// What the companion says, which arrives with the first telemetry.
    ///
    /// Until then, and with a companion that does not say it since it is older, the vehicle is taken for one with the flight
    /// stack of the MRS group (``UAVLink/VehicleCapabilities/mrs``): it is what those companions fly. A companion also
    /// refuses what its vehicle lacks.
    public var vehicleCapabilities: VehicleCapabilities { core.state.withLock { $0.capabilities } ?? .mrs }

    /// What stops motion is always sent: here only the companion's word is known, and its vehicle may know better.
    ///
    /// - Throws: ``UAVLink/LinkError`` with `unsupported` for a command that the vehicle lacks.
    func requireAvailable(_ command: Command) throws(LinkError) {
        guard !command.stopsMotion else { return }
        let (said, vehicle) = core.state.withLock { ($0.capabilities, $0.telemetry?.vehicle) }
        if let lack = said?.refusal(of: command, vehicle: vehicle ?? "") { throw lack }
    }
}

/// Survey questions, answered by the companion's backend.
extension SocketLink: SurveyLink, BulkLink {
    /// See ``UAVLink/SurveyLink/flightEnvelope(within:)``.
    public func flightEnvelope(within timeout: Duration) async throws(LinkError) -> FlightEnvelope {
        guard case .flightEnvelope(let envelope) = try await ask(.flightEnvelope, within: timeout) else {
            throw Self.mistaken
        }
        return envelope
    }

    /// Answered by the companion, which reads the file where it lies.
    ///
    /// A companion that does not know the question says so with its capabilities; one that says nothing lets the time pass.
    public func world(knowing known: UInt64, within timeout: Duration) async throws(LinkError) -> VehicleWorld {
        let said = core.state.withLock { $0.capabilities }
        guard said?.survey.contains(.worldFile) ?? true else { throw Self.knowsNoWorlds }
        guard case .world(let world) = try await ask(.world(known: known), within: timeout) else { throw Self.mistaken }
        return world
    }

    private static let knowsNoWorlds = LinkError(
        .unsupported, "the companion does not report the vehicle's world file",
        hint: "an older one cannot: 'uavlink deploy' installs the present one")

    /// See ``UAVLink/SurveyLink/maps(within:)``.
    public func maps(within timeout: Duration) async throws(LinkError) -> [AvailableMap] {
        guard case .maps(let maps) = try await ask(.maps, within: timeout) else { throw Self.mistaken }
        return maps
    }

    /// The map is sent in fragments after all other frames; progress is the share received.
    public func pullMap(
        _ request: MapRequest, within timeout: Duration, progress: @escaping @Sendable (Double) -> Void
    ) async throws(LinkError) -> [UInt8] {
        let report = MonotonicProgress(progress)
        report.reach(0)
        guard case .map(let map) = try await ask(.map(request), within: timeout, report: report) else {
            throw Self.mistaken
        }
        report.finish()
        return map
    }

    /// Progress is the share of fragments that the companion has acknowledged.
    public func perform(
        _ command: Command, within timeout: Duration, progress: @escaping @Sendable (Double) -> Void
    ) async throws(LinkError) -> CommandReply {
        let report = MonotonicProgress(progress)
        report.reach(0)
        let reply = try await perform(command, within: timeout, report: report)
        report.finish()
        return reply
    }

    static let mistaken = LinkError(.protocolViolation, "the companion's answer does not match the request")
}
