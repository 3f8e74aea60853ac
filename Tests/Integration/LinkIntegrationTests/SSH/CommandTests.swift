import IntegrationKit
import SSHTransport
import Testing
import UAVLink

extension SSHTests {
    @Suite struct SSHCommandTests {
        @Test func `both outputs and the exit status come apart`() async throws {
            try await withSession { _, session in
                let result = try await session.run("echo out; echo err >&2; exit 7", within: .patient(seconds: 10))
                #expect(result.outputText == "out\n")
                #expect(result.errorText == "err\n")
                #expect(result.exitStatus == 7)
                #expect(result.exitSignal == nil)
                #expect(!result.isSuccess)
            }
        }

        @Test func `a signal that ended the command is named`() async throws {
            try await withSession { _, session in
                let result = try await session.run("kill -SEGV $$", within: .patient(seconds: 10))
                #expect(result.exitSignal == "SEGV")
                #expect(result.exitStatus == nil)
            }
        }

        @Test func `ten megabytes go both ways and come back unchanged`() async throws {
            try await withSession { _, session in
                let block = (0..<99_991).map { _ in UInt8.random(in: 0...255) }
                let input = Array([[UInt8]](repeating: block, count: 101).joined())
                #expect(input.count > 10_000_000)
                let result = try await session.run("cat", input: input, within: .patient(seconds: 60))
                #expect(result.exitStatus == 0)
                #expect(result.standardOutput == input)
            }
        }

        @Test func `the transfer survives many changes of keys`() async throws {
            try await withSession(options: ["RekeyLimit 256K"]) { _, session in
                let input = (0..<4_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
                async let other = session.run("sleep 0.1; echo small", within: .patient(seconds: 60))
                let result = try await session.run("cat", input: input, within: .patient(seconds: 60))
                #expect(result.standardOutput == input)
                let otherResult = try await other
                #expect(otherResult.outputText == "small\n")
            }
        }

        @Test func `eight commands run side by side`() async throws {
            try await withSession { server, session in
                // Each ends when all have begun: one after the other none would.
                let folder = server.folder.path
                let outputs = try await withThrowingTaskGroup(of: String.self) { group in
                    for number in 0..<8 {
                        group.addTask {
                            try await session.run(
                                "touch \(folder)/begun-\(number); "
                                    + "while [ $(ls \(folder) | grep -c begun-) -lt 8 ]; do sleep 0.1; done; "
                                    + "echo \(number)", within: .patient(seconds: 60)
                            ).outputText
                        }
                    }
                    return try await group.reduce(into: [String]()) { $0.append($1) }
                }
                #expect(outputs.sorted() == (0..<8).map { "\($0)\n" })
            }
        }

        @Test func `more commands than the server allows at once wait for their turn`() async throws {
            try await withSession(options: ["MaxSessions 2"]) { _, session in
                let count = try await withThrowingTaskGroup(of: Bool.self) { group in
                    for _ in 0..<6 {
                        group.addTask { try await session.run("true", within: .patient(seconds: 20)).isSuccess }
                    }
                    return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
                }
                #expect(count == 6)
            }
        }

        @Test func `a channel that the server never grants fails at its deadline and says why`() async throws {
            try await withSession(options: ["MaxSessions 1"]) { _, session in
                let running = try await session.start("sleep 100", within: .patient(seconds: 10))
                // Long enough that the server has refused it before.
                let deadline = Duration.seconds(4) * MachinePace.factor
                let error = await linkError { _ = try await session.run("true", within: deadline) }
                #expect(error?.code == .timedOut)
                #expect(error?.hint.contains("MaxSessions") == true, "\(String(describing: error))")
                running.close()
            }
        }

        @Test func `a command that takes too long fails and the session goes on`() async throws {
            try await withSession { _, session in
                let begun = ContinuousClock.now
                let error = await linkError { _ = try await session.run("sleep 1000", within: .milliseconds(400)) }
                #expect(error?.code == .timedOut)
                #expect(ContinuousClock.now - begun < .patient(seconds: 20))
                let answer1 = try await session.run("echo on", within: .patient(seconds: 10))
                #expect(answer1.outputText == "on\n")
            }
        }

        @Test func `cancelling a command closes only its channel`() async throws {
            try await withSession { _, session in
                let task = Task { try await session.run("echo begun; sleep 30", within: .patient(seconds: 60)) }
                async let other = session.run("sleep 0.5; echo other", within: .patient(seconds: 20))
                try await Task.sleep(for: .milliseconds(150))
                task.cancel()
                let error = await linkError { _ = try await task.value }
                #expect(error?.code == .cancelled)
                let otherResult = try await other
                #expect(otherResult.outputText == "other\n")
            }
        }

        @Test func `a command that writes without end is stopped at the limit`() async throws {
            try await withSession { _, session in
                let error = await linkError {
                    _ = try await session.run("yes", within: .patient(seconds: 20), outputLimit: 100_000)
                }
                #expect(error?.code == .remoteFailed)
                let answer2 = try await session.run("echo on", within: .patient(seconds: 10))
                #expect(answer2.outputText == "on\n")
            }
        }

        @Test func `exactly the limit of output is allowed`() async throws {
            try await withSession { _, session in
                let result = try await session.run(
                    "head -c 5000 /dev/zero", within: .patient(seconds: 10), outputLimit: 5000)
                #expect(result.standardOutput.count == 5000)
                let error = await linkError {
                    _ = try await session.run(
                        "head -c 5001 /dev/zero", within: .patient(seconds: 10), outputLimit: 5000)
                }
                #expect(error?.code == .remoteFailed)
            }
        }

        @Test func `a stream is read as it comes and a slow reader holds it back`() async throws {
            try await withSession { _, session in
                let channel = try await session.start(
                    "i=0; while true; do echo line $i; i=$((i+1)); done", within: .patient(seconds: 10))
                var text = ""
                while !text.contains("line 100\n") {
                    let chunk = try #require(try await channel.read(within: .patient(seconds: 10)))
                    text += String(decoding: chunk.bytes, as: UTF8.self)
                }
                #expect(text.hasPrefix("line 0\nline 1\n"))
                // While no task reads, other commands still work.
                for _ in 0..<5 {
                    let other = try await session.run("true", within: .patient(seconds: 10))
                    #expect(other.isSuccess)
                }
                channel.close()
                let error = await linkError { while try await channel.read(within: .seconds(5)) != nil {} }
                #expect(error?.code == .closed)
            }
        }

        @Test func `a program whose input ends early does no harm`() async throws {
            try await withSession { _, session in
                let result = try await session.run(
                    "head -c 10", input: [UInt8](repeating: 65, count: 5_000_000), within: .patient(seconds: 20))
                #expect(result.outputText == "AAAAAAAAAA")
            }
        }

        @Test func `what cannot be a command line is refused before it leaves`() async throws {
            try await withSession { _, session in
                let nul = await linkError { _ = try await session.run("echo \0", within: .seconds(5)) }
                #expect(nul?.code == .invalidInput)
                let long = String(repeating: "x", count: SSHSession.longestCommandLine + 1)
                let tooLong = await linkError { _ = try await session.run(long, within: .seconds(5)) }
                #expect(tooLong?.code == .invalidInput)
                let longest = "true " + String(repeating: "x", count: SSHSession.longestCommandLine - 5)
                let answer3 = try await session.run(longest, within: .patient(seconds: 5))
                #expect(answer3.isSuccess)
            }
        }
    }
}
