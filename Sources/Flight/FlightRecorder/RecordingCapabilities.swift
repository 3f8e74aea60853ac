package import UAVLink

/// The capabilities of the wrapped link, each recorded where it moves the vehicle; a recording offers what the wrapped link has.
extension RecordingLink: SurveyLink, BulkLink, CallbackLink, ControlledLink {
    /// What the wrapped link can do, and no more.
    package var capabilities: LinkCapabilities {
        let wrapped = link.capabilities
        return LinkCapabilities(
            survey: wrapped.survey.map { _ in self }, transfersMaps: wrapped.transfersMaps,
            bulk: wrapped.bulk.map { _ in self }, callbacks: wrapped.callbacks.map { _ in self },
            control: wrapped.control.map { _ in self }, shutdownRequests: wrapped.shutdownRequests,
            robot: wrapped.robot, keepAlive: wrapped.keepAlive, plans: wrapped.plans)
    }

    /// Forwards the request to a link with arbitration and records the result.
    ///
    /// - Throws: ``UAVLink/LinkError``; `unsupported` if the wrapped link has no arbitration.
    package func control(_ request: ControlAuthorityRequest, within timeout: Duration) async throws(LinkError)
        -> CommandReply
    {
        guard let link = link.capabilities.control else { throw lacks("control authority") }
        let reply = try await link.control(request, within: timeout)
        event(reply.accepted ? .information : .warning, "\(request.words): \(reply.message)")
        return reply
    }

    /// What the wrapped link knows.
    package var knownStops: UInt64? { link.capabilities.control?.knownStops }

    private func survey() throws(LinkError) -> any SurveyLink {
        guard let survey = link.capabilities.survey else { throw lacks("queries of maps and limits") }
        return survey
    }

    private func lacks(_ what: String) -> LinkError {
        LinkError(.unsupported, "the \(kind.rawValue) link does not support \(what)")
    }

    /// Queries the vehicle's motion limits and world origin.
    package func flightEnvelope(within timeout: Duration) async throws(LinkError) -> FlightEnvelope {
        try await survey().flightEnvelope(within: timeout)
    }

    /// Queries the vehicle's own world.
    package func world(knowing known: UInt64, within timeout: Duration) async throws(LinkError) -> VehicleWorld {
        try await survey().world(knowing: known, within: timeout)
    }

    /// Lists the maps available on the vehicle.
    package func maps(within timeout: Duration) async throws(LinkError) -> [AvailableMap] {
        try await survey().maps(within: timeout)
    }

    /// Fetches a map.
    package func pullMap(
        _ request: MapRequest, within timeout: Duration, progress: @escaping @Sendable (Double) -> Void
    ) async throws(LinkError) -> [UInt8] {
        try await survey().pullMap(request, within: timeout, progress: progress)
    }

    /// Performs and records a long command.
    package func perform(
        _ command: Command, within timeout: Duration, progress: @escaping @Sendable (Double) -> Void
    ) async throws(LinkError) -> CommandReply {
        guard let link = link.capabilities.bulk else { throw lacks("the progress of commands") }
        return try await recorded(command) { () async throws(LinkError) in
            try await link.perform(command, within: timeout, progress: progress)
        }
    }

    /// Performs and records a command with a callback.
    package func perform(
        _ command: Command, within timeout: Duration,
        answer: @escaping @Sendable (Result<CommandReply, LinkError>) -> Void
    ) {
        guard let link = link.capabilities.callbacks else {
            return answer(.failure(lacks("answers by a callback")))
        }
        guard let target else {
            guard case .uploadTrajectory = command else {
                return link.perform(command, within: timeout, answer: answer)
            }
            return link.perform(command, within: timeout) { [self] result in
                if case .success(let reply) = result { keep(command, reply) }
                answer(result)
            }
        }
        let number = target.recorder.nextCommand()
        let begun = clock.now
        link.perform(command, within: timeout) { [self] result in
            if case .success(let reply) = result { keep(command, reply) }
            note(number, command, begun, result, target)
            answer(result)
        }
    }
}
