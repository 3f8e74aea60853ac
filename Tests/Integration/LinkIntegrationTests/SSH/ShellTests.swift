import IntegrationKit
import SSHTransport
import Testing
import UAVLink

/// Reads until the screen's text holds `text`.
private func read(_ shell: SSHShell, until text: String) async throws -> String {
    var seen = ""
    while !seen.contains(text) {
        guard let bytes = try await shell.read(within: .patient(seconds: 10)) else { break }
        seen += String(decoding: bytes, as: UTF8.self)
    }
    return seen
}

extension SSHTests {
    @Suite struct SSHShellTests {
        @Test func `a shell has a terminal of the size that was asked for and follows changes`() async throws {
            try await withSession { _, session in
                let shell = try await session.openShell(
                    SSHTerminal(columns: 93, rows: 31), within: .patient(seconds: 10))
                try await shell.write(Array("tty; stty size; echo $TERM.\n".utf8), within: .patient(seconds: 5))
                let first = try await read(shell, until: "xterm-256color.\r\n")
                #expect(first.contains("/dev/pts/"))
                #expect(first.contains("31 93"))
                shell.resize(columns: 120, rows: 40)
                shell.resize(columns: 121, rows: 41)
                // What is written may overtake the new size: so the shell itself waits for it.
                let awaited = "until [ \"$(stty size)\" = '41 121' ]; do sleep 0.1; done; echo 'now' $(stty size).\n"
                try await shell.write(Array(awaited.utf8), within: .patient(seconds: 5))
                let answer3 = try await read(shell, until: "now 41 121.")
                #expect(answer3.contains("now 41 121."))
                try await shell.write(Array("exit 5\n".utf8), within: .patient(seconds: 5))
                while try await shell.read(within: .patient(seconds: 10)) != nil {}
                #expect(shell.exit?.status == 5)
            }
        }

        @Test func `control C interrupts what runs in the shell`() async throws {
            try await withSession { _, session in
                let shell = try await session.openShell(within: .patient(seconds: 10))
                // Said by what is to be interrupted: before the shell has started it, control C would reach the shell alone.
                let long = "sh -c 'echo be\"\"gun; exec sleep 100'\n"
                try await shell.write(Array(long.utf8), within: .patient(seconds: 5))
                let begun = try await read(shell, until: "begun")
                #expect(begun.contains("begun"))
                try await shell.write([3], within: .patient(seconds: 5))
                try await shell.write(Array("echo st''ill here\n".utf8), within: .patient(seconds: 5))
                let answer4 = try await read(shell, until: "still here")
                #expect(answer4.contains("still here"))
                shell.close()
            }
        }
    }
}

extension SSHTests {
    @Suite struct SSHWarmShellTests {
        @Test func `commands run one after the other with their own status and outputs`() async throws {
            try await withSession { _, session in
                let shell = SSHWarmShell(session)
                for number in 0..<20 {
                    let result = try await shell.run(
                        "printf 'out %s' \(number); printf 'err %s' \(number) >&2; exit \(number)",
                        within: .patient(seconds: 10)
                    )
                    #expect(result.outputText == "out \(number)")
                    #expect(result.errorText == "err \(number)")
                    #expect(result.exitStatus == Int32(number))
                }
            }
        }

        @Test func `no command can break out or change the next one`() async throws {
            try await withSession { _, session in
                let shell = SSHWarmShell(session)
                let first = try await shell.run("echo $$", within: .patient(seconds: 10)).outputText
                for line in [
                    "exit 3", "echo 'unbalanced", "if", ")", "cd /; X=1; exec true", "cat", "exec >/dev/null 2>&1",
                    "set -e; false", "trap 'echo trapped' EXIT", "# comment", "echo \\", "kill -9 $BASHPID", "return 4",
                    "",
                ] {
                    _ = try await shell.run(line, within: .patient(seconds: 10))
                    let after = try await shell.run("echo \"$$ $X\"", within: .patient(seconds: 10)).outputText
                    #expect(after == first.dropLast() + " \n", "after \(line)")
                }
            }
        }

        @Test func `a command that kills its shell fails and the next gets a fresh one`() async throws {
            try await withSession { _, session in
                let shell = SSHWarmShell(session, setup: "MARK=set")
                let error = await linkError { _ = try await shell.run("kill -9 $$", within: .patient(seconds: 10)) }
                #expect(error?.code == .remoteFailed)
                let answer1 = try await shell.run("echo $MARK", within: .patient(seconds: 10))
                #expect(answer1.outputText == "set\n")
            }
        }

        @Test func `after a command that took too long the shell is a fresh one`() async throws {
            try await withSession { _, session in
                let shell = SSHWarmShell(session)
                let error = await linkError {
                    _ = try await shell.run("echo late; sleep 20", within: .milliseconds(500))
                }
                #expect(error?.code == .timedOut)
                let answer2 = try await shell.run("echo on", within: .patient(seconds: 10))
                #expect(answer2.outputText == "on\n")
            }
        }

        @Test func `many callers share it without mixing their answers`() async throws {
            try await withSession { _, session in
                let shell = SSHWarmShell(session)
                let right = try await withThrowingTaskGroup(of: Bool.self) { group in
                    for number in 0..<20 {
                        group.addTask {
                            try await shell.run("echo \(number)", within: .patient(seconds: 20)).outputText
                                == "\(number)\n"
                        }
                    }
                    return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
                }
                #expect(right == 20)
            }
        }

        @Test func `a set-up that fails is named`() async throws {
            try await withSession { _, session in
                let shell = SSHWarmShell(session, setup: "ls /there/is/no/such/place")
                let error = await linkError { _ = try await shell.run("true", within: .patient(seconds: 10)) }
                #expect(error?.code == .remoteFailed)
                #expect(error?.hint.contains("setup") == true)
            }
        }

        @Test func `a megabyte of output comes whole`() async throws {
            try await withSession { _, session in
                let shell = SSHWarmShell(session)
                let result = try await shell.run("head -c 1000000 /dev/zero", within: .patient(seconds: 20))
                #expect(result.standardOutput.count == 1_000_000)
                #expect(result.isSuccess)
            }
        }
    }
}
