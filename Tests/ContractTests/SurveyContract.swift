import Geodesy
import IntegrationKit
import Simulation
import Synchronization
import Testing
import UAVLink

/// What every link that can be asked promises; see ``UAVLink/SurveyLink``.
extension Contract {
    @Test(arguments: LinkFactory.all)
    func `the vehicle says what it allows and where its world lies`(_ factory: LinkFactory) async throws {
        try await withSurvey(factory, .envelope) { link, _, _ in
            let envelope = try await link.flightEnvelope(within: factory.limits.command)
            #expect(envelope.limits == .medium)
            let origin = try #require(envelope.worldOrigin)
            #expect(abs(origin.latitudeDegrees - 47.397743) < 1e-7)
            #expect(abs(origin.longitudeDegrees - 8.545594) < 1e-7)
            #expect(abs(origin.altitudeMetres - 340) < factory.limits.originAltitudeMetres)
            #expect(origin.source == .transformer)
        }
    }

    @Test(arguments: LinkFactory.all)
    func `the vehicle's own world comes as a world file, and again only if it has changed`(
        _ factory: LinkFactory
    ) async throws {
        try await withSurvey(factory, .world) { link, _, _ in
            let told = try await link.world(knowing: 0, within: factory.limits.command)
            guard case .document(let source, let bytes) = told.content else {
                Issue.record("the world is not known over \(factory.name): \(told)")
                return
            }
            #expect((told.obstruction == nil && told.details.isEmpty) == factory.readsWorldFile)
            // A simulated vehicle in this process has no file.
            let usual = factory.readsWorldFile ? VehicleWorld.Source.file : .markers
            #expect(source == (factory.name == "simulated" ? .simulation : usual))
            #expect(told.path.hasPrefix("/") == (source != .simulation))
            let world = try WorldFileReader.read(bytes, source: told.path)
            #expect(
                world.origin
                    == .geographic(GeographicCoordinate(latitudeDegrees: 47.397743, longitudeDegrees: 8.545594)))
            let area = try #require(world.safetyArea)
            #expect(area.isEnabled && area.corners.count == 4 && area.minimumZMetres == 0.5)
            let again = try await link.world(
                knowing: VehicleWorld.fingerprint(of: source, bytes), within: factory.limits.command)
            #expect(again.content == .unchanged && again.path == told.path)
        }
    }

    @Test(arguments: LinkFactory.all)
    func `nothing can be asked of a link that is not connected or is closed`(_ factory: LinkFactory) async throws {
        try await withLink(factory, connected: false, needs: Need(link: [.survey])) { flying, _ in
            let link = try #require(flying.link.capabilities.survey)
            let before = await #expect(throws: LinkError.self) { try await link.flightEnvelope(within: .seconds(1)) }
            #expect(before?.code == .notConnected)
            let world = await #expect(throws: LinkError.self) { try await link.world(knowing: 0, within: .seconds(1)) }
            #expect(world?.code == .notConnected)
            await link.close()
            let after = await #expect(throws: LinkError.self) { try await link.maps(within: .seconds(1)) }
            #expect([.closed, .notConnected].contains(after?.code))
        }
    }

    @Test(arguments: LinkFactory.all)
    func `a map that is not offered is an error with its name or with advice`(_ factory: LinkFactory) async throws {
        try await withSurvey(factory, .maps) { link, _, _ in
            let maps = try await link.maps(within: factory.limits.command)
            #expect(maps.isEmpty)
            let request = MapRequest(topic: "/uav1/no/such/map")
            let error = await #expect(throws: LinkError.self) {
                try await link.pullMap(request, within: factory.limits.command) { _ in }
            }
            #expect(error?.code == .unsupported)
            #expect(error?.description.contains("/uav1/no/such/map") == true || error?.hint.contains("--link") == true)
            for bad in ["map", "/a//b", "/a b", "", "/" + String(repeating: "a", count: 256)] {
                let error = await #expect(throws: LinkError.self) {
                    try await link.pullMap(MapRequest(topic: bad), within: .seconds(1)) { _ in }
                }
                #expect(error?.code == .invalidInput)
            }
        }
    }

    @Test(arguments: LinkFactory.all)
    func `a question to a silent vehicle ends in its time`(_ factory: LinkFactory) async throws {
        try await withSurvey(factory, .envelope) { link, rig, _ in
            guard let silence = rig.silenceVehicle, factory.name != "fake" else {
                try skip(factory, because: "its peer cannot be silenced")
            }
            try await silence()
            let timeout = Duration.milliseconds(500)
            let taken = await Taken.by {
                let error = await #expect(throws: LinkError.self) { try await link.flightEnvelope(within: timeout) }
                #expect(error?.code == .timedOut)
            }
            #expect(taken.own < timeout + factory.limits.grace, "\(taken)")
        }
    }

    @Test(arguments: LinkFactory.all)
    func `a snapshot calls the service that it names`(_ factory: LinkFactory) async throws {
        try await withLink(factory, needs: .snapshots) { flying, rig in
            guard rig.hasCamera else { try skip(factory, because: "its vehicle has no camera") }
            let link = flying.link
            let snapshot = Command.snapshot(service: Command.defaultSnapshotService)
            let first = try await link.perform(snapshot, within: factory.limits.command)
            let second = try await link.perform(snapshot, within: factory.limits.command)
            #expect(first.accepted && second.accepted)
            let counts = [first, second].compactMap { Int($0.message.split(separator: " ")[1]) }
            #expect(counts.count == 2 && counts[1] == counts[0] + 1, "\(first.message), \(second.message)")
            if factory.name != "fake" {
                let error = await #expect(throws: LinkError.self) {
                    try await link.perform(.snapshot(service: "no/camera"), within: factory.limits.command)
                }
                #expect(error?.code == .serviceMissing)
            }
            for bad in ["/camera/snapshot", "", "camera//snapshot", "camera; reboot", "9camera"] {
                let error = await #expect(throws: LinkError.self) {
                    try await link.perform(.snapshot(service: bad), within: .seconds(1))
                }
                #expect(error?.code == .invalidInput)
            }
        }
    }

    @Test(.timeLimit(.minutes(MachinePace.minutes(6))), arguments: LinkFactory.all)
    func `a long trajectory arrives bit for bit, with progress from 0 to 1`(_ factory: LinkFactory) async throws {
        try await withLink(factory, needs: .trajectories) { flying, rig in
            guard let loaded = rig.loadedTrajectory else {
                try skip(factory, because: "nothing reports what its vehicle has loaded")
            }
            let link = try #require(flying.link.capabilities.bulk)
            try await flying.takeOff()
            let trajectory = try Self.longTrajectory(samples: factory.limits.samples, from: flying.position())
            let reported = Mutex<[Double]>([])
            let begun = ContinuousClock.now
            let reply = try await link.perform(.uploadTrajectory(trajectory), within: factory.limits.upload) {
                fraction in
                reported.withLock { $0.append(fraction) }
            }
            print("\(factory.limits.samples) samples over \(factory.name): \(ContinuousClock.now - begun)")
            #expect(reply.accepted && !reply.trajectoryModified, "\(reply.message)")
            let progress = reported.withLock { $0 }
            #expect(progress == progress.sorted() && progress.first == 0 && progress.last == 1)
            if ["ssh", "tcp", "udp"].contains(factory.name) { #expect(progress.count > 10) }
            let fingerprint = try await loaded()
            #expect(fingerprint == HexacopterSimulator.fingerprint(of: trajectory.points))
            try await flying.land()
        }
    }

    /// Small circles about the vehicle, in numbers that use every bit.
    private static func longTrajectory(samples: Int, from start: Vector3) throws -> Trajectory {
        var (x, y) = (1.0, 0.0)
        let points = (0..<samples).map { index in
            (x, y) = (x - 0.002 * y, y + 0.002 * x)
            return Trajectory.Point(
                position: start + Vector3(x: x, y: y, z: 1 + Double(index) * 1e-7), headingRadians: y / 3 - 1e-9)
        }
        return Trajectory(frame: .current, points: points, timeStepSeconds: 0.02)
    }

    private func withSurvey(
        _ factory: LinkFactory, _ need: Need, _ body: (any SurveyLink, LinkRig, Flying) async throws -> Void
    ) async throws {
        try await withLink(factory, needs: need) { flying, rig in
            let link = try #require(flying.link.capabilities.survey)
            try await body(link, rig, flying)
        }
    }
}
