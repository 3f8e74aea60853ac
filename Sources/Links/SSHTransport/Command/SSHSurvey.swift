internal import UAVCore
public import UAVLink

/// ROS's own programs are asked, one channel each, at the same time.
extension SSHCommandLink: SurveyLink {
    /// Limits by `rostopic echo`, the origin by `rosservice call` of the transformer; where that does not answer, by the
    /// satellite fix. Takes about two seconds there, most of it Python's start.
    public func flightEnvelope(within timeout: Duration) async throws(LinkError) -> FlightEnvelope {
        let deadline = Deadline(in: timeout)
        async let limits = ask(lines.abortableEchoOnce(.currentConstraints), by: deadline)
        async let origin = ask(lines.worldOrigin, by: deadline)
        let (heard, asked) = (await limits, await origin)
        var envelope = FlightEnvelope()
        envelope.limits = (try? heard.get()).flatMap(lines.limits(from:))
        envelope.worldOrigin = (try? asked.get()).flatMap(lines.worldOrigin(from:))
        if case .failure(let error) = heard, case .failure = asked { throw error }
        if envelope.worldOrigin == nil { envelope.worldOrigin = await worldOriginByFix(by: deadline) }
        return envelope
    }

    private func worldOriginByFix(by deadline: Deadline) async -> FlightEnvelope.WorldOrigin? {
        guard let result = try? await ask(lines.abortableEchoOnce(.gnss), by: deadline).get(),
            let fix = lines.fix(from: result, at: SystemMonotonicClock().now), let pose = latestTelemetry?.pose?.value
        else { return nil }
        return FlightEnvelope.WorldOrigin(pose: pose, fix: fix)
    }

    /// The topics of point clouds that the ROS master knows; what is on them is not looked at.
    public func maps(within timeout: Duration) async throws(LinkError) -> [MapOffer] {
        lines.maps(from: try await ask(lines.maps, by: Deadline(in: timeout)).get())
    }

    /// Not over SSH alone: `rostopic echo` prints a cloud as text, ten times its size, and nothing there thins it.
    public func pullMap(
        _ request: MapRequest, within timeout: Duration, progress: @escaping @Sendable (Double) -> Void
    ) async throws(LinkError) -> [UInt8] {
        try request.validate()
        _ = try session()
        throw LinkError(
            .unsupported, "a map cannot be fetched by SSH commands alone",
            hint: "use --link udp or tcp, where the companion thins it on board, or --link ros on its own network")
    }

    /// A large trajectory goes as a file; progress is what the vehicle's disk has confirmed.
    public func perform(
        _ command: Command, within timeout: Duration, progress: @escaping @Sendable (Double) -> Void
    ) async throws(LinkError) -> CommandReply {
        let report = ForwardProgress(progress)
        report.reach(0)
        let reply = try await perform(command, within: timeout, report: report)
        report.finish()
        return reply
    }

    private func ask(_ command: RemoteCommand, by deadline: Deadline) async -> Result<RemoteResult, LinkError> {
        do throws(LinkError) {
            let result = try await run(command, by: deadline)
            if let failure = lines.setupFailure(in: result) { return .failure(failure) }
            return .success(result)
        } catch { return .failure(error) }
    }
}

extension SSHSession {
    /// Removes a file in the user's home, if it is there.
    func remove(_ file: String, by deadline: Deadline) async {
        do throws(LinkError) {
            _ = try await SFTPClient.open(self, by: deadline).ask(.remove(path: file))
        } catch {}
    }
}
