import Synchronization
import Testing
import UAVLink
import UAVTestKit

@testable import SSHTransport

/// Opens fake shells, one after the other.
final class ShellOpener: Sendable {
    private struct State {
        var prepared: [FakeShell]
        var opened: [FakeShell] = []
        var failure: LinkError?
    }

    private let state: Mutex<State>

    /// - Parameter shells: the first ones; those after them answer.
    init(_ shells: [FakeShell] = []) { state = Mutex(State(prepared: shells)) }

    var opened: [FakeShell] { state.withLock { $0.opened } }

    func fail(_ failure: LinkError?) { state.withLock { $0.failure = failure } }

    func pool(_ clock: FakeClock) -> ShellPool {
        ShellPool(clock: clock) { [self] (setup) async throws(LinkError) in
            let (shell, failure) = state.withLock { state -> (FakeShell, LinkError?) in
                let shell = state.prepared.isEmpty ? FakeShell() : state.prepared.removeFirst()
                if state.failure == nil { state.opened.append(shell) }
                return (shell, state.failure)
            }
            if let failure { throw failure }
            return try await WarmShell.open(on: shell, setup: setup, by: Deadline(in: .seconds(60)))
        }
    }
}

@Suite struct ShellPoolTests {
    private let clock = FakeClock()
    private let opener = ShellOpener()

    private func filled() async -> ShellPool {
        let pool = opener.pool(clock)
        await pool.openFirst(setup: "a")
        await settle()
        return pool
    }

    @Test func `two shells stay open, and where both are taken nobody waits for a third`() async throws {
        let pool = await filled()
        #expect(opener.opened.count == 2)
        let (first, second) = (try #require(pool.take(setup: "a")), try #require(pool.take(setup: "a")))
        #expect(pool.take(setup: "a") == nil)
        await settle()
        #expect(opener.opened.count == 2)
        pool.giveBack(first)
        #expect(pool.take(setup: "a") === first)
        pool.drop(second)
        await settle()
        #expect(opener.opened.count == 3 && opener.opened[0].isClosed != opener.opened[1].isClosed)
        #expect(pool.take(setup: "a") != nil)
    }

    @Test func `a shell that has ended, or has another set-up, is not used`() async throws {
        let pool = await filled()
        for shell in opener.opened { shell.end() }
        #expect(pool.take(setup: "a") == nil)
        await settle()
        #expect(opener.opened.count == 4 && opener.opened.prefix(2).allSatisfy(\.isClosed))
        #expect(pool.take(setup: "b") == nil)
        await settle()
        #expect(opener.opened.count == 6 && opener.opened[2...3].allSatisfy(\.isClosed))
        #expect(pool.take(setup: "b")?.setup == "b")
    }

    @Test func `after a failure and for a stop in a channel of its own no shells are opened for a while`() async throws
    {
        opener.fail(LinkError(.timedOut, "no further channel"))
        let pool = await filled()
        opener.fail(nil)
        #expect(pool.take(setup: "a") == nil)
        await settle()
        #expect(opener.opened.isEmpty)
        clock.advance(by: ShellPool.pause)
        #expect(pool.take(setup: "a") == nil)
        await settle()
        #expect(opener.opened.count == 2)
        let shell = try #require(pool.take(setup: "a"))
        try await pool.elsewhere(isStop: true) { () async throws(LinkError) in
            #expect(pool.hasCommandElsewhere && pool.hasStopElsewhere)
        }
        #expect(!pool.hasCommandElsewhere && !pool.hasStopElsewhere)
        pool.drop(shell)
        await settle()
        #expect(opener.opened.count == 2)
        clock.advance(by: ShellPool.pause)
        #expect(pool.take(setup: "a") != nil)
        await settle()
        #expect(opener.opened.count == 3)
    }

    @Test func `closing closes the idle shells, and the others when they come back`() async throws {
        let pool = await filled()
        let shell = try #require(pool.take(setup: "a"))
        pool.close()
        pool.close()
        #expect(opener.opened.count(where: \.isClosed) == 1 && !shell.hasEnded)
        pool.giveBack(shell)
        #expect(opener.opened.count(where: \.isClosed) == 2)
        await pool.openFirst(setup: "a")
        #expect(pool.take(setup: "a") == nil && opener.opened.count == 2)
    }
}

@Suite struct WarmShellTests {
    @Test func `a shell begins each command anew, and one that has ended takes none`() async throws {
        let stream = FakeShell()
        let shell = try await stream.opened(setup: "source x")
        // The prelude, the set-up, and what undoes its options.
        #expect(stream.sent.count == 3 && stream.sent[1].contains("source x") && stream.sent[2].contains("set +e"))
        let result = try await shell.run(
            FakeShell.job, in: .subshellUntilClosed, by: Deadline(in: .seconds(60)))
        #expect(result.outputText == "success: True\n" && shell.hasBegun)
        #expect(stream.sent.last == "\n")
        stream.conduct = .ends
        let error = await #expect(throws: LinkError.self) {
            try await shell.run(FakeShell.job, in: .subshell, by: Deadline(in: .seconds(60)))
        }
        #expect(error?.code == .remoteFailed && !shell.hasBegun && shell.hasEnded)
        await #expect(throws: LinkError.self) {
            try await shell.run(FakeShell.job, in: .subshell, by: Deadline(in: .seconds(60)))
        }
    }
}
