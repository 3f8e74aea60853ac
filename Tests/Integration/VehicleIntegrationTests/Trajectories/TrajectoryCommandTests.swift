import Foundation
import IntegrationKit
import Testing

/// `uavlink trajectory` as a script calls it, without a vehicle.
@Suite(.enabled(if: BuiltPrograms.folder != nil), .timeLimit(.minutes(MachinePace.minutes(2))))
struct TrajectoryCommandTests {
    private let home: TemporaryFolder

    init() throws { home = try TemporaryFolder() }

    private func trajectory(
        _ arguments: [String], of vehicle: [String] = []
    ) async throws -> (child: ChildProcess, status: Int32) {
        let child = try ChildProcess(
            [BuiltPrograms.path("uavlink")] + vehicle + ["trajectory"] + arguments,
            environment: ["PATH": "/usr/bin:/bin", "HOME": home.path, "XDG_RUNTIME_DIR": home.path])
        return (child, try await child.exit())
    }

    /// Nothing is at that port: a vehicle that is asked first would be the error.
    @Test(arguments: ["check", "preview", "send", "start"])
    func `files are opened before a vehicle is asked`(command: String) async throws {
        let garbage = try home.write("x\n", to: "bad.csv")
        let route = try home.write("x,y,z\n0,0,5\n20,0,5\n", to: "good.csv")
        let nobody = ["--host", "127.0.0.1", "--port", "9", "--user", "x"]
        for arguments in [["/nowhere/a.csv"], [garbage], [route, "--world", "/nowhere/w.yaml"]] {
            let (child, status) = try await trajectory([command] + arguments, of: nobody)
            #expect(status == 2, "\(child.errors)")
            #expect(child.errors.hasPrefix("uavlink: "), "\(child.errors)")
            #expect(child.errors.contains("/nowhere/") || child.errors.contains("bad.csv"), "\(child.errors)")
        }
        #expect(try await trajectory([command, route, "--frame", "world_origin"], of: nobody).status == 3)
    }

    private static func world(within metres: Int) -> String {
        """
        world_origin: {units: LATLON, origin_x: 47.397743, origin_y: 8.545594}
        safety_area:
          enabled: true
          horizontal:
            frame_name: world_origin
            points: [-\(metres), -\(metres), \(metres), -\(metres), \(metres), \(metres), -\(metres), \(metres)]
          vertical: {frame_name: world_origin, max_z: 20.0, min_z: 1.0}
          obstacles:
            present: true
            obstacle_0:
              horizontal: {frame_name: world_origin, points: [8, -3, 12, -3, 12, 3, 8, 3]}
              vertical: {frame_name: world_origin, max_z: 10, min_z: 0}
        """
    }

    @Test(arguments: [(50, ""), (5000, ", which extends beyond the drawing")])
    func `a preview draws the safety area and the obstacles`(metres: Int, beyond: String) async throws {
        let world = try home.write(Self.world(within: metres), to: "world.yaml")
        let route = try home.write("x,y,z\n0,0,5\n20,0,5\n", to: "through.csv")
        let (child, status) = try await trajectory(
            ["preview", route, "--offline", "--frame", "world_origin", "--world", world])
        #expect(status == 1, "\(child.output) \(child.errors)")
        let lines = child.output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        #expect(lines.prefix(20).contains { $0.contains("X") }, "\(child.output)")
        #expect(lines.contains("dashed: where it may fly" + beyond), "\(child.output)")
        #expect(lines.contains("X: where it must not fly"), "\(child.output)")
        // The border is above and below a route that has no height of its own.
        let drawn = lines.prefix(20).filter { $0.unicodeScalars.contains { (0x2801...0x28FF).contains($0.value) } }
        #expect(drawn.count > (beyond.isEmpty ? 15 : 1), "\(child.output)")
    }

    @Test(arguments: [20, 33, 70, 410, 7300] as [Double])
    func `a preview has a round scale, and its bar has that length`(metres: Double) async throws {
        let route = try home.write("x,y,z\n0,0,5\n\(metres),0,5\n", to: "straight.csv")
        let (child, _) = try await trajectory(
            ["preview", route, "--offline", "--frame", "world_origin", "--max-distance", "20000"])
        let lines = child.output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let scale = try #require(lines.first { $0.hasSuffix(" m, north is up") }, "\(child.output) \(child.errors)")
        let parts = scale.split(separator: " ")
        let length = try #require(parts.count > 1 ? Double(parts[1]) : nil)
        var leading = length
        while leading >= 10 { leading /= 10 }
        while leading < 1 { leading *= 10 }
        #expect([1, 2, 5].contains { abs($0 - leading) < 1e-6 }, "\(scale)")
        // The path is as long as the drawing is wide, but for two dots at each edge.
        let metresPerColumn = metres / Double(78 * 2 - 5) * 2
        #expect(abs(Double(parts[0].count) - length / metresPerColumn) <= 0.51, "\(scale)")
    }

    // MARK: Plans

    private static func plan(_ items: String...) -> String {
        "{\"fileType\": \"Plan\", \"version\": 1, \"mission\": {\"items\": [\(items.joined(separator: ","))]}}"
    }

    /// A waypoint some metres north of the origin of ``world(within:)``.
    private static func waypoint(_ number: Int, altitude: Int, frame: Int = 3) -> String {
        """
        {"type": "SimpleItem", "command": 16, "frame": \(frame),
         "params": [0, 0, 0, null, \(47.397743 + Double(number) * 1e-4), 8.545594, \(altitude)]}
        """
    }

    private static let jump =
        "{\"type\": \"SimpleItem\", \"command\": 177, \"frame\": 2, \"params\": [1, 5, 0, 0, 0, 0, 0]}"

    @Test(arguments: ["--json", "--quiet"])
    func `a plan with an item that is left out fails, and passes when the omission is allowed`(
        output: String
    ) async throws {
        let path = try home.write(
            Self.plan(Self.waypoint(0, altitude: 9), Self.jump, Self.waypoint(1, altitude: 9)), to: "jump.plan")
        let arguments = [
            "check", path, "--offline", "--origin", "47.397743,8.545594,400", "--home", "0", output,
        ]
        let (child, status) = try await trajectory(arguments)
        #expect(status == 1, "\(child.output) \(child.errors)")
        #expect(child.output.contains("command 177 (DO_JUMP) is left out"), "\(child.output)")
        let (allowed, code) = try await trajectory(arguments + ["--allow-omissions"])
        #expect(code == 0, "\(allowed.output) \(allowed.errors)")
        #expect(allowed.output.contains("command 177 (DO_JUMP) is left out"), "\(allowed.output)")
        if output == "--json" {
            #expect(child.output.contains("\"ok\": false"), "\(child.output)")
            #expect(allowed.output.contains("\"ok\": true"), "\(allowed.output)")
        }
    }

    /// What a file leaves open, the option that the message names for it, and that option as a user would give it.
    private static let leftOpen: [(name: String, file: String, given: [String], named: String, option: [String])] = [
        (
            "a.plan", plan(waypoint(0, altitude: 5), waypoint(1, altitude: 5)), ["--origin", "47.397743,8.545594"],
            "--home Z", ["--home", "0"]
        ),
        (
            "g.plan",
            plan(waypoint(0, altitude: 5), waypoint(1, altitude: 5)).replacing(
                "\"items\"", with: "\"plannedHomePosition\": [47.397743, 8.545594, 400], \"items\""),
            ["--origin", "47.397743,8.545594"], "--origin LAT,LON,ALT or --world-altitude ALT",
            ["--origin", "47.397743,8.545594,400"]
        ),
        (
            "b.plan", plan(waypoint(0, altitude: 5, frame: 10), waypoint(1, altitude: 5, frame: 10)),
            ["--origin", "47.397743,8.545594"], "--ground Z", ["--ground", "0"]
        ),
        (
            "c.plan", plan(waypoint(0, altitude: 410, frame: 0), waypoint(1, altitude: 410, frame: 0)),
            ["--origin", "47.397743,8.545594"], "--origin LAT,LON,ALT", ["--origin", "47.397743,8.545594,400"]
        ),
        (
            "d.csv", "x,y\n0,0\n20,0\n",
            ["--frame", "world_origin", "--origin", "47.397743,8.545594,400", "--altitude", "460 ellipsoid"],
            "--geoid METRES", ["--geoid", "47"]
        ),
        (
            "e.csv", "x,y\n0,0\n20,0\n", ["--frame", "world_origin"], "--altitude '5 world'",
            ["--altitude", "5 world"]
        ),
        ("f.csv", "x,y,z\n0,0,5\n20,0,5\n", [], "--frame world_origin", ["--frame", "world_origin"]),
    ]

    @Test(arguments: 0..<leftOpen.count)
    func `what a file leaves open is asked for by the option that gives it`(index: Int) async throws {
        let (name, file, given, named, option) = Self.leftOpen[index]
        let path = try home.write(file, to: name)
        let (child, status) = try await trajectory(["check", path, "--offline"] + given)
        #expect(status == 2, "\(child.output) \(child.errors)")
        #expect(child.errors.contains("give ") && child.errors.contains(named), "\(child.errors)")
        // An option that was given is given anew.
        let kept = given.first == option.first ? [] : given
        let (better, code) = try await trajectory(["check", path, "--offline"] + kept + option)
        #expect(code == 0, "\(better.output) \(better.errors)")
    }
}
