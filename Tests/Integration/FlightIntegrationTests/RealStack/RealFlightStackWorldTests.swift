import FlightTestKit
import Foundation
import IntegrationKit
import Testing

/// The real flight stack's own world file, changed in the stack's folder: it reaches the ground over every link.
@Suite(
    .enabled(if: realFlightStackLacks == nil, "\(realFlightStackLacks ?? "")"), .serialized,
    .timeLimit(.minutes(MachinePace.minutes(10))))
struct RealFlightStackWorldTests {
    private static let corners: [[Double]] = [[-40, -30], [40, -30], [40, 30], [-40, 30]]

    /// In the layout of the stack's `config/world_config.yaml`, with another border and an obstacle.
    private static let world = """
        world_origin:

          units: "LATLON" # {"UTM, "LATLON"}

          origin_x: 47.397743
          origin_y: 8.545594

        safety_area:

          enabled: true

          horizontal:

            frame_name: "world_origin"

            points: [
              -40, -30,
              40,  -30,
              40,  30,
              -40, 30,
            ]

          vertical:

            frame_name: "world_origin"

            max_z: 12.0
            min_z: 0.5

          obstacles:

            present: true
            count: 1

            obstacle_0:

              horizontal:
                frame_name: "world_origin"
                points: [8, -3, 12, -3, 12, 3, 8, 3]

              vertical:
                frame_name: "world_origin"
                max_z: 10.0
                min_z: 0.0

        """

    @Test func `a border and an obstacle in the stack's world file reach the ground, and a route fails by them`()
        async throws
    {
        let stack = try await FlightStack(.real)
        do {
            await stack.setWorld(Self.world)
            try await stack.start()
            for link in ["ssh", "tcp", "udp", "ros"] { try await check(stack, over: link) }
            try await compareMarkers(stack)
        } catch {
            print(await stack.vehicleLog, "\n--- companion\n", stack.companionLog.suffix(4000))
            await stack.stop()
            throw error
        }
        await stack.stop()
    }

    private func check(_ stack: FlightStack, over link: String) async throws {
        let told = try PrintedWorld(try await stack.uavlink("map", "world", "--json", "--link", link))
        #expect(told.source == "file" && told.path == stack.worldFile && told.warning.isEmpty, "\(told)")
        #expect(told.corners == Self.corners && told.lowest == 0.5 && told.greatest == 12, "\(told)")
        #expect(told.obstacles == ["obstacle_0"], "\(told)")
        let through = try stack.folder.write("x,y,z\n0,0,5\n20,0,5\n", to: "through-\(link).csv")
        let around = try stack.folder.write("x,y,z\n0,0,5\n0,10,5\n20,10,5\n", to: "around-\(link).csv")
        let frame = ["--frame", "world_origin", "--link", link]
        let failed = try await stack.uavlink(["trajectory", "check", through] + frame)
        #expect(failed.status == 1 && failed.output.contains("obstacle_0"), "\(failed)")
        #expect(failed.output.contains("world: of the vehicle, \(stack.worldFile)"), "\(failed)")
        let passed = try await stack.uavlink(["trajectory", "check", around] + frame)
        #expect(passed.status == 0, "\(passed)")
    }

    /// The stack has read its file: without it, its markers show the same border.
    private func compareMarkers(_ stack: FlightStack) async throws {
        try FileManager.default.removeItem(atPath: stack.worldFile)
        let told = try PrintedWorld(try await stack.uavlink("map", "world", "--json", "--link", "ros"))
        #expect(told.source == "markers" && told.obstacles.isEmpty, "\(told)")
        #expect(told.corners.count == Self.corners.count, "\(told)")
        for (corner, place) in zip(told.corners, Self.corners) {
            #expect(zip(corner, place).allSatisfy { abs($0 - $1) < 0.1 }, "\(told)")
        }
        // The estimate of the height drifts by centimetres.
        #expect(abs(told.lowest - 0.5) < 0.5 && abs(told.greatest - 12) < 0.5, "\(told)")
    }
}
