internal import Geodesy
internal import PointCloud
internal import Threads
public import UAVLink

extension HexacopterSimulator {
    /// The vehicle's limits and the position of its world.
    public var envelope: FlightEnvelope {
        let origin = transform(
            PlaceReference(frame: .worldOrigin, position: .zero, headingRadians: 0), to: .latitudeLongitude)
        return FlightEnvelope(
            limits: Constraints.named(stack.constraints)?.limits,
            worldOrigin: origin.map { origin in
                .init(
                    latitudeDegrees: origin.position.x, longitudeDegrees: origin.position.y,
                    altitudeMetres: origin.position.z, source: .transformer)
            })
    }
}

extension SimulatedLink {
    /// Queries with maps, and progress.
    public var capabilities: LinkCapabilities { LinkCapabilities(survey: self, transfersMaps: true, bulk: self) }

    /// Those of ``UAVLink/VehicleCapabilities/mrs``, which it simulates.
    public var vehicleCapabilities: VehicleCapabilities { .simulatedMRS }
}

extension SimulatedLink: SurveyLink, BulkLink {
    /// See ``UAVLink/SurveyLink/flightEnvelope(within:)``.
    public func flightEnvelope(within timeout: Duration) async throws(LinkError) -> FlightEnvelope {
        try await ask(within: timeout) { $0.envelope }
    }

    /// The world of the configuration, as a world file has it.
    public func world(knowing known: UInt64, within timeout: Duration) async throws(LinkError) -> VehicleWorld {
        let world = try await ask(within: timeout) { $0.configuration.world }
        do throws(GeodesyError) {
            return VehicleWorld(.document(.simulation, try WorldFileWriter.bytes(of: world))).without(known: known)
        } catch {
            return VehicleWorld(.failed, details: "the configured world: \(error.what)")
        }
    }

    /// The map of the settings, if there is one.
    public func maps(within timeout: Duration) async throws(LinkError) -> [AvailableMap] {
        let topic = try await ask(within: timeout) { "/\($0.configuration.vehicle)/\(Self.mapTopic)" }
        return settings.map.map { [AvailableMap(topic: topic, frame: .worldOrigin, points: $0.count)] } ?? []
    }

    /// See ``UAVLink/SurveyLink/pullMap(_:within:progress:)``.
    public func pullMap(
        _ request: MapRequest, within timeout: Duration, progress: @escaping @Sendable (Double) -> Void
    ) async throws(LinkError) -> [UInt8] {
        try request.validate()
        let report = MonotonicProgress(progress)
        report.reach(0)
        let offers = try await maps(within: timeout)
        guard let map = settings.map, offers.contains(where: { $0.topic == request.topic }) else {
            throw LinkError(.unsupported, "the simulated vehicle offers no map '\(request.topic)'")
        }
        let deadline = settings.clock.now + timeout
        let clock = settings.clock
        let work = await DedicatedThread.runAtLowPriority { () -> Result<[UInt8], PointCloudError> in
            do throws(PointCloudError) {
                return .success(
                    try map.prepared(
                        for: request,
                        progress: CloudProgress { fraction in
                            report.reach(fraction)
                            return clock.now < deadline
                        }))
            } catch { return .failure(error) }
        }
        switch work {
        case nil: throw LinkError(.internalFault, "cannot create a thread", hint: "raise 'ulimit -u'")
        case .failure(let error): throw LinkError(.timedOut, error.what)
        case .success(let bytes):
            report.finish()
            return bytes
        }
    }

    /// Topic of the simulated vehicle's map, relative to the vehicle's namespace.
    public static let mapTopic = "map/points"

    /// Nothing is transmitted: progress is complete when the vehicle answers.
    public func perform(
        _ command: Command, within timeout: Duration, progress: @escaping @Sendable (Double) -> Void
    ) async throws(LinkError) -> CommandReply {
        let report = MonotonicProgress(progress)
        report.reach(0)
        let reply = try await perform(command, within: timeout)
        report.finish()
        return reply
    }
}
