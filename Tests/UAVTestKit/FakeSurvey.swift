public import UAVLink

extension FakeLink: SurveyLink, BulkLink {
    /// Queries with maps, and progress; control authority where stops are counted.
    public var capabilities: LinkCapabilities {
        LinkCapabilities(
            survey: self, transfersMaps: true, bulk: self, control: knownStops == nil ? nil : self)
    }

    /// See ``UAVLink/SurveyLink/flightEnvelope(within:)``.
    public func flightEnvelope(within timeout: Duration) async throws(LinkError) -> FlightEnvelope {
        try ask { $0.envelope }
    }

    /// See ``UAVLink/SurveyLink/world(knowing:within:)``.
    public func world(knowing known: UInt64, within timeout: Duration) async throws(LinkError) -> VehicleWorld {
        try ask { survey in
            survey.worldsKnown.append(known)
            return survey.world.without(known: known)
        }
    }

    /// See ``UAVLink/SurveyLink/maps(within:)``.
    public func maps(within timeout: Duration) async throws(LinkError) -> [AvailableMap] {
        try ask { survey in survey.maps.keys.sorted().map { AvailableMap(topic: $0) } }
    }

    /// The map as it was put in: nothing is thinned.
    public func pullMap(
        _ request: MapRequest, within timeout: Duration, progress: @escaping @Sendable (Double) -> Void
    ) async throws(LinkError) -> [UInt8] {
        try request.validate()
        let report = MonotonicProgress(progress)
        report.reach(0)
        let isStuck = survey.stuckTopics.contains(request.topic)
        if isStuck { report.reach(0.5) }
        if isStuck || survey.silentTopics.contains(request.topic) {
            let (silence, source) = AsyncStream<Never>.makeStream()
            for await _ in silence {}
            source.finish()
        }
        let map = try ask { survey throws(LinkError) in
            survey.requests.append(request)
            guard let map = survey.maps[request.topic] else {
                throw LinkError(.unsupported, "the vehicle offers no map '\(request.topic)'")
            }
            return map
        }
        report.finish()
        return map
    }

    /// See ``UAVLink/BulkLink/perform(_:within:progress:)``.
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
