import Foundation
import IntegrationKit
import Testing

/// The front end's map as a person has it, by keyboard alone: a route is placed, written, read again and flown.
@Suite(.enabled(if: TmuxTerminal.isAvailable, "tmux is needed"), .serialized, .timeLimit(.minutes(4)))
struct MapScreenTests {
    private func withFrontEnd(_ body: (TemporaryFolder, TmuxTerminal) async throws -> Void) async throws {
        let folder = try TemporaryFolder()
        let script = try folder.write(
            "\(BuiltPrograms.path("uavlink")) --link sim\necho ended with $?.\nread line\n", to: "person.sh")
        let terminal = try await TmuxTerminal(
            ["/bin/sh", script],
            environment: [
                "PATH": "/usr/bin:/bin", "HOME": folder.path, "UAVLINK_RUNTIME_DIR": folder.path,
                "LC_ALL": "C.UTF-8",
            ], columns: 110, rows: 34)
        do {
            try await terminal.sees("What do you want to do?")
            try await body(folder, terminal)
        } catch {
            await terminal.stop()
            throw error
        }
        await terminal.stop()
    }

    /// Answers the question that a key asks.
    private func answer(_ key: String, _ title: String, _ text: String, _ terminal: TmuxTerminal) async throws {
        try await terminal.press(key)
        try await terminal.sees(title)
        try await terminal.press("C-u")
        try await terminal.type(text)
        try await terminal.press("Enter")
    }

    @Test func `a route is placed, written, opened and flown`() async throws {
        try await withFrontEnd { folder, terminal in
            try await takeOff(terminal)
            try await terminal.press("4")
            try await terminal.sees("no trajectory")
            // Where world_origin lies is the vehicle's answer.
            try await terminal.sees("origin from vehicle")
            for _ in 0..<12 { try await terminal.press("-") }
            try await terminal.press("C-Right", "C-Up")
            try await answer("Enter", "height of the point", "5", terminal)
            try await terminal.sees("point 1 of 1")
            try await terminal.press("C-Right", "Enter")
            try await terminal.sees("ready to send")

            let file = folder.path + "/field.kml"
            try await answer("w", "file to write", file, terminal)
            try await terminal.sees("the points are in")
            let written = try String(contentsOfFile: file, encoding: .utf8)
            #expect(written.contains("<altitudeMode>absolute</altitudeMode>"))
            try await terminal.press("C")
            try await terminal.sees("no trajectory")
            try await answer("o", "file of points", file, terminal)
            try await terminal.sees("2 points from")
            try await terminal.sees("ready to send")

            try await confirmed("e", "send this trajectory?", terminal)
            try await terminal.sees("on the vehicle")
            try await confirmed("g", "start", terminal)
            try await terminal.sees("flying to the start")
            try await terminal.sees("the start reached", within: .seconds(60)) { lines in
                lines.contains { $0.hasSuffix("on the vehicle") }
            }
            try await confirmed("s", "start", terminal)
            try await terminal.sees("flying the trajectory")
            let screen = try await terminal.sees("the trajectory is flown", within: .seconds(60))
            #expect(screen.contains { $0.contains("off the path") }, "\(screen)")
            try await terminal.press("Escape")
            try await terminal.sees("What do you want to do?")
        }
    }

    private func takeOff(_ terminal: TmuxTerminal) async throws {
        try await terminal.press("1")
        try await terminal.sees("RELEASED")
        try await terminal.press("t")
        try await terminal.sees("y Enter yes")
        try await terminal.press("y")
        try await terminal.sees("take-off done", within: .seconds(60))
        try await terminal.press("Escape")
        try await terminal.sees("What do you want to do?")
    }

    private func confirmed(_ key: String, _ question: String, _ terminal: TmuxTerminal) async throws {
        try await terminal.press(key)
        try await terminal.sees("y yes")
        try await terminal.sees(question)
        try await terminal.press("y")
    }
}
