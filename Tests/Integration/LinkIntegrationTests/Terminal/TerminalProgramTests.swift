import RemoteTerminalMode
import Foundation
import IntegrationKit
import SSHTransport
import Synchronization
import TerminalEmulation
import Testing
import UAVLink

/// A shell in an emulated terminal, as the screen has it, with the eyes and hands of a test.
private final class Seat {
    let shell: any ShellChannel
    let emulator: TerminalEmulator

    init(_ shell: any ShellChannel, _ size: TerminalSize) throws {
        self.shell = shell
        emulator = try #require(TerminalEmulator(size))
    }

    /// The screen without what is blank at the ends of lines: vim fills its lines with coloured blanks.
    var lines: [String] {
        emulator.picture().lines.map { line in String(line.text.reversed().drop { $0 == " " }.reversed()) }
    }

    /// Reads until the screen is as wanted.
    func see(within limit: Duration = .patient(seconds: 20), _ isWanted: ([String]) -> Bool) async throws -> Bool {
        let deadline = ContinuousClock.now + limit
        while !isWanted(lines) {
            guard ContinuousClock.now < deadline else { return false }
            do throws(LinkError) {
                guard let bytes = try await shell.read(within: .milliseconds(200)) else { return isWanted(lines) }
                emulator.feed(bytes)
                let answers = emulator.takeOutput()
                if !answers.isEmpty { try await shell.write(answers, within: .patient(seconds: 5)) }
            } catch  where error.code == .timedOut {
                continue
            }
        }
        return true
    }

    func type(_ text: String) async throws { try await shell.write(Array(text.utf8), within: .patient(seconds: 5)) }

    func press(_ key: TerminalKey.Key, _ modifiers: TerminalKey.Modifiers = []) async throws {
        emulator.press(TerminalKey(key, modifiers))
        try await shell.write(emulator.takeOutput(), within: .patient(seconds: 5))
    }
}

/// A prompt without a blank, which sshd could not be given, and UTF-8: without it vim takes what is not ASCII for Latin-1.
private let surroundings = ["PATH": "/usr/bin:/bin", "PS1": "$", "LC_ALL": "C.UTF-8"]
private let size = TerminalSize(rows: 20, columns: 80)

private func has(_ program: String) -> Bool { access("/usr/bin/" + program, X_OK) == 0 }

/// Programs that draw on the whole screen, in a shell of each kind.
@Suite(.serialized) struct TerminalProgramTests {
    /// Over the real sshd, and on this machine.
    private func withSeats(_ body: (Seat) async throws -> Void) async throws {
        let local = try LocalShell(
            size: size,
            environment: surroundings.merging(["SHELL": "/bin/sh", "HOME": "/"]) { $1 })
        try await body(try Seat(local, size))
        local.close()
        guard SSHServer.isAvailable else { return }
        try await withSession(environment: surroundings) { _, session in
            let shell = try await session.openShell(
                SSHTerminal(columns: size.columns, rows: size.rows), within: .patient(seconds: 10))
            try await body(try Seat(shell, size))
            shell.close()
        }
    }

    @Test(.enabled(if: has("vi"))) func `vim edits a file`() async throws {
        try await withSeats { seat in
            try await seat.type("cd /; vi -u NONE -N\n")
            #expect(try await seat.see { $0[1...18].allSatisfy { $0.hasPrefix("~") } })
            #expect(seat.emulator.modes.usesAlternateScreen)
            try await seat.type("ihello")
            try await seat.press(.enter)
            try await seat.type("wörld 日本")
            try await seat.press(.escape)
            #expect(try await seat.see { $0[0] == "hello" && $0[1] == "wörld 日本" })
            try await seat.press(.up)
            try await seat.type("dd")
            #expect(try await seat.see { $0[0] == "wörld 日本" && $0[1] == "~" })
            try await seat.type(":q!\r")
            #expect(try await seat.see { _ in !seat.emulator.modes.usesAlternateScreen })
            try await seat.type("exit 3\n")
            while try await seat.shell.read(within: .patient(seconds: 10)) != nil {}
            #expect(seat.shell.ending == ProgramEnding(status: 3))
        }
    }

    @Test(.enabled(if: has("less"))) func `less pages and follows a change of size`() async throws {
        try await withSeats { seat in
            try await seat.type("seq 1 300 | less\n")
            #expect(try await seat.see { $0[0] == "1" && $0[18] == "19" && $0[19] == ":" })
            try await seat.press(.pageDown)
            #expect(try await seat.see { $0[0] == "20" })
            // A less that has written its prompt and does not wait for a key yet misses a change until the next one.
            var hasFollowed = false
            for rows in [30, 29, 28, 27] where !hasFollowed {
                let larger = TerminalSize(rows: rows, columns: 100)
                seat.emulator.resize(larger)
                seat.shell.resize(larger)
                hasFollowed = try await seat.see(within: .patient(seconds: 5)) {
                    $0.count == rows && $0[rows - 2] == "\(18 + rows)" && $0[rows - 1] == ":"
                }
            }
            #expect(hasFollowed)
            try await seat.type("q")
        }
    }

    @Test(.enabled(if: has("top"))) func `top draws its table`() async throws {
        try await withSeats { seat in
            try await seat.type("top -d 1\n")
            #expect(try await seat.see { $0[0].hasPrefix("top - ") && $0.contains { $0.contains("PID USER") } })
            try await seat.type("q")
        }
    }

    @Test func `control C ends a flood, and the shell goes on`() async throws {
        try await withSeats { seat in
            try await seat.type("yes\n")
            #expect(try await seat.see { $0.filter { $0 == "y" }.count > 15 })
            try await seat.press(.character("c"), .control)
            try await seat.type("echo st''ill here\n")
            #expect(try await seat.see { $0.contains { $0.hasSuffix("still here") } })
        }
    }

    @Test func `a shell on this machine has a terminal and a size`() async throws {
        let shell = try LocalShell(size: size, environment: ["PATH": "/usr/bin:/bin", "SHELL": "/bin/sh"])
        let seat = try Seat(shell, size)
        try await seat.type("tty; stty size; echo $TERM.\n")
        #expect(try await seat.see { $0.contains { $0.hasSuffix("20 80") } && $0.contains("xterm-256color.") })
        #expect(seat.lines.contains { $0.contains("/dev/pts/") })
        shell.close()
    }

    /// As with every terminal that is closed: what has it ends with the shell. What runs in the background ends where the
    /// shell hands the hang-up on, as bash does and dash does not.
    @Test(arguments: [
        ("/bin/sh", "sh -c 'echo pid=$$.; exec sleep 1000'"), ("/bin/bash", "sh -c 'echo pid=$$.; exec sleep 1000'"),
        ("/bin/bash", "sleep 1000 & echo pid=$!."),
    ])
    func `a hang-up ends the shell and what runs in it`(program: String, line: String) async throws {
        guard access(program, X_OK) == 0 else { return }
        let shell = try LocalShell(size: size, environment: ["PATH": "/usr/bin:/bin", "SHELL": program, "HOME": "/"])
        let seat = try Seat(shell, size)
        try await seat.type(line + "\n")
        // The prompt may come after what was typed, in front of what the line prints.
        func reported(_ lines: [String]) -> Int32? {
            lines.compactMap { $0.firstMatch(of: /pid=([0-9]+)\./) }.first.flatMap { Int32($0.output.1) }
        }
        #expect(try await seat.see { reported($0) != nil })
        let pid = try #require(reported(seat.lines))
        // A shell's copy of itself that is not the program yet takes the hang-up in its own way.
        #expect(await eventually { isSleep(pid) })
        #expect(!hasEnded(pid))
        shell.close()
        #expect(await eventually { hasEnded(pid) })
        kill(pid, SIGKILL)
    }

    /// bash misses one hang-up in forty that comes just before it waits for a key, and leaves without ending what runs in it when
    /// the terminal is gone first.
    @Test func `a program that misses the hang-up gets it again, and keeps the terminal until it ends`() async throws {
        let folder = try TemporaryFolder()
        func hangUp() async throws {
            let shell = try LocalShell(
                size: size, environment: ["PATH": "/usr/bin:/bin", "SHELL": "/bin/sh", "HOME": folder.path],
                command: """
                    n=0
                    trap 'n=$((n + 1)); test $n = 2 && echo bye > /dev/tty && echo $n > said; test $n = 2 && exit' HUP
                    echo up
                    while :; do sleep 0.02; done
                    """)
            let seat = try Seat(shell, size)
            #expect(try await seat.see { $0[0] == "up" })
            shell.close()
        }
        try await hangUp()
        #expect(await eventually { (try? String(contentsOfFile: folder.path + "/said", encoding: .utf8)) == "2\n" })
    }

    /// Whether a process has become the `sleep` that it is to be; taken for granted where the system does not tell.
    private func isSleep(_ pid: Int32) -> Bool {
        guard let name = try? String(contentsOfFile: "/proc/\(pid)/comm", encoding: .utf8) else { return true }
        return name == "sleep\n"
    }

    /// Whether nothing of a process runs any more: it may stay for a while as an entry that the system's first process,
    /// whose child it is then, has not asked about yet.
    private func hasEnded(_ pid: Int32) -> Bool {
        guard let stat = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8) else {
            return kill(pid, 0) != 0
        }
        return stat.split(separator: ")").last?.dropFirst().first == "Z"
    }
}

/// The simple form's commands on this machine.
@Suite struct LocalCommandTests {
    private let runner = LocalCommandRunner(
        environment: ["PATH": "/usr/bin:/bin", "SHELL": "/bin/sh"], setup: "GREETING=hello")

    private final class Collected: Sendable {
        private let pieces = Mutex<[CommandChunk]>([])
        func add(_ piece: CommandChunk) { pieces.withLock { $0.append(piece) } }
        func text(isError: Bool) -> String {
            let bytes = pieces.withLock { $0 }.filter { $0.isError == isError }.flatMap(\.bytes)
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    @Test func `both outputs, the exit status, the set-up, and no input`() async throws {
        let collected = Collected()
        let (interrupt, _) = AsyncStream<Void>.makeStream()
        let ending = try await runner.run("cat; echo $GREETING; echo 'oh no' >&2; exit 9", interrupt: interrupt) {
            collected.add($0)
        }
        #expect(ending == ProgramEnding(status: 9))
        #expect(collected.text(isError: false) == "hello\n")
        #expect(collected.text(isError: true) == "oh no\n")
    }

    @Test func `an interrupt ends what neither reads nor writes, with the status of the signal`() async throws {
        let (interrupt, continuation) = AsyncStream<Void>.makeStream()
        let collected = Collected()
        let ending = try await runner.run("echo up; sleep 1000; echo not reached", interrupt: interrupt) { piece in
            collected.add(piece)
            continuation.finish()
        }
        #expect(ending == ProgramEnding(status: 130))
        #expect(collected.text(isError: false) == "up\n")
    }

    @Test func `what ignores the interrupt is killed`() async throws {
        let (interrupt, continuation) = AsyncStream<Void>.makeStream()
        let began = ContinuousClock.now
        let ending = try await runner.run("trap '' INT; echo up; while :; do sleep 1; done", interrupt: interrupt) {
            _ in
            continuation.finish()
        }
        #expect(ending == ProgramEnding(status: nil, signal: "KILL"))
        #expect(ContinuousClock.now - began < .patient(seconds: 20))
    }
}
