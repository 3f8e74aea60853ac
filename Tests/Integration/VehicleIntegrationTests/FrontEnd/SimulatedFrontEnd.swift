import Foundation
import IntegrationKit

/// The front end on a vehicle that is simulated in its process, at a terminal of its own.
struct SimulatedFrontEnd {
    let folder: TemporaryFolder
    let terminal: TmuxTerminal

    /// Starts it, and ends it whatever `body` does.
    static func run(_ body: (SimulatedFrontEnd) async throws -> Void) async throws {
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
            try await body(SimulatedFrontEnd(folder: folder, terminal: terminal))
        } catch {
            await terminal.stop()
            throw error
        }
        await terminal.stop()
    }

    /// Takes off by the joystick's key, and goes back to the menu.
    func takeOff() async throws {
        try await terminal.press("1")
        try await terminal.sees("RELEASED")
        try await terminal.press("t")
        try await terminal.sees("y: take off")
        try await terminal.press("y")
        try await terminal.sees("take-off done", within: .seconds(60))
        try await terminal.press("Escape")
        try await terminal.sees("What do you want to do?")
    }

    /// Answers the question that a key asks.
    func answer(_ key: String, _ title: String, _ text: String) async throws {
        try await terminal.press(key)
        try await terminal.sees(title)
        try await terminal.press("C-u")
        try await terminal.type(text)
        try await terminal.press("Enter")
    }

    /// Says yes to what a key asks.
    func confirm(_ key: String, _ question: String) async throws {
        try await terminal.press(key)
        try await terminal.sees(question)
        try await terminal.press("y")
    }
}
