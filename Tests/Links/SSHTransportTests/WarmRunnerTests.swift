import MRS
import Synchronization
import Testing
import UAVLink
import UAVTestKit

@testable import SSHTransport

@Suite struct WarmRunnerTests {
    private let clock = FakeClock()
    private let register = ChannelRegister()
    private let fresh = FreshChannels()

    /// Counts what is run in channels of its own.
    private final class FreshChannels: Sendable {
        private struct State {
            var count = 0
            var failure: LinkError?
        }

        private let state = Mutex(State())
        var count: Int { state.withLock { $0.count } }

        func fail(_ error: LinkError) { state.withLock { $0.failure = error } }

        func run() throws(LinkError) -> RemoteResult {
            let failure = state.withLock { state in
                state.count += 1
                return state.failure
            }
            if let failure { throw failure }
            return RemoteResult(standardOutput: Array("fresh".utf8))
        }
    }

    private func runner(_ shells: FakeShell...) async -> WarmRunner {
        let pool = ShellOpener(shells).pool(clock)
        await pool.openFirst(setup: "")
        await settle()
        return WarmRunner(pool: pool, clock: clock)
    }

    private var job: WarmRunner.Job {
        WarmRunner.Job(
            script: FakeShell.job, setup: "", deadline: Deadline(in: .seconds(60)), outputLimit: 1000,
            register: register, moment: register.now)
    }

    private func run(_ runner: WarmRunner) async throws -> String {
        try await runner.run(job) { () async throws(LinkError) in try fresh.run() }.outputText
    }

    private func stop(_ runner: WarmRunner, isNewest: Bool = true) async throws -> String {
        let fresh = fresh
        return try await runner.stop(job, isNewest: { isNewest }) { () async throws(LinkError) in try fresh.run() }
            .outputText
    }

    // MARK: Commands

    @Test func `a command runs in a shell, and where none is free in a channel of its own`() async throws {
        let runner = await runner()
        #expect(try await run(runner) == "success: True\n")
        let taken = (0..<2).map { _ in runner.pool.take(setup: "") }
        #expect(try await run(runner) == "fresh")
        #expect(try await stop(runner) == "fresh")
        #expect(taken.allSatisfy { $0 != nil })
    }

    @Test func `a command that has not begun when its shell ends is run`() async throws {
        let shell = FakeShell(.ends)
        let runner = await runner(FakeShell(), shell)
        #expect(try await run(runner) == "fresh")
        #expect(shell.jobs == 1 && fresh.count == 1)
    }

    @Test func `a command that has begun is not run again`() async throws {
        let shell = FakeShell(.beginsAndEnds)
        let runner = await runner(FakeShell(), shell)
        let error = await #expect(throws: LinkError.self) { try await run(runner) }
        #expect(error?.code == .timedOut && error?.what.contains("unknown") == true)
        #expect(shell.jobs == 1 && fresh.count == 0)
    }

    @Test(arguments: [false, true])
    func `a program that the shell cannot start is run in a channel of its own`(isStop: Bool) async throws {
        let shell = FakeShell(.exits(127))
        let runner = await runner(FakeShell(), shell)
        let output = try await isStop ? stop(runner) : run(runner)
        #expect(output == "fresh")
        #expect(shell.isClosed && fresh.count == 1)
    }

    @Test func `a newer command ends one that hangs, which is not run again`() async throws {
        let shell = FakeShell(.hangs)
        let runner = await runner(FakeShell(), shell)
        let task = Task { try await run(runner) }
        await settle()
        #expect(shell.jobs == 1)
        register.closeAll(includingLater: false)
        let error = await #expect(throws: LinkError.self) { try await task.value }
        #expect(error?.code == .closed && shell.isClosed && fresh.count == 0)
    }

    @Test func `one that was replaced before it began is not run`() async throws {
        let runner = await runner()
        var late = job
        late.moment = register.now
        register.closeAll(includingLater: false)
        let error: LinkError?
        do throws(LinkError) {
            _ = try await runner.run(late) { () async throws(LinkError) in try fresh.run() }
            error = nil
        } catch let failure {
            error = failure
        }
        #expect(error?.code == .closed)
        #expect(fresh.count == 0)
    }

    @Test func `a setpoint that has expired is not run`() async throws {
        let runner = await runner()
        var late = job
        late.isWanted = { false }
        let error: LinkError?
        do throws(LinkError) {
            _ = try await runner.run(late) { () async throws(LinkError) in try fresh.run() }
            error = nil
        } catch let failure {
            error = failure
        }
        #expect(error == ChannelRecord.unwanted && fresh.count == 0)
    }

    @Test func `as long as a command starts in a channel of its own, newer ones do not overtake it in a shell`()
        async throws
    {
        let runner = await runner()
        try await runner.pool.elsewhere(isStop: false) { () async throws(LinkError) in
            #expect((try? await run(runner)) == "fresh")
            #expect((try? await stop(runner)) == "success: True\n")
        }
        try await runner.pool.elsewhere(isStop: true) { () async throws(LinkError) in
            #expect((try? await stop(runner)) == "fresh")
        }
        #expect(try await run(runner) == "success: True\n")
    }

    // MARK: Stops

    @Test func `a stop that its shell does not begin goes out otherwise after a second`() async throws {
        let shell = FakeShell(.hangs)
        let runner = await runner(FakeShell(), shell)
        let begun = clock.now
        let output = try await clock.run(through: { try await stop(runner) })
        #expect(output == "fresh" && clock.now - begun == WarmRunner.patience)
        #expect(shell.jobs == 1 && shell.isClosed && fresh.count == 1)
    }

    @Test func `a stop that its shell has begun is waited for`() async throws {
        let shell = FakeShell(.begins)
        let runner = await runner(FakeShell(), shell)
        let task = Task { try await stop(runner) }
        await clock.run(for: .seconds(10))
        #expect(shell.jobs == 1 && fresh.count == 0)
        // It ends without an end.
        shell.end()
        #expect(try await task.value == "fresh")
    }

    @Test func `a stop whose shell ends is sent again at once`() async throws {
        let runner = await runner(FakeShell(), FakeShell(.beginsAndEnds))
        let begun = clock.now
        #expect(try await stop(runner) == "fresh")
        #expect(clock.now == begun)
    }

    @Test func `the answer of the shell counts, too, if it comes after all`() async throws {
        fresh.fail(LinkError(.remoteFailed, "no further channel"))
        let shell = FakeShell(.hangs)
        let runner = await runner(FakeShell(), shell)
        let task = Task { try await stop(runner) }
        await clock.run(for: .seconds(5))
        #expect(fresh.count == 1)
        let line = try #require(shell.sent.last)
        let begin = try #require(line.firstMatch(of: /uavlink-begin-[0-9a-f-]+/)?.output)
        let end = try #require(line.firstMatch(of: /uavlink-end-[0-9a-f-]+/)?.output)
        shell.write("\(begin)\nlate\(end) 0\n")
        shell.write("\(begin)\n\(end)\n", to: .error)
        #expect(try await task.value == "late")
    }

    @Test func `an older stop does not follow a newer command`() async throws {
        let shell = FakeShell(.hangs)
        let runner = await runner(FakeShell(), shell)
        let task = Task { try await stop(runner, isNewest: false) }
        await clock.run(for: .seconds(5))
        let error = await #expect(throws: LinkError.self) { try await task.value }
        #expect(error?.code == .timedOut && fresh.count == 0 && shell.isClosed)
    }

    @Test func `a stop over a link that is closed is not sent again`() async throws {
        let shell = FakeShell(.begins)
        let runner = await runner(FakeShell(), shell)
        let task = Task { try await stop(runner) }
        await settle()
        register.closeAll(includingLater: true)
        let error = await #expect(throws: LinkError.self) { try await task.value }
        #expect(error?.code == .closed && fresh.count == 0)
    }
}
