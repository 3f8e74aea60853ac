public import UAVLink

extension HexacopterSimulator {
    /// What the vehicle allows, and where its world lies.
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

extension SimulatedLink: SurveyLink {
    /// See ``UAVLink/SurveyLink/flightEnvelope(within:)``.
    public func flightEnvelope(within timeout: Duration) async throws(LinkError) -> FlightEnvelope {
        try await ask(within: timeout) { $0.envelope }
    }

    /// The one map that it was given, when it was given one.
    public func maps(within timeout: Duration) async throws(LinkError) -> [MapOffer] {
        try await ask(within: timeout) { _ in }
        return []
    }

    /// See ``UAVLink/SurveyLink/pullMap(_:within:progress:)``.
    public func pullMap(
        _ request: MapRequest, within timeout: Duration, progress: @escaping @Sendable (Double) -> Void
    ) async throws(LinkError) -> [UInt8] {
        try request.validate()
        try await ask(within: timeout) { _ in }
        throw LinkError(.unsupported, "the simulated vehicle offers no map '\(request.topic)'")
    }

    /// Nothing is sent anywhere: all of it has come when the vehicle answers.
    public func perform(
        _ command: Command, within timeout: Duration, progress: @escaping @Sendable (Double) -> Void
    ) async throws(LinkError) -> CommandReply {
        let report = ForwardProgress(progress)
        report.reach(0)
        let reply = try await perform(command, within: timeout)
        report.finish()
        return reply
    }
}
