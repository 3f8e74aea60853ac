import FlightTestKit
import Foundation
import IntegrationKit
import Testing

/// The vehicle's own world, from its file to a check on the ground that has no file: over every link, through real servers.
@Suite(
    .enabled(if: FlightStack.missing == nil, "\(FlightStack.missing ?? "")"), .serialized, .oneFlightStack,
    .timeLimit(.minutes(MachinePace.minutes(5))))
struct OwnWorldCommandTests {
    private static let links = ["ssh", "tcp", "udp", "ros"]

    /// 40 m to each side, with an obstacle across the way of ``through``.
    private static let world = """
        mrs_uav_managers:
          world_origin: {units: LATLON, origin_x: 47.397743, origin_y: 8.545594}
          safety_area_manager:
            safety_area:
              enabled: true
              horizontal: {frame_name: world_origin, points: [-40, -40, 40, -40, 40, 40, -40, 40]}
              vertical: {frame_name: world_origin, min_z: 0.5, max_z: 12.0}
              obstacles:
                present: true
                count: 1
                obstacle_0:
                  horizontal: {frame_name: world_origin, points: [8, -3, 12, -3, 12, 3, 8, 3]}
                  vertical: {frame_name: world_origin, min_z: 0.0, max_z: 10.0}

        """
    private static let through = "x,y,z\n0,0,5\n20,0,5\n"
    private static let around = "x,y,z\n0,0,5\n0,10,5\n20,10,5\n"

    private func stack() async throws -> FlightStack {
        let stack = try await sharedStack()
        try await stack.startSimulator(inWorld: Self.world)
        return stack
    }

    @Test(arguments: links)
    func `it reaches the ground, and a route through its obstacle fails without a file`(link: String) async throws {
        let stack = try await stack()
        let told = try PrintedWorld(try await stack.uavlink("map", "world", "--json", "--link", link))
        #expect(told.source == "file" && told.path == stack.worldFile && told.warning.isEmpty, "\(told)")
        #expect(told.lowest == 0.5 && told.greatest == 12 && told.obstacles == ["obstacle_0"], "\(told)")
        #expect(told.corners == [[-40, -40], [40, -40], [40, 40], [-40, 40]], "\(told)")

        let through = try stack.folder.write(Self.through, to: "through.csv")
        let around = try stack.folder.write(Self.around, to: "around.csv")
        let frame = ["--frame", "world_origin", "--link", link]
        let failed = try await stack.uavlink(["trajectory", "check", through] + frame)
        #expect(failed.status == 1 && failed.output.contains("obstacle_0"), "\(failed)")
        #expect(failed.output.contains("world: of the vehicle, \(stack.worldFile)"), "\(failed)")
        let passed = try await stack.uavlink(["trajectory", "check", around] + frame)
        #expect(passed.status == 0, "\(passed)")

        let saved = stack.folder.file("own-\(link).yaml")
        let written = try await stack.uavlink("map", "world", "--output", saved, "--link", link)
        #expect(written.status == 0 && FileManager.default.fileExists(atPath: saved), "\(written)")
        let again = try await stack.uavlink("map", "world", "--output", saved, "--link", link)
        #expect(again.status == 2 && again.errors.contains("already exists; --force overwrites it"), "\(again)")

        // A file of the user has precedence, and its difference is told.
        let open = try stack.folder.write(FlightStack.standardWorld, to: "open.yaml")
        let users = try await stack.uavlink(["trajectory", "check", through, "--world", open] + frame)
        #expect(users.status == 0 && users.output.contains("world: \(open)"), "\(users)")
        #expect(
            users.output.contains("warning: the vehicle's own world has 1 obstacle that the world used here lacks"),
            "\(users)")
    }

    @Test func `a world file of the profile has precedence over it`() async throws {
        let stack = try await stack()
        let through = try stack.folder.write(Self.through, to: "through.csv")
        let open = try stack.folder.write(FlightStack.standardWorld, to: "open.yaml")
        let configuration = try stack.configuration(["world": open])
        let outcome = try await stack.uavlink(
            "trajectory", "check", through, "--frame", "world_origin", "--config", configuration, "--link", "udp")
        #expect(outcome.status == 0 && outcome.output.contains("world: of the profile, \(open)"), "\(outcome)")
    }

    @Test func `where the file is gone, the border comes from the markers, or the reason is told`() async throws {
        let stack = try await stack()
        try FileManager.default.removeItem(atPath: stack.worldFile)
        for link in ["udp", "ros"] {
            let told = try PrintedWorld(try await stack.uavlink("map", "world", "--json", "--link", link))
            #expect(told.source == "markers" && told.warning.contains("does not exist"), "\(told)")
            #expect(told.corners.count == 4, "\(told)")
            #expect(told.corners.joined().allSatisfy { abs(abs($0) - 40) < 0.01 }, "\(told)")
            #expect(told.greatest == 12 && told.obstacles.isEmpty, "\(told)")
            // As a file, it would pass for a world without obstacles.
            let path = stack.folder.file("border-\(link).yaml")
            let unsaved = try await stack.uavlink("map", "world", "--json", "--output", path, "--link", link)
            #expect(unsaved.status == 1 && unsaved.output.contains("not its obstacles"), "\(unsaved)")
            #expect(try json(unsaved)["ok"] as? Bool == false && !FileManager.default.fileExists(atPath: path))
        }
        let silent = try await stack.uavlink("map", "world", "--link", "ssh")
        #expect(silent.status == 1 && silent.output.isEmpty, "\(silent)")
        for words in ["the vehicle's own world is not known", "does not exist", "--world"] {
            #expect(silent.errors.contains(words), "\(silent)")
        }
        // The check says so, and goes on.
        let through = try stack.folder.write(Self.through, to: "through.csv")
        let checked = try await stack.uavlink(
            "trajectory", "check", through, "--frame", "world_origin", "--link", "udp")
        #expect(checked.status == 0 && checked.output.contains("its border only"), "\(checked)")
    }

    @Test func `what is no world file is not sent, whatever the parameter names`() async throws {
        let stack = try await stack()
        let secret = try stack.folder.write("-----BEGIN OPENSSH PRIVATE KEY-----\nabc\n", to: "id_ed25519")
        for (path, words) in [
            (secret, "names neither an origin nor a safety area"), (stack.folder.path, "is not a regular file"),
            ("/dev/zero", "is not a regular file"), ("world.yaml", "is not an absolute path"),
        ] {
            let set = try ChildProcess(
                ["/usr/bin/rosparam", "set", "/uav1/control_manager/world_config", path],
                environment: stack.rosEnvironment)
            #expect(try await set.exit(within: .seconds(60)) == 0, "\(set.errors)")
            let told = try await stack.uavlink("map", "world", "--link", "ssh")
            #expect(told.status == 1 && told.errors.contains(words), "\(told)")
            let shown = try await stack.uavlink("map", "world", "--json", "--link", "udp")
            #expect(shown.output.contains(words) && !shown.output.contains("PRIVATE"), "\(shown)")
        }
    }
}
