import IntegrationKit
import Testing
import UAVLink
import VehicleAccess

/// The vehicle behind `--link sim` is the profile's, as far as it can be simulated.
@Suite struct SimulatedProfileTests {
    private static let world = """
        world_origin: {units: LATLON, origin_x: 47.397743, origin_y: 8.545594}
        safety_area:
          enabled: true
          horizontal: {frame_name: world_origin, points: [-20, -20, 20, -20, 20, 20, -20, 20]}
          vertical: {frame_name: world_origin, min_z: 0.5, max_z: 9}
        """

    private func link(_ profile: VehicleProfile) throws -> any UAVLink {
        try VehicleConnector(profile: profile, credentials: Credentials(), environment: [:]).make(.sim)
    }

    @Test func `it flies in the world that the profile names, and takes pictures by its service`() async throws {
        let folder = try TemporaryFolder()
        var profile = VehicleProfile(name: "hexa1")
        profile.world = try folder.write(Self.world, to: "field.yaml")
        profile.snapshotService = "camera/trigger"
        let link = try link(profile)
        try await link.connect(within: .seconds(10))
        let survey = try #require(link.capabilities.survey)
        guard case .document(.simulation, let bytes) = try await survey.world(knowing: 0, within: .seconds(10)).content
        else {
            Issue.record("it has no world")
            return await link.close()
        }
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.contains("-20") && !text.contains("-100"), "\(text)")
        let reply = try await link.perform(.snapshot(service: "camera/trigger"), within: .seconds(10))
        #expect(reply.accepted, "\(reply)")
        let error = await #expect(throws: LinkError.self) {
            try await link.perform(.snapshot(service: Command.defaultSnapshotService), within: .seconds(10))
        }
        #expect(error?.code == .serviceMissing)
        await link.close()
    }

    @Test(arguments: [15.0, 25])
    func `it starts at a place where it may fly, and else at the origin`(x: Double) async throws {
        let folder = try TemporaryFolder()
        var profile = VehicleProfile(name: "hexa1")
        profile.world = try folder.write(Self.world, to: "field.yaml")
        let place = Pose(frame: .current, positionMetres: Vector3(x: x, y: -10, z: 0), headingRadians: 1)
        let link: any UAVLink = try profile.simulatedLink(start: place)
        try await link.connect(within: .seconds(10))
        let pose = try #require(link.latestTelemetry?.pose?.value)
        let expected = x < 20 ? place.positionMetres : .zero
        #expect((pose.positionMetres - expected).length < 1, "\(pose)")
        #expect(abs(pose.headingRadians - (x < 20 ? 1 : 0)) < 0.1, "\(pose)")
        await link.close()
    }

    @Test func `it does not start inside an obstacle that stands on the ground, above the lowest height`() async throws
    {
        let folder = try TemporaryFolder()
        var profile = VehicleProfile(name: "hexa1")
        let obstacle = """
              obstacles:
                present: true
                obstacle_0:
                  horizontal: {frame_name: world_origin, points: [13, -12, 17, -12, 17, -8, 13, -8]}
                  vertical: {frame_name: world_origin, min_z: 0, max_z: 5}
            """
        let world = Self.world.replacing("min_z: 0.5", with: "min_z: -2") + "\n" + obstacle + "\n"
        profile.world = try folder.write(world, to: "field.yaml")
        let place = Pose(frame: .current, positionMetres: Vector3(x: 15, y: -10, z: 0), headingRadians: 1)
        let link: any UAVLink = try profile.simulatedLink(start: place)
        try await link.connect(within: .seconds(10))
        let pose = try #require(link.latestTelemetry?.pose?.value)
        #expect(pose.positionMetres.length < 1, "\(pose)")
        await link.close()
    }

    @Test func `without the simulator its own start is the way out, and no companion of a vehicle`() async throws {
        let folder = try TemporaryFolder()
        let connector = VehicleConnector(
            profile: .simulated, credentials: Credentials(), environment: ["UAVLINK_RUNTIME_DIR": folder.path])
        let error = await #expect(throws: LinkError.self) { _ = try await connector.connect(within: .seconds(5)) }
        #expect(error?.code == .companionMissing && error?.what == "no simulated vehicle runs on this machine")
        #expect(error?.hint.contains("uavlink sim") == true && error?.hint.contains("uavlink-companion") == false)
    }

    @Test(arguments: ["none.yaml", "folder", "other.yaml"])
    func `a world that cannot be read is an error, not another world`(name: String) throws {
        let folder = try TemporaryFolder()
        _ = try folder.write("a: [", to: "other.yaml")
        var profile = VehicleProfile(name: "hexa1")
        profile.world = name == "folder" ? folder.path : folder.file(name)
        let error = #expect(throws: LinkError.self) { _ = try link(profile) }
        #expect(error?.code == .invalidInput)
    }
}
