import FlightTestKit
import Foundation
import IntegrationKit
import Testing

/// The mode Flight plan, used by a person at a terminal: files that are none, the check, moves without flying, flights step by step and
/// whole, paused and stopped, routes. Where the drone truly is, the emulator says.
@Suite(
    .enabled(if: BuiltPrograms.programs != nil, "the programs are not built"),
    .enabled(if: TmuxTerminal.isAvailable, "tmux is not installed"), .serialized,
    .timeLimit(.minutes(MachinePace.minutes(5))))
struct FlightPlanDriveTests {
    private static let plan = "# an angle\ntakeoff\nforward 100\ncw 90\nforward 60\nland\n"

    @Test func `a plan is opened, moved, flown step by step, paused, stopped, written as a route`() async throws {
        try await MachineScreen.run(.tello) { screen in
            try screen.write(Self.plan, to: "angle.txt")
            try screen.write("This is text.\nNothing in it can be flown.\n", to: "notes.txt")
            try await Self.open(screen)
            try await Self.files(screen)
            try await Self.moveWithoutFlying(screen)
            try await Self.flyStepByStep(screen)
            try await Self.routes(screen)
            try await Self.flyAfterwards(screen)
        }
    }

    private static func open(_ screen: MachineScreen) async throws {
        let menu = try await screen.terminal.sees("a text file of commands")
        let line = try #require(menu.first { $0.contains("a text file of commands") })
        try await screen.terminal.press("\(try #require(line.first { $0.isNumber }))")
        try await screen.terminal.sees("no plan is open")
        try await screen.terminal.sees("● Command")
    }

    private static func answer(_ key: String, _ title: String, _ path: String, _ screen: MachineScreen) async throws {
        try await screen.terminal.press(key)
        try await screen.terminal.sees(title)
        // A name that was typed before stands there again.
        try await screen.terminal.press("C-u")
        try await screen.terminal.type(path)
        try await screen.terminal.press("Enter")
    }

    /// What is no plan stays in the prompt with the reason.
    private static func files(_ screen: MachineScreen) async throws {
        let terminal = screen.terminal
        try await answer("o", "Open a flight plan", screen.file("none.txt"), screen)
        try await terminal.sees("no such file")
        try await terminal.press("Escape")
        try await answer("o", "Open a flight plan", screen.file("notes.txt"), screen)
        // In a box, where it is broken into lines.
        try await terminal.sees("that it is no flight plan") { lines in
            lines.joined().filter { $0.isLetter }.contains("thisisnoflightplan")
        }
        try await terminal.press("Escape")
        try await answer("o", "Open a flight plan", screen.file("angle.txt"), screen)
        try await terminal.sees("✓ 5 commands from")
        try await terminal.sees("● Planning")
    }

    private static func moveWithoutFlying(_ screen: MachineScreen) async throws {
        for _ in 0..<3 { try await screen.terminal.press("Down") }
        try await screen.terminal.sees("line 4, ")
        try await screen.terminal.sees("1.00 m ahead, 0.00 left")
        #expect(try screen.machine.place().z == 0, "it flies")
    }

    private static func flyStepByStep(_ screen: MachineScreen) async throws {
        let (machine, terminal) = (screen.machine, screen.terminal)
        try await terminal.press("n")
        try await terminal.sees("y: take off, step by step")
        #expect(try machine.place().z == 0, "it takes off before it is agreed to")
        try await terminal.press("y")
        try await terminal.sees("hovers before 2 of 5", within: .seconds(60))
        let start = try await machine.stands()
        try await terminal.press("n")
        try await terminal.sees("hovers before 3 of 5", within: .seconds(60))
        try await machine.sees("a metre ahead") { start.ahead($0) > 0.8 }
        // A stop ends the plan, and nothing else of it is flown.
        try await terminal.press("r")
        try await terminal.press("x")
        try await terminal.sees("was stopped: the drone hovers")
        try await terminal.press("r")
        try await terminal.sees("land it first (l)")
        try await terminal.press("l")
        try await machine.sees("landed", within: .seconds(60)) { $0.state == "landed" && $0.z == 0 }
        try await terminal.sees("disarmed", within: .seconds(60))
        try await terminal.sees("that nothing hovers any more") { lines in
            !lines.contains { $0.contains("the drone hovers") }
        }
    }

    private static func routes(_ screen: MachineScreen) async throws {
        try await answer("e", "Write the plan as a route", screen.file("angle.csv"), screen)
        try await screen.terminal.sees("points written to")
        try await answer("i", "Make a plan of a route", screen.file("angle.csv"), screen)
        try await screen.terminal.sees("commands from")
        try await screen.terminal.sees("─ made of ")
        let table = try String(contentsOfFile: screen.file("angle.csv"), encoding: .utf8)
        #expect(table.contains("# frame: local_origin"))
    }

    /// Whoever leaves the mode can take off by hand: the drone does not stay in Planning.
    private static func flyAfterwards(_ screen: MachineScreen) async throws {
        let (machine, terminal) = (screen.machine, screen.terminal)
        try await terminal.press("Escape")
        try await terminal.sees("What do you want to do?")
        try await terminal.press("1")
        try await terminal.sees("RELEASED")
        try await terminal.press("t")
        try await terminal.sees("y: take off")
        try await terminal.press("y")
        try await machine.sees("up", within: .seconds(60)) { $0.z > 0.5 && $0.state == "hovering" }
        // The program hears of it later than the emulator says it.
        try await terminal.sees("\(machine.kind.rawValue) flying", within: .seconds(60))
        try await terminal.press("L")
        try await machine.sees("landed", within: .seconds(60)) { $0.state == "landed" && $0.z == 0 }
    }
}
