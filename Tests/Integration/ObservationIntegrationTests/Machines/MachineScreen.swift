import FlightTestKit
import Foundation
import IntegrationKit
import Testing

/// The front end on an emulated machine, at a terminal of its own and with a game controller that SDL makes in it.
struct MachineScreen {
    let machine: EmulatedMachine
    let terminal: TmuxTerminal
    let controller: VirtualController
    private let folder: TemporaryFolder

    /// The recording of the flight.
    var recording: String { folder.file("flight.bag") }

    /// The path of a file of this session.
    func file(_ name: String) -> String { folder.file(name) }

    /// Writes a file of this session.
    func write(_ text: String, to name: String) throws { _ = try folder.write(text, to: name) }

    /// A machine that hears nothing of its ground for a second is braked, and after some more it lands.
    private static let starvedNanoseconds: Int64 = 700_000_000

    /// Starts both, and ends them whatever `body` does. A failure is not judged when the computer kept a process waiting so long that the
    /// machine must have lost its ground.
    static func run(_ kind: EmulatedMachine.Kind, _ body: (MachineScreen) async throws -> Void) async throws {
        let machine = try await EmulatedMachine(kind)
        let (watch, begin) = (SchedulingWatch(), SchedulingWatch.now)
        if let process = machine.process.pid { watch.add(process) }
        do {
            try await session(on: machine, watch, body)
        } catch {
            watch.settle()
            let longest = watch.longestWait(from: begin, to: SchedulingWatch.now)
            watch.stop()
            await machine.process.stop()
            guard longest > starvedNanoseconds else {
                throw ProcessFailure("\(error)\nwhat the machine did: \(machine.states)")
            }
            print("\(kind): NOT JUDGED on this machine: a process waited \(longest / 1_000_000) ms; \(error)")
            return
        }
        watch.stop()
        await machine.process.stop()
    }

    private static func session(
        on machine: EmulatedMachine, _ watch: SchedulingWatch, _ body: (MachineScreen) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        // The exit code is shown on the screen: tmux now and then misses a child's end.
        let script = try folder.write(
            "'\(BuiltPrograms.path("uavlink"))' --link \(machine.address)\necho ended with $?.\nread line\n",
            to: "person.sh")
        let terminal = try await TmuxTerminal(
            ["/bin/sh", script],
            environment: Self.environment(folder).merging(
                ["UAVLINK_VIRTUAL_CONTROLLER": folder.file("controller")]) { $1 }, columns: 120, rows: 40)
        do {
            // It logs in by itself: the address stands on the command line.
            try await terminal.sees("What do you want to do?", within: .seconds(40))
            let shell = try await terminal.process()
            let children = try String(contentsOfFile: "/proc/\(shell)/task/\(shell)/children", encoding: .utf8)
            for child in children.split(separator: " ") { Int32(child).map(watch.add) }
            try await body(
                MachineScreen(
                    machine: machine, terminal: terminal,
                    controller: VirtualController(pipe: folder.file("controller")), folder: folder))
        } catch {
            let shown = try? await terminal.screen().joined(separator: "\n")
            await terminal.stop()
            throw ProcessFailure("\(error)\nthe screen at the end:\n\(shown ?? "none")")
        }
        await terminal.stop()
    }

    private static func environment(_ folder: TemporaryFolder) -> [String: String] {
        ["PATH": "/usr/bin:/bin", "HOME": folder.path, "UAVLINK_RUNTIME_DIR": folder.path, "LC_ALL": "C.UTF-8"]
    }

    /// Runs a line of the command palette.
    ///
    /// - Parameter isTyping: whether letters are text on the screen, so that the palette has another key.
    func palette(_ line: String, isTyping: Bool = false) async throws {
        try await terminal.press(isTyping ? "F2" : ":")
        try await terminal.sees("─ Command ─")
        try await terminal.type(line)
        try await terminal.sees(": \(line.prefix(30))")
        try await terminal.press("Enter")
    }

    func startRecording() async throws {
        try await palette("record \(recording)")
        try await terminal.sees(" REC ")
    }

    func stopRecording(isTyping: Bool = false) async throws {
        try await palette("stop recording", isTyping: isTyping)
        try await terminal.sees("✓ recorded ")
        try await terminal.sees("that nothing is recorded") { lines in !lines.contains { $0.contains(" REC ") } }
    }

    /// Quits from the menu.
    func quit() async throws {
        try await terminal.sees("What do you want to do?")
        try await terminal.press("q")
        try await terminal.sees("ended with 0.")
    }

    /// The recording as `uavlink review` shows it: its text, and its JSON.
    func review() async throws -> (text: String, json: [String: Any]) {
        let text = try await uavlink(["review", recording])
        let json = try await uavlink(["review", recording, "--json"])
        let object = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
        return (text, try #require(object, "\(json)"))
    }

    private func uavlink(_ words: [String]) async throws -> String {
        let child = try ChildProcess(
            [BuiltPrograms.path("uavlink")] + words, environment: Self.environment(folder))
        let status = try await child.exit()
        #expect(status == 0, "\(words): \(child.errors)")
        return child.output
    }

    /// The number in front of a word on the screen, as in `height 0.8 m`: the one behind `before`.
    static func number(after before: String, in lines: [String]) -> Double? {
        for line in lines {
            guard let place = line.range(of: before) else { continue }
            let word = line[place.upperBound...].drop { $0 == " " }.prefix { $0.isNumber || ".+-".contains($0) }
            if let number = Double(word) { return number }
        }
        return nil
    }
}
