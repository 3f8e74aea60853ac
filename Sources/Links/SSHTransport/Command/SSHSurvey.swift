internal import MRS
package import UAVLink

/// The survey uses ROS's command line tools, in parallel, with one channel each.
extension SSHCommandLink: SurveyLink, BulkLink {
    /// Queries, without the transfer of maps; and progress.
    package var capabilities: LinkCapabilities { LinkCapabilities(survey: self, bulk: self) }

    /// ``UAVLink/VehicleCapabilities/mrs``: its command lines are those of that flight stack.
    package var vehicleCapabilities: VehicleCapabilities { environment.ros.isTwo ? .mrsInROS2 : .mrs }

    /// Reads the limits with `rostopic echo` and the origin with a `rosservice call` to the transformer, or from the satellite
    /// fix when that fails. Takes about 2 s on the vehicle, most of it Python's start-up.
    package func flightEnvelope(within timeout: Duration) async throws(LinkError) -> FlightEnvelope {
        let deadline = Deadline(in: timeout)
        async let limits = ask(by: deadline) { $0.abortableEchoOnce(.currentConstraints) }
        async let origin = ask(by: deadline) { $0.worldOrigin }
        let (heard, asked) = (await limits, await origin)
        var envelope = FlightEnvelope()
        envelope.limits = (try? heard.get()).flatMap(parser.limits(from:))
        envelope.worldOrigin = (try? asked.get()).flatMap(parser.worldOrigin(from:))
        if case .failure(let error) = heard, case .failure = asked { throw error }
        if envelope.worldOrigin == nil { envelope.worldOrigin = await worldOriginFromFix(by: deadline) }
        return envelope
    }

    private func worldOriginFromFix(by deadline: Deadline) async -> FlightEnvelope.WorldOrigin? {
        guard let result = try? await ask(by: deadline, { $0.abortableEchoOnce(.gnss) }).get(),
            let fix = parser.fix(from: result, at: SystemMonotonicClock().now), let pose = latestTelemetry?.pose?.value
        else { return nil }
        return FlightEnvelope.WorldOrigin(pose: pose, fix: fix)
    }

    /// Asks the parameter `control_manager/world_config` with `rosparam get`, and reads the file that it names by SFTP, as the user of the
    /// log-in. Takes about a second, most of it Python's start-up.
    package func world(knowing known: UInt64, within timeout: Duration) async throws(LinkError) -> VehicleWorld {
        let deadline = Deadline(in: timeout)
        let result = try await ask(by: deadline) { $0.worldParameter }.get()
        guard let path = try parser.worldPath(from: result) else { return VehicleWorld(.noParameter) }
        guard path.utf8.first == UInt8(ascii: "/"), !path.utf8.contains(0),
            path.utf8.count <= VehicleWorld.longestPath
        else { return VehicleWorld(path: path, .failed, details: "it is not an absolute path") }
        return try await file(path, by: deadline).without(known: known)
    }

    private func file(_ path: String, by deadline: Deadline) async throws(LinkError) -> VehicleWorld {
        let session = try session()
        let bytes: [UInt8]
        do throws(RemoteFileError) {
            bytes = try await session.download(path, atMost: VehicleWorld.mostBytes, by: deadline)
        } catch {
            switch error {
            case .notAFile: return VehicleWorld(path: path, .notAFile)
            case .tooLarge: return VehicleWorld(path: path, .tooLarge)
            case .refused(.noSuchFile, _): return VehicleWorld(path: path, .missing)
            case .refused(.permissionDenied, _): return VehicleWorld(path: path, .permissionDenied)
            case .refused(let status, let message):
                return VehicleWorld(path: path, .failed, details: message.isEmpty ? "\(status)" : message)
            // A vehicle without an SFTP server is no reason to give up all else.
            case .link(let failure) where failure.code == .remoteFailed:
                return VehicleWorld(path: path, .failed, details: failure.what)
            case .link(let failure): throw failure
            }
        }
        guard VehicleWorld.isWorld(bytes) else { return VehicleWorld(path: path, .notAWorld) }
        return VehicleWorld(path: path, .document(.file, bytes))
    }

    /// Lists the point cloud topics known to the ROS master; their contents are not read.
    package func maps(within timeout: Duration) async throws(LinkError) -> [AvailableMap] {
        parser.maps(from: try await ask(by: Deadline(in: timeout)) { $0.maps }.get())
    }

    /// Not supported over SSH alone: `rostopic echo` prints a cloud as text, ten times its size, and cannot thin it.
    package func pullMap(
        _ request: MapRequest, within timeout: Duration, progress: @escaping @Sendable (Double) -> Void
    ) async throws(LinkError) -> [UInt8] {
        try request.validate()
        _ = try session()
        throw LinkError(
            .unsupported, "the \(kind.rawValue) link cannot transfer maps",
            hint: "use --link udp or tcp, where the companion downsamples the map, or --link ros on a private network")
    }

    /// Sends a large trajectory as a file; progress is the share that the vehicle has confirmed as written.
    package func perform(
        _ command: Command, within timeout: Duration, progress: @escaping @Sendable (Double) -> Void
    ) async throws(LinkError) -> CommandReply {
        let report = MonotonicProgress(progress)
        report.reach(0)
        let reply = try await perform(command, within: timeout, report: report)
        report.finish()
        return reply
    }

    /// Parses what the programs print, in whatever environment they ran.
    private var parser: ROSCommandLines {
        ROSCommandLines(names: names, environment: .init(profileSetup: "", ros: environment.ros))
    }

    private func ask(
        by deadline: Deadline, _ command: @Sendable (ROSCommandLines) -> RemoteCommand
    ) async -> Result<RemoteResult, LinkError> {
        do throws(LinkError) { return .success(try await run(by: deadline, command)) } catch { return .failure(error) }
    }
}

extension SSHSession {
    /// Removes a file in the user's home folder, if it exists.
    func remove(_ file: String, by deadline: Deadline) async {
        do throws(LinkError) {
            _ = try await SFTPClient.open(self, by: deadline).ask(.remove(path: file))
        } catch {}
    }
}
