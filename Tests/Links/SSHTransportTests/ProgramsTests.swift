import MRS
import Synchronization
import Testing
import UAVLink
import UAVTestKit

@testable import SSHTransport

/// Programs on a vehicle that take as long as a test wants, and end with what their register ends.
private final class FakePrograms: Sendable {
    private final class Program: Closable {
        let command: Command
        private let answer = LateAnswer<CommandReply>()

        init(_ command: Command) { self.command = command }

        func close() { end(.failure(ChannelRecord.closed)) }
        func end(_ result: Result<CommandReply, LinkError>) { answer.give(result) }
        func value() async throws(LinkError) -> CommandReply {
            try await answer.value(left: LinkError(.cancelled, "cancelled"))
        }
    }

    private let programs = Mutex<[Program]>([])

    /// The commands whose programs were started, in this order.
    var started: [Command] { programs.withLock { $0.map(\.command) } }

    func run(_ begun: Programs.Begun) async throws(LinkError) -> CommandReply {
        let program = Program(begun.command)
        programs.withLock { $0.append(program) }
        begun.register.add(program, begunAt: begun.moment)
        defer { begun.register.remove(program) }
        return try await program.value()
    }

    /// The program that was started as number `index` is answered by the vehicle.
    func answer(_ index: Int) {
        programs.withLock { $0[index] }.end(.success(CommandReply(accepted: true, message: "\(index)")))
    }
}

@Suite struct ProgramsTests {
    private let clock = FakeClock()
    private let fake = FakePrograms()
    private let programs: Programs
    private let ended = Ended()

    private final class Ended: Sendable {
        private let commands = Mutex<[Command]>([])
        var all: [Command] { commands.withLock { $0 } }
        func add(_ command: Command) { commands.withLock { $0.append(command) } }
    }

    init() { programs = Programs(clock: clock) }

    /// Gives a command, and lets everything happen that follows at once.
    private func give(_ command: Command, within time: Duration = .seconds(60)) async -> Task<CommandReply, any Error> {
        let task = Task { [programs, fake, ended] in
            try await programs.perform(command, by: Deadline(in: time)) { begun, _ async throws(LinkError) in
                try await fake.run(begun)
            } ended: {
                ended.add(command)
            }
        }
        await settle()
        return task
    }

    private func error(_ task: Task<CommandReply, any Error>) async -> LinkError? {
        do {
            _ = try await task.value
            return nil
        } catch { return error as? LinkError }
    }

    // MARK: Order

    @Test(arguments: [(Command.arm(false), Command.arm(true)), (.hover, .takeoff), (.land, .arm(true))])
    func `what moves or arms waits for an older halt`(halt: Command, next: Command) async throws {
        let first = await give(halt)
        let second = await give(next)
        #expect(fake.started == [halt])
        fake.answer(0)
        await settle()
        #expect(fake.started == [halt, next])
        fake.answer(1)
        #expect(try await first.value.accepted)
        #expect(try await second.value.accepted)
        #expect(ended.all == [halt, next])
    }

    @Test(arguments: [(Command.arm(true), Command.arm(false)), (.takeoff, .hover), (.offboard, .land)])
    func `a halt waits for nothing, and ends what moves or arms`(older: Command, halt: Command) async throws {
        let first = await give(older)
        let second = await give(halt)
        #expect(fake.started == [older, halt])
        #expect(await error(first)?.code == .closed)
        fake.answer(1)
        #expect(try await second.value.accepted)
    }

    @Test func `what waits for a stop ends with a newer command, its deadline, and the link`() async throws {
        let stop = await give(.hover)
        let replaced = await give(.takeoff)
        let motion = await give(.landHome)
        let short = await give(.arm(true), within: .zero)
        await clock.run(for: .milliseconds(10))
        #expect(await error(short)?.what.contains("was not sent") == true)
        // Its program is the one that finds that it was replaced.
        #expect(fake.started == [.hover, .takeoff])
        #expect(await error(replaced)?.code == .closed)
        programs.closeAllButHalts()
        #expect(await error(motion)?.code == .closed)
        fake.answer(0)
        #expect(try await stop.value.accepted)
    }

    @Test func `a stop is run again after an older one of another kind, which may have followed it`() async throws {
        let hover = await give(.hover)
        let land = await give(.land)
        #expect(fake.started == [.hover, .land])
        fake.answer(1)
        #expect(try await land.value.message == "1")
        // Not before the older one has ended; what moves the vehicle waits for both.
        let motion = await give(.takeoff)
        #expect(fake.started == [.hover, .land])
        fake.answer(0)
        #expect(try await hover.value.message == "0")
        await settle()
        #expect(fake.started == [.hover, .land, .land])
        fake.answer(2)
        await settle()
        #expect(fake.started.last == .takeoff)
        fake.answer(3)
        #expect(try await motion.value.accepted)
    }

    @Test func `a stop is not run again after a newer one, and not after one of its kind`() async throws {
        let tasks = [await give(.land), await give(.hover), await give(.hover), await give(.land)]
        #expect(fake.started == [.land, .hover, .hover, .land])
        for index in 0..<4 { fake.answer(index) }
        await settle()
        #expect(fake.started == [.land, .hover, .hover, .land, .land])
        fake.answer(4)
        for task in tasks { #expect(try await task.value.accepted) }
    }

    @Test func `a stop is not run again after an older one that takes long`() async throws {
        let (hover, land) = (await give(.hover), await give(.land))
        fake.answer(1)
        #expect(try await land.value.accepted)
        await clock.run(for: Programs.longestOvertaking)
        fake.answer(0)
        #expect(try await hover.value.accepted)
        await settle()
        #expect(fake.started == [.hover, .land] && ended.all == [.land, .hover])
    }

    // MARK: Leaving

    @Test(arguments: [Command.land, .arm(false), .enableOutput(false)])
    func `a halt goes on when its caller leaves`(halt: Command) async throws {
        let task = await give(halt)
        task.cancel()
        #expect(await error(task)?.code == .cancelled)
        await settle()
        #expect(ended.all == [])
        fake.answer(0)
        await settle()
        #expect(ended.all == [halt])
    }

    @Test func `what is no halt ends with its caller`() async throws {
        let task = await give(.arm(true))
        task.cancel()
        #expect(await error(task)?.code == .cancelled)
        await settle()
        #expect(ended.all == [.arm(true)])
    }

    @Test(arguments: [Command.hover, .arm(false), .enableOutput(false)])
    func `closing waits for halts and for nothing else`(halt: Command) async throws {
        let snapshot = Command.snapshot(service: "camera/snapshot")
        let (switched, task) = (await give(snapshot), await give(halt))
        task.cancel()
        programs.closeAllButHalts()
        #expect(await error(switched)?.code == .closed)
        let closing = Task { [programs, clock] in
            await programs.closeHalts()
            return clock.now
        }
        // As when the user has pressed Ctrl-C.
        closing.cancel()
        await clock.run(for: .seconds(1))
        let answered = clock.now
        fake.answer(1)
        #expect(await closing.value == answered)
        #expect(ended.all == [snapshot, halt])
        await programs.closeHalts()
    }

    /// Who disarms and arms again at once, and leaves, must not find the vehicle disarmed later than it was armed.
    @Test func `after a disarming whose caller has left, what arms still waits for it`() async throws {
        let first = await give(.arm(false))
        first.cancel()
        _ = await error(first)
        let second = await give(.arm(true))
        #expect(fake.started == [.arm(false)])
        fake.answer(0)
        await settle()
        #expect(fake.started == [.arm(false), .arm(true)])
        fake.answer(1)
        #expect(try await second.value.accepted)
    }

    @Test(arguments: [Command.emergencyLand, .arm(false)])
    func `closing waits no longer than its time for a halt that is not answered`(halt: Command) async throws {
        let stop = await give(halt)
        let begun = clock.now
        let closing = Task { [programs, clock] in
            await programs.closeHalts()
            return clock.now
        }
        await clock.run(for: .seconds(10))
        #expect(await closing.value - begun == Programs.farewell)
        #expect(await error(stop)?.code == .closed)
    }
}

@Suite struct UnwantedCommandTests {
    @Test(arguments: [false, true])
    func `a command line is not sent when its channel opens too late`(isWanted: Bool) throws {
        // Begins without a call of libssh2, which a handle like this would not survive.
        let handle = try #require(OpaquePointer(bitPattern: 16))
        let core = ChannelCore(.command("rosservice", isWanted: { isWanted }))
        let record = ChannelRecord(core)
        record.begin(with: handle)
        #expect(record.stage == (isWanted ? .starting : .closing))
        guard case .failed(let error) = core.state.withLock({ $0.ending }) else { return #expect(isWanted) }
        #expect(!isWanted && error == ChannelRecord.unwanted)
    }
}
