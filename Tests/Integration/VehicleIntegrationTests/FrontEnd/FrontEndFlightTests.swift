import FlightTestKit
import Foundation
import IntegrationKit
import Testing

/// A whole session of a user at a terminal against the real servers, by keyboard alone, and with a game controller that
/// SDL makes itself; a rospy node watches.
@Suite(
    .enabled(if: FlightStack.missing == nil, "\(FlightStack.missing ?? "")"),
    .enabled(if: TmuxTerminal.isAvailable, "tmux is not installed"), .serialized,
    .timeLimit(.minutes(MachinePace.minutes(6))))
struct FrontEndFlightTests {
    /// What the square is flown with.
    enum Hands: String, CaseIterable { case keyboard, controller }

    @Test(
        .enabled(if: TemporaryUser.canBeMade, "only root can make a user with a password"), arguments: Hands.allCases)
    func `log in, take off, fly a square, run a command, land, quit`(with hands: Hands) async throws {
        try await TemporaryUser.with(isOurself: true) { user in
            try await withFlightStack(sshOptions: ["PasswordAuthentication yes"]) { stack in
                let file = try stack.configuration(["user": user.name])
                // The exit code is shown on the screen: tmux now and then misses a child's end.
                let terminal = try await TmuxTerminal(
                    [
                        "/bin/sh", "-c", "\"$@\"; echo \"ended with $?.\"; read line", "sh",
                        BuiltPrograms.path("uavlink"), "--config", file,
                    ],
                    environment: stack.groundEnvironment.merging(
                        ["UAVLINK_VIRTUAL_CONTROLLER": Self.pipe(of: stack)]) { _, new in new })
                do {
                    try await Self.session(at: terminal, as: user, on: stack, with: hands)
                } catch {
                    await terminal.stop()
                    throw error
                }
                await terminal.stop()
            }
        }
    }

    static func session(
        at terminal: TmuxTerminal, as user: TemporaryUser, on stack: FlightStack, with hands: Hands
    ) async throws {
        try await logIn(at: terminal, as: user)
        let witness = try await stack.witness()
        try await takeOff(at: terminal)
        try await witness.sees("the vehicle flying") { $0.flying == true }
        let watch = try await stack.schedulingWatch()
        try await watch.add(frontEnd(at: terminal))
        switch hands {
        case .keyboard:
            let pilot = Pilot(terminal: terminal, witness: witness, watch: watch) { try await terminal.press("Enter") }
            try await flySquare(pilot)
        case .controller:
            let controller = VirtualController(pipe: pipe(of: stack))
            let pilot = Pilot(terminal: terminal, witness: witness, watch: watch) {
                // Command is taken with the sticks at rest.
                for axis in ["righty", "rightx"] { try controller.does("axis \(axis) 0") }
                try controller.does("button start press")
            }
            try await flySquare(pilot, by: controller)
        }
        watch.stop()
        try await runCommand(at: terminal)
        try await land(at: terminal)
        try await witness.sees("the vehicle landed", within: .seconds(60)) { $0.isLanded }
        try await terminal.press("Escape")
        try await terminal.sees("What do you want to do?")
        try await terminal.press("q")
        // The shell of the command that was run is open still.
        try await terminal.sees("Lost when you quit: the open shell on ")
        try await terminal.press("y")
        try await terminal.sees("ended with 0.")
        #expect(try await !terminal.isAlternateScreenOn(), "the terminal is not given back")
    }

    /// The program in the terminal: the shell's child.
    static func frontEnd(at terminal: TmuxTerminal) async throws -> Int32 {
        let shell = try await terminal.process()
        let children = try String(contentsOfFile: "/proc/\(shell)/task/\(shell)/children", encoding: .utf8)
        return try #require(children.split(separator: " ").first.flatMap { Int32($0) })
    }

    /// First with a wrong password: a dialog says so, and the form is as it was.
    static func logIn(at terminal: TmuxTerminal, as user: TemporaryUser) async throws {
        try await terminal.sees("Log-in")
        try await terminal.sees("stack")
        try await terminal.sees(user.name)
        try await goTo("Password", at: terminal)
        try await terminal.type("not the password")
        try await terminal.press("Enter")
        let refused = try await terminal.sees("password", within: .seconds(30)) { lines in
            lines.contains { $0.contains("refused") || $0.contains("does not let") }
        }
        #expect(!refused.contains { $0.contains("not the password") }, "\(refused)")
        try await terminal.press("Enter")
        let form = try await terminal.sees("▸ Password")
        #expect(form.contains { $0.contains(user.name) }, "\(form)")
        try await terminal.press("C-u")
        try await terminal.type(user.password)
        try await terminal.press("Enter")
        try await terminal.sees("What do you want to do?", within: .seconds(40))
        try await terminal.sees("udp")
    }

    static func goTo(_ field: String, at terminal: TmuxTerminal) async throws {
        for _ in 0..<12 {
            let before = try await terminal.screen().filter { $0.contains("▸ ") }
            if before.contains(where: { $0.contains("▸ \(field)") }) { return }
            try await terminal.press("Tab")
            try await terminal.sees("another field") { lines in lines.filter { $0.contains("▸ ") } != before }
        }
        throw ProcessFailure("no field \(field): \(try await terminal.screen())")
    }

    static func takeOff(at terminal: TmuxTerminal) async throws {
        try await terminal.press("1")
        try await terminal.sees("RELEASED")
        try await terminal.press("t")
        try await terminal.sees("take off?")
        try await terminal.press("y")
        try await terminal.sees("flying", within: .seconds(60))
    }

    /// tmux tells no key-ups: each press is a step, and the screen says so. North is at the top of the vehicle's map.
    static func flySquare(_ pilot: Pilot) async throws {
        let (terminal, witness) = (pilot.terminal, pilot.witness)
        try await terminal.sees("each press is one step")
        try await terminal.press("G")
        try await terminal.sees("frame  world")
        try await pilot.engage()
        // In the world frame forward is east and left is north.
        let sides: [(String, axis: Int, sign: Double)] = [("w", 0, 1), ("a", 1, 1), ("s", 0, -1), ("d", 1, -1)]
        let start = try #require(try await witness.account().position)
        for (key, axis, sign) in sides {
            let before = try #require(try await witness.account().position)
            // As fast as a user presses who looks at the map; a press while a step goes on may not count.
            for _ in 0..<4 {
                try await terminal.press(key)
                try await Task.sleep(for: .milliseconds(600))
            }
            let moved = try await finish(key, pilot) { ($0[axis] - before[axis]) * sign }
            try await follows(try #require(moved.position), at: terminal)
        }
        let end = try #require(try await witness.account().position)
        #expect(abs(end[0] - start[0]) < 1 && abs(end[1] - start[1]) < 1, "not a square: \(start) to \(end)")
        try await terminal.sees("how long a key takes from its bytes to its setpoint") { lines in
            lines.contains { $0.contains(/source +keyboard, steps, mode 2, [0-9]+ ms/) }
        }
        try await terminal.press("Enter")
        try await terminal.sees("RELEASED")
    }

    /// Waits until the vehicle rests; presses on while it is not more than a metre along its way.
    static func finish(
        _ key: String, _ pilot: Pilot, _ along: @escaping ([Double]) -> Double
    ) async throws -> FlightWitness.Account {
        var way = 0.0
        for _ in 0..<8 {
            let rested = try await pilot.sees("the vehicle a step further, at rest") { account in
                account.position.map(along) ?? 0 > way && account.speed < 0.2
            }
            if let rested {
                way = rested.position.map(along) ?? 0
                if way > 1 { return rested }
                way += 0.2
            }
            try await pilot.terminal.press(key)
        }
        throw ProcessFailure("the vehicle is only \(way) m on its way")
    }

    /// The controller's right stick moves, as in the layout that most pilots have (mode 2).
    static func flySquare(_ pilot: Pilot, by controller: VirtualController) async throws {
        let (terminal, witness) = (pilot.terminal, pilot.witness)
        try await terminal.press("c")
        try await terminal.sees("source uavlink virtual controller")
        try await terminal.press("G")
        try await terminal.sees("frame  world")
        try await pilot.engage()
        let sides: [(String, to: Double, axis: Int, sign: Double)] = [
            ("righty", 0.6, 0, 1), ("rightx", -0.6, 1, 1), ("righty", -0.6, 0, -1), ("rightx", 0.6, 1, -1),
        ]
        for (stick, deflection, axis, sign) in sides {
            let before = try #require(try await witness.account().position)
            repeat {
                try controller.does("axis \(stick) \(deflection)")
            } while try await pilot.sees("the vehicle a side further") {
                (($0.position?[axis] ?? 0) - before[axis]) * sign > 1
            } == nil
            try controller.does("axis \(stick) 0")
            let still = try await witness.sees("the vehicle at rest") { $0.speed < 0.2 }
            try await follows(try #require(still.position), at: terminal)
        }
        try controller.does("button start press")
        try await terminal.sees("RELEASED")
    }

    /// The screen shows where the witness sees the vehicle.
    static func follows(_ position: [Double], at terminal: TmuxTerminal) async throws {
        try await terminal.sees("x \(Self.metres(position[0])) y \(Self.metres(position[1]))") { lines in
            lines.contains { line in
                guard let shown = Self.position(in: line) else { return false }
                return abs(shown.x - position[0]) < 0.3 && abs(shown.y - position[1]) < 0.3
            }
        }
    }

    static func pipe(of stack: FlightStack) -> String { stack.folder.path + "/controller" }

    static func metres(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }

    static func position(in line: String) -> (x: Double, y: Double)? {
        let words = line.split(separator: " ")
        guard let at = words.lastIndex(of: "x"), words.count > at + 3, words[at + 2] == "y",
            let x = Double(words[at + 1]),
            let y = Double(words[at + 3])
        else { return nil }
        return (x, y)
    }

    static func runCommand(at terminal: TmuxTerminal) async throws {
        try await terminal.press("Escape")
        try await terminal.sees("What do you want to do?")
        try await terminal.press("3")
        try await terminal.sees("F9 leave")
        try await terminal.sees("a prompt", within: .seconds(30)) {
            $0.contains { $0.contains("#") || $0.contains("$") }
        }
        try await terminal.type("echo product $((6 * 7))")
        try await terminal.press("Enter")
        try await terminal.sees("product 42")
        try await terminal.press("F9")
        try await terminal.sees("What do you want to do?")
    }

    static func land(at terminal: TmuxTerminal) async throws {
        try await terminal.press("1")
        try await terminal.sees("RELEASED")
        try await terminal.press("L")
        try await terminal.sees("uav1 disarmed", within: .seconds(60))
    }
}
