import Synchronization
import Testing
import Threads
import UAVLink
import UAVTestKit

@Suite("Test executor") struct TestExecutorTests {
    @MainActor
    private final class Notes { var all: [Int] = [] }

    private final class Count: Sendable {
        private let count = Atomic<Int>(0)
        var value: Int { count.load(ordering: .relaxed) }
        func add() { count.add(1, ordering: .relaxed) }
    }

    private actor Counter {
        var count = 0
        func add() { count += 1 }
    }

    @Test func `settling waits for every task, however often it yields and changes executors`() async {
        let counter = Counter()
        let reached = Count()
        for _ in 0..<200 {
            Task {
                await counter.add()
                Task.detached {
                    for _ in 0..<20 { await MainActor.run { reached.add() } }
                    await counter.add()
                }
            }
        }
        await settle()
        #expect(reached.value == 4000)
        #expect(await counter.count == 400)
    }

    @Test func `settling waits for a thread that computes, and for what its result leads to`() async {
        let reached = Count()
        Task {
            for round in 1...20 {
                let value = await DedicatedThread.run { (0..<10_000).reduce(0) { $0 ^ $1 } + round }
                if value != nil { reached.add() }
            }
        }
        await settle()
        #expect(reached.value == 20)
    }

    @Test func `settling does not wait for a task that waits for a test`() async {
        let (stream, gate) = AsyncStream<Void>.makeStream()
        let isThrough = Mutex(false)
        let waiting = Task {
            for await _ in stream {}
            isThrough.withLock { $0 = true }
        }
        #expect(await !becomesTrue { isThrough.withLock { $0 } })
        gate.finish()
        #expect(await becomesTrue { isThrough.withLock { $0 } })
        await waiting.value
    }

    @MainActor
    @Test func `the main actor's jobs run in the order in which they came, whatever the seed`() async {
        let notes = Notes()
        for number in 0..<500 { Task { notes.all.append(number) } }
        await settle()
        #expect(notes.all == Array(0..<500))
    }

    @Test func `a task that is cancelled while it settles goes on`() async {
        let task = Task { await settle() }
        task.cancel()
        await task.value
    }

    @Test func `time passes from sleeper to sleeper, and stops where a condition holds`() async {
        let clock = FakeClock()
        let begun = clock.now
        let ticks = Mutex<[Duration]>([])
        let ticking = Task {
            while (try? await clock.sleep(for: .milliseconds(7))) != nil {
                ticks.withLock { $0.append(clock.now - begun) }
            }
        }
        await clock.run(for: .milliseconds(30))
        #expect(ticks.withLock { $0 } == [7, 14, 21, 28].map(Duration.milliseconds))
        #expect(clock.now - begun == .milliseconds(30))
        #expect(await clock.run { ticks.withLock { $0.count } == 6 })
        #expect(clock.now - begun == .milliseconds(42))
        #expect(await !clock.run(within: .milliseconds(5)) { false })
        #expect(clock.now - begun == .milliseconds(47))
        ticking.cancel()
        await ticking.value
    }

    @Test func `a thread blocks until a fake clock has come to its time, and takes part in it`() async throws {
        let clock = FakeClock()
        let begun = clock.now
        let seen = try await clock.run(through: {
            await DedicatedThread.run { () -> [Duration] in
                (1...5).map { round in
                    clock.block(until: begun + .milliseconds(Int64(round) * 10))
                    return clock.now - begun
                }
            }
        })
        #expect(seen == [10, 20, 30, 40, 50].map(Duration.milliseconds))
        // What has passed already blocks nothing.
        clock.block(until: begun)
    }

    @Test func `what does not come to an end is an error that says how long it had`() async {
        let clock = FakeClock()
        let (stream, _) = AsyncStream<Void>.makeStream()
        let error = await #expect(throws: FakeClock.NotEnded.self) {
            try await clock.run(within: .seconds(3), through: { for await _ in stream {} })
        }
        #expect(error?.limit == .seconds(3))
    }
}
