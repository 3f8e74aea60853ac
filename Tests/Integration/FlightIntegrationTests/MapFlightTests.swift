import FlightTestKit
import Foundation
import IntegrationKit
import Testing

/// A user puts points on the map with keyboard and mouse, and flies what was made of them, through real servers; a rospy node
/// watches.
@Suite(
    .enabled(if: FlightStack.missing == nil, "\(FlightStack.missing ?? "")"),
    .enabled(if: TmuxTerminal.isAvailable, "tmux is not installed"), .serialized, .oneFlightStack,
    .timeLimit(.minutes(MachinePace.minutes(5))))
struct MapFlightTests {
    @Test func `points on the map become a flight`() async throws {
        let stack = try await sharedStack()
        let witness = try await stack.witness()
        #expect(try await stack.uavlink("takeoff", "--arm", "--wait", "--link", "udp", "--quiet").status == 0)
        let terminal = try await TmuxTerminal(
            [BuiltPrograms.path("uavlink"), "--config", stack.configuration, "--vehicle", "stack", "--link", "udp"],
            environment: stack.groundEnvironment, columns: 100, rows: 32)
        do {
            try await Self.open(at: terminal)
            try await Self.takeWorld(of: stack, at: terminal)
            try await Self.placePoints(at: terminal)
            try await Self.edit(at: terminal)
            try await Self.fly(at: terminal, witness)
        } catch {
            await terminal.stop()
            throw error
        }
        await terminal.stop()
        #expect(try await stack.uavlink("land", "--wait", "--link", "udp", "--quiet").status == 0)
        try await witness.sees("the vehicle landed", within: .seconds(60)) { $0.isLanded }
    }

    private static func open(at terminal: TmuxTerminal) async throws {
        let menu = try await terminal.sees("Map trajectory", within: .seconds(40))
        let line = try #require(menu.first { $0.contains("Map trajectory") })
        let number = try #require(line.first { $0.isNumber })
        try await terminal.press(String(number))
        try await terminal.sees("origin from vehicle", within: .seconds(30))
    }

    /// A world file whose safety area keeps the vehicle within 30 m.
    private static func takeWorld(of stack: FlightStack, at terminal: TmuxTerminal) async throws {
        let path = try stack.folder.write(
            """
            mrs_uav_managers:
              world_origin: {units: LATLON, origin_x: 47.397743, origin_y: 8.545594}
              safety_area_manager:
                safety_area:
                  enabled: true
                  horizontal: {frame_name: world_origin, points: [-30, -30, 30, -30, 30, 30, -30, 30]}
                  vertical: {frame_name: world_origin, min_z: 1.0, max_z: 15.0}
            """, to: "map-world.yaml")
        try await terminal.press("W")
        try await terminal.sees("Enter accept")
        try await terminal.type(path)
        try await terminal.press("Enter")
        try await terminal.sees("origin from world file")
        try await terminal.sees("safety area")
    }

    /// The first by key, which asks for the height that is not known; the second by the mouse.
    private static func placePoints(at terminal: TmuxTerminal) async throws {
        try await terminal.press("C-Right")
        try await terminal.press("Enter")
        try await terminal.sees("height of the waypoint")
        try await terminal.type("3")
        try await terminal.press("Enter")
        try await terminal.sees("[1]")
        // A click of the left button puts the cross there, Enter a point.
        try await terminal.type("\u{1B}[<0;50;10M\u{1B}[<0;50;10m")
        try await terminal.press("Enter")
        try await terminal.sees("[2]")
        try await terminal.sees("ready to send")
    }

    /// A third point far outside is found, and taken back.
    private static func edit(at terminal: TmuxTerminal) async throws {
        for _ in 0..<8 { try await terminal.press("C-Right") }
        try await terminal.press("Enter")
        try await terminal.sees("[3]")
        try await terminal.sees("a check failed")
        try await terminal.sees("✗ between point 2 and point")
        try await terminal.press("u")
        try await terminal.sees("ready to send")
        let screen = try await terminal.screen()
        #expect(!screen.contains { $0.contains("[3]") }, "\(screen)")
    }

    private static func fly(at terminal: TmuxTerminal, _ witness: FlightWitness) async throws {
        try await terminal.press("e")
        try await terminal.sees("Send this trajectory to")
        try await terminal.press("y")
        try await terminal.sees("trajectory loaded")
        try await terminal.press("g")
        try await terminal.sees("to the start of its trajectory?")
        try await terminal.press("y")
        try await terminal.sees("at its start", within: .seconds(60)) { $0.contains { $0.contains("start") } }
        try await witness.sees("the vehicle at rest away from its home") {
            ($0.position?[0] ?? 0) > 2 && $0.speed < 0.2
        }
        let start = try #require(try await witness.account().position)
        try await terminal.press("s")
        try await terminal.sees("Start the trajectory on")
        try await terminal.press("y")
        try await witness.sees("the vehicle under way") { $0.speed > 0.5 }
        try await terminal.sees("cross-track ", within: .seconds(60))
        try await terminal.sees("] flown", within: .seconds(60)) { $0.contains { $0.hasSuffix("┐ flown") } }
        let end = try #require(try await witness.account().position)
        #expect(end[1] - start[1] > 2, "it did not go north: \(start) to \(end)")
        let screen = try await terminal.screen()
        let line = try #require(screen.first { $0.contains("cross-track ") && $0.contains(" mean ") })
        let mean = try #require(line.split(separator: " ").compactMap { Double($0) }.last)
        #expect(mean < 0.3, "\(line)")
    }
}
