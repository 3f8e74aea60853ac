import FlightTestKit
import Foundation
import IntegrationKit
import Testing

/// The drones with their own protocol, flown by a person at a terminal: by keyboard and by a game controller. Where they truly are,
/// the emulators say.
@Suite(
    .enabled(if: BuiltPrograms.programs != nil, "the programs are not built"),
    .enabled(if: TmuxTerminal.isAvailable, "tmux is not installed"), .serialized,
    .timeLimit(.minutes(MachinePace.minutes(5))))
struct MachineFlightTests {
    @Test(arguments: [EmulatedMachine.Kind.tello, .ardrone])
    func `taken off, steered by keys and by a controller, landed, recorded, reviewed`(
        _ kind: EmulatedMachine.Kind
    ) async throws {
        try await MachineScreen.run(kind) { screen in
            try await screen.terminal.press("1")
            try await screen.terminal.sees("RELEASED")
            // Of a Tello it is known once its state has come for a moment.
            try await screen.terminal.sees("\(kind.rawValue) disarmed")
            try await screen.startRecording()
            try await Self.takeOff(screen)
            try await Self.steerByKeys(screen)
            try await Self.steerByController(screen)
            try await Self.land(screen)
            try await screen.stopRecording()
            try await screen.terminal.press("Escape")
            try await screen.quit()
            try await Self.judge(screen)
        }
    }

    private static func takeOff(_ screen: MachineScreen) async throws {
        let (machine, terminal) = (screen.machine, screen.terminal)
        #expect(try machine.place().z == 0)
        try await terminal.press("t")
        try await terminal.sees("y: take off")
        #expect(try machine.place().z == 0, "it takes off before it is agreed to")
        try await terminal.press("y")
        let up = try await machine.sees("up", within: .seconds(60)) { $0.z > 0.5 && $0.state == "hovering" }
        try await terminal.sees("\(kindTitle(machine)) flying", within: .seconds(60))
        try await showsHeight(of: machine, at: terminal, at: up)
    }

    /// The vehicle is called as its kind of address.
    private static func kindTitle(_ machine: EmulatedMachine) -> String { machine.kind.rawValue }

    /// The height on the screen is the true one; a Tello says whole decimetres.
    private static func showsHeight(
        of machine: EmulatedMachine, at terminal: TmuxTerminal, at place: EmulatedMachine.Place
    ) async throws {
        try await terminal.sees("the height \(place.z) m") { lines in
            MachineScreen.number(after: "height", in: lines).map { abs($0 - place.z) < 0.25 } ?? false
        }
    }

    private static func engage(_ screen: MachineScreen, _ begin: () async throws -> Void) async throws {
        try await begin()
        try await screen.terminal.sees("ENGAGED, and setpoints sent") { lines in
            lines.contains { $0.contains("ENGAGED") }
                && MachineScreen.number(after: ", sent ", in: lines).map { $0 > 0 } ?? false
        }
    }

    /// tmux tells no key-ups: each press is a step, and between two of them the drone brakes.
    private static func steerByKeys(_ screen: MachineScreen) async throws {
        let (machine, terminal) = (screen.machine, screen.terminal)
        try await terminal.sees("each press is one step")
        try await engage(screen) { try await terminal.press("Enter") }
        let start = try await machine.stands()
        var shownSpeed = 0.0
        func press(_ key: String) -> () async throws -> Void {
            {
                try await terminal.press(key)
                // As fast as a user presses; meanwhile the screen is read.
                for _ in 0..<4 {
                    let speed = MachineScreen.speed(in: try await terminal.screen())
                    shownSpeed = max(shownSpeed, speed ?? 0)
                    try await Task.sleep(for: .milliseconds(100))
                }
            }
        }
        // On a slow machine a look at the screen may come after the step: then there is another one.
        try await machine.sees("half a metre ahead, and shown so", meanwhile: press("w")) {
            start.ahead($0) > 0.5 && shownSpeed >= 0.1
        }
        #expect(shownSpeed >= 0.1, "the screen never showed that it moves")
        let ahead = try await machine.stands()
        #expect(abs(start.turn(to: ahead)) < 0.1, "it has turned: \(start) \(ahead)")
        try await machine.sees("back", meanwhile: press("s")) { ahead.ahead($0) < -0.4 }
        _ = try await machine.stands()
        let left = try await machine.sees("turned left", meanwhile: press("q")) { start.turn(to: $0) > 0.3 }
        try await machine.sees("higher", meanwhile: press("r")) { $0.z > left.z + 0.3 }
        let high = try await machine.stands()
        try await showsHeight(of: machine, at: terminal, at: high)
        // Space hovers, and steering goes on no further.
        try await terminal.press("w")
        try await terminal.press("Space")
        try await terminal.sees("RELEASED")
        _ = try await machine.stands()
    }

    /// The right stick moves, as in the layout that most pilots have (mode 2); in the middle it hovers.
    private static func steerByController(_ screen: MachineScreen) async throws {
        let (machine, terminal, controller) = (screen.machine, screen.terminal, screen.controller)
        try await terminal.press("c")
        try await terminal.sees("source uavlink virtual controller")
        try await engage(screen) { try controller.does("button start press") }
        for (stick, deflection, what) in [("righty", 0.6, "ahead"), ("righty", -0.6, "back")] {
            let start = try await machine.stands()
            try controller.does("axis \(stick) \(deflection)")
            var isAsked = false
            let centre = centreIfAsked(screen, "\(stick) \(deflection)")
            func look() async throws {
                try await centre()
                let asked = MachineScreen.number(after: "sends  forward", in: try await terminal.screen()) ?? 0
                if asked * deflection > 0.05 { isAsked = true }
            }
            try await machine.sees("half a metre \(what), and the screen says what is sent", meanwhile: look) {
                isAsked && start.ahead($0) * deflection > 0.3
            }
            try controller.does("axis \(stick) 0")
            try await machine.sees("hovering, let go of") { $0.state == "hovering" }
            let rest = try await machine.stands()
            #expect(start.ahead(rest) * deflection > 0.3, "\(start) \(rest)")
        }
        let start = try await machine.stands()
        try controller.does("axis leftx 0.6")
        try await machine.sees("turned right", meanwhile: centreIfAsked(screen, "leftx 0.6")) {
            start.turn(to: $0) < -0.3
        }
        try controller.does("axis leftx 0")
        _ = try await machine.stands()
        try controller.does("button start press")
        try await terminal.sees("RELEASED")
    }

    /// On a slow machine the program may stall for a moment. It then ignores the sticks until they are centred, and says so.
    private static func centreIfAsked(_ screen: MachineScreen, _ axis: String) -> () async throws -> Void {
        {
            let lines = try await screen.terminal.screen()
            guard lines.contains(where: { $0.contains("this program stalled: centre the sticks") }) else { return }
            try screen.controller.does("axis \(axis.prefix { $0 != " " }) 0")
            try await screen.terminal.sees("that the sticks count again") { lines in
                !lines.contains { $0.contains("this program stalled") }
            }
            try screen.controller.does("axis \(axis)")
        }
    }

    private static func land(_ screen: MachineScreen) async throws {
        try await screen.terminal.press("L")
        try await screen.machine.sees("landed", within: .seconds(60)) { $0.state == "landed" && $0.z == 0 }
        try await screen.terminal.sees("\(kindTitle(screen.machine)) disarmed", within: .seconds(60))
    }

    /// The recording says of the flight what the emulator says.
    private static func judge(_ screen: MachineScreen) async throws {
        let (text, json) = try await screen.review()
        let track = screen.machine.track
        let highest = track.map(\.z).max() ?? 0
        let flown = (track.last { $0.z > 0 }?.seconds ?? 0) - (track.first { $0.z > 0 }?.seconds ?? 0)
        for part in [
            "vehicle: \(screen.machine.kind.name)\n", "height above ground from 0.", "m/s; no position was recorded",
            " disarmed, ", " flying, ", "takeoff", "land", "setpoints: ",
        ] {
            #expect(text.contains(part), "\(part): \(text)")
        }
        #expect(json["machines"] as? [String] == [screen.machine.kind.name])
        #expect((json["length_s"] as? Double ?? 0) > flown)
        let heights = try #require(json["height_m"] as? [Double])
        #expect(heights.count == 2 && heights[0] < 0.2 && abs(heights[1] - highest) < 0.25, "\(heights) \(highest)")
        let fastest = try #require(json["fastest_mps"] as? Double)
        #expect((0.1...2.5).contains(fastest))
        let states = (json["states"] as? [[String: Any]] ?? []).compactMap { $0["state"] as? String }
        #expect(states == ["disarmed", "taking_off", "flying", "landing", "disarmed"], "\(states)")
        let commands = json["commands"] as? [[String: Any]] ?? []
        for name in ["takeoff", "land"] {
            #expect(
                commands.contains { $0["command"] as? String == name && $0["accepted"] as? Bool == true },
                "\(name): \(commands)")
        }
        let setpoints = try #require(json["setpoints"] as? [String: Any])
        #expect((setpoints["count"] as? Int ?? 0) > 100)
    }
}

extension MachineScreen {
    /// The speed below the view that the machine lacks: `0.5 m/s, up 0.0 m/s, height 0.8 m`.
    static func speed(in lines: [String]) -> Double? {
        for line in lines {
            guard let place = line.range(of: " m/s, up ", options: .backwards), line.contains("height") else {
                continue
            }
            return line[..<place.lowerBound].split(separator: " ").last.flatMap { Double($0) }
        }
        return nil
    }
}
