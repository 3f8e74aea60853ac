import FlightTestKit
import Foundation
import IntegrationKit
import Testing

/// The robot behind a Bluno, driven from the mode Robot by keys, by a game controller, by its tasks and by text. Where it truly is, the
/// emulator says.
@Suite(
    .enabled(if: BuiltPrograms.programs != nil, "the programs are not built"),
    .enabled(if: TmuxTerminal.isAvailable, "tmux is not installed"), .serialized,
    .timeLimit(.minutes(MachinePace.minutes(4))))
struct RobotDriveTests {
    @Test func `driven by keys, by a controller, by tasks and by text, recorded, reviewed`() async throws {
        try await MachineScreen.run(.bluno) { screen in
            try await Self.open(screen)
            try await screen.startRecording()
            try await Self.driveByKeys(screen)
            try await Self.driveByController(screen)
            try await Self.runTask(screen)
            try await Self.console(screen)
            try await screen.stopRecording(isTyping: true)
            try await screen.terminal.press("Escape")
            try await screen.quit()
            try await Self.judge(screen)
        }
    }

    /// The number of the mode is that of its line in the menu.
    private static func open(_ screen: MachineScreen) async throws {
        let menu = try await screen.terminal.sees("drive by keys, tasks and text")
        let line = try #require(menu.first { $0.contains("drive by keys, tasks and text") })
        let number = try #require(line.first { $0.isNumber })
        try await screen.terminal.press("\(number)")
        try await screen.terminal.sees("● ready")
        try await screen.terminal.sees("nothing held")
    }

    /// tmux tells no key-ups: a press drives for 0.3 s.
    private static func driveByKeys(_ screen: MachineScreen) async throws {
        let (machine, terminal) = (screen.machine, screen.terminal)
        let start = try await machine.stands()
        var shown = Set<String>()
        func press(_ key: String) -> () async throws -> Void {
            {
                try await terminal.press(key)
                // While it drives.
                for _ in 0..<4 {
                    let lines = try await terminal.screen()
                    let isShown = { (word: String) in lines.contains { $0.contains("▶") && $0.contains("   \(word)") } }
                    for word in ["forward", "right", "back"] where isShown(word) { shown.insert(word) }
                    try await Task.sleep(for: .milliseconds(50))
                }
            }
        }
        // On a slow machine a look at the screen may come after the 0.3 s: then the key is pressed again.
        try await machine.sees("driven ahead, and shown so", meanwhile: press("Up")) {
            start.ahead($0) > 0.3 && shown.contains("forward")
        }
        try await terminal.sees("Task      Remote")
        let ahead = try await machine.stands()
        #expect(abs(start.turn(to: ahead)) < 0.1, "\(start) \(ahead)")
        try await machine.sees("turned right, and shown so", meanwhile: press("d")) {
            ahead.turn(to: $0) < -0.3 && shown.contains("right")
        }
        let turned = try await machine.stands()
        try await machine.sees("driven back, and shown so", meanwhile: press("s")) {
            turned.ahead($0) < -0.1 && shown.contains("back")
        }
        _ = try await machine.stands()
        #expect(shown == ["forward", "right", "back"])
        try await terminal.sees("nothing held")
    }

    /// The left stick drives while it is deflected, and B stops.
    private static func driveByController(_ screen: MachineScreen) async throws {
        let (machine, terminal, controller) = (screen.machine, screen.terminal, screen.controller)
        try await terminal.press("c")
        try await terminal.sees("Controller uavlink virtual controller")
        let start = try await machine.stands()
        try controller.does("axis lefty -1")
        try await machine.sees("driven back by the stick") { start.ahead($0) < -0.15 && $0.state == "manual" }
        try controller.does("axis lefty 0")
        let back = try await machine.stands()
        try controller.does("axis leftx -1")
        try await machine.sees("turned left by the stick") { back.turn(to: $0) > 0.2 }
        // Stopped although the stick is still deflected: it has to go back to its middle first.
        try controller.does("button b press")
        let stopped = try await machine.stands()
        try controller.does("axis leftx 0")
        try await terminal.sees("nothing held")
        let rest = try await machine.stands()
        #expect(abs(stopped.turn(to: rest)) < 0.05, "\(stopped) \(rest)")
        try await terminal.press("c")
    }

    /// A task goes on by itself until the robot is stopped.
    private static func runTask(_ screen: MachineScreen) async throws {
        let (machine, terminal) = (screen.machine, screen.terminal)
        try await terminal.press("BTab")
        let tasks = try await terminal.sees("Tasks of the robot's program")
        for name in ["Status", "Remote", "Patrol", "Follow IR", "Avoid IR"] {
            #expect(tasks.contains { $0.contains(name) }, "\(name): \(tasks)")
        }
        let start = try await machine.stands()
        try await terminal.press("Down", "Down", "Enter")
        try await terminal.sees("the patrol marked") { $0.contains { $0.contains("▶ 2") && $0.contains("Patrol") } }
        try await machine.sees("on patrol") {
            start.distance(to: $0) > 0.2 || abs(start.turn(to: $0)) > 0.5
        }
        try await terminal.press("Space")
        let stopped = try await machine.stands()
        #expect(stopped.state == "standing" || stopped.state == "stop", "\(stopped)")
    }

    private static func console(_ screen: MachineScreen) async throws {
        let terminal = screen.terminal
        try await terminal.press("Tab", "Tab")
        try await terminal.sees("─ Console ─")
        // One key, one meaning.
        let screenLines = try await terminal.screen()
        let keys = try #require(screenLines.last { $0.contains("F7") })
        #expect(keys.components(separatedBy: "F7").count == 2, "\(keys)")
        try await terminal.type("4")
        try await terminal.press("Enter")
        try await terminal.sees("< task 4 Avoid IR")
        try await terminal.press("F7")
        _ = try await screen.machine.stands()
    }

    /// What it was sent is recorded, and what it has said; it has neither commands nor setpoints of its own, but stops.
    private static func judge(_ screen: MachineScreen) async throws {
        let (text, json) = try await screen.review()
        for part in ["vehicle: Bluno robot\n", "battery from 100 to ", "robot: sent f", "vehicle: task 2 Patrol"] {
            #expect(text.contains(part), "\(part): \(text)")
        }
        let driven = screen.machine.track.filter { $0.state != "standing" }
        let seconds = (driven.last?.seconds ?? 0) - (driven.first?.seconds ?? 0)
        #expect((json["length_s"] as? Double ?? 0) > seconds && seconds > 1)
        let events = json["events"] as? [[String: Any]] ?? []
        let sent = Set(events.filter { $0["kind"] as? String == "robot" }.compactMap { $0["text"] as? String })
        for key in ["f", "r", "b", "l", "s", "1", "2", "4"] {
            #expect(sent.contains { $0.contains(key) }, "\(key): \(sent.sorted())")
        }
    }
}
