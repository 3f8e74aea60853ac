import Authority
import ChannelProtocol
import Synchronization
import Testing
import UAVLink
import UAVTestKit

@testable import Companion

/// What still waits on board when a stop comes must not move the vehicle after it.
@Suite(.timeLimit(.minutes(1))) struct PendingCommandTests {
    private let anna = SessionID(1)
    private let ben = SessionID(2)
    private let clock = FakeClock()
    private let goto = Command.goTo(.init(.relative, position: .zero, headingRadians: 0))
    private let answers = Answers()

    private final class Answers: Sendable {
        private let all = Mutex<[String]>([])
        var lines: [String] { all.withLock { $0 } }

        func note(_ command: Command, _ result: Result<CommandReply, LinkError>) {
            let line =
                switch result {
                case .success(let reply): reply.accepted ? "done" : reply.message
                case .failure(let error): "\(error.code)"
                }
            all.withLock { $0.append("\(command.name): \(line)") }
        }
    }

    private func give(
        _ command: Command, _ issue: CommandIssue? = nil, from session: SessionID, to companion: Companion
    ) {
        companion.perform(command, issue ?? companion.now, from: session, until: clock.now + .seconds(20)) {
            [answers] in
            answers.note(command, $0)
        }
    }

    @Test func `before the vehicle is reached a stop takes a goto back, and others keep their order`() async throws {
        let backend = FakeLink(clock: clock)
        let late = LateLink(backend)
        let companion = Companion(.init(vehicle: "uav1"), backend: late, clock: clock)
        let run = Task { await companion.run { _ in } }
        #expect(await becomesTrue { late.isBeingReached })
        give(goto, from: anna, to: companion)
        give(.hover, from: ben, to: companion)
        give(.altitude(metres: 3), from: anna, to: companion)
        give(.heading(radians: 1), from: anna, to: companion)
        #expect(answers.lines == ["goto: not executed, since hover is newer: give it again if it still holds"])
        late.open()
        await clock.run(for: .milliseconds(200))
        #expect(backend.commands == [.hover, .altitude(metres: 3), .heading(radians: 1)])
        #expect(answers.lines.count == 4)
        run.cancel()
    }

    /// The second must not begin first, nor a newer one that comes as soon as the vehicle is reached.
    @Test func `stops that wait for the vehicle keep their order`() async throws {
        let late = LateLink(FakeLink(clock: clock), takesCallbacks: true)
        let companion = Companion(.init(vehicle: "uav1"), backend: late, clock: clock)
        let run = Task { await companion.run { _ in } }
        #expect(await becomesTrue { late.isBeingReached })
        var stops: [Command] = [.hover, .land, .stopTrajectory, .emergencyHover, .hover, .land]
        for stop in stops { give(stop, from: ben, to: companion) }
        late.open()
        #expect(await becomesTrue { late.quality.isConnected })
        stops.append(.emergencyLand)
        give(.emergencyLand, from: ben, to: companion)
        await clock.run(for: .milliseconds(200))
        #expect(late.begun.withLock { $0 } == stops)
        run.cancel()
    }

    @Test func `a stop, a take-over, a landing and the radio take back what waits for its service`() async throws {
        let link = HoldingLink()
        let companion = Companion(.init(vehicle: "uav1"), backend: link, isReached: true, clock: clock)
        func control(_ request: ControlAuthorityRequest, _ session: SessionID) {
            companion.ask(.control(request), from: session, until: clock.now + .seconds(1)) { _ in }
        }
        give(goto, from: anna, to: companion)
        give(.startTrajectory, from: ben, to: companion)
        #expect(link.held == 2 && answers.lines.isEmpty)
        give(.emergencyHover, from: ben, to: companion)
        #expect(link.held == 0 && answers.lines.count == 3)
        #expect(answers.lines.filter { $0.contains("since \(Command.emergencyHover.name) is newer") }.count == 2)

        // Nobody has control authority while it is given.
        give(goto, from: ben, to: companion)
        control(.take(name: "anna"), anna)
        #expect(link.held == 0 && answers.lines.last?.contains("control authority of anna is newer") == true)
        give(goto, from: anna, to: companion)
        control(.takeOver(name: "ben", reason: "mine"), ben)
        #expect(link.held == 0 && answers.lines.last?.contains("control authority of ben is newer") == true)
        // His own stays.
        give(goto, from: ben, to: companion)
        control(.takeOver(name: "ben", reason: "again"), ben)
        #expect(link.held == 1)
        var telemetry = Telemetry(vehicle: "uav1")
        telemetry.flight = Sample(
            FlightStatus(
                state: .landing, isArmed: true, isOffboard: true, isOutputEnabled: true, isFlyingNormally: false),
            at: clock.now)
        companion.see(telemetry)
        #expect(link.held == 0 && answers.lines.last?.contains("lands or is flown by radio") == true)
        // What only loads, and what has left, is not taken back.
        give(.snapshot(service: "x"), from: ben, to: companion)
        #expect(link.held == 1)
        give(.land, from: anna, to: companion)
        #expect(link.held == 1)
    }

    @Test func `a command is refused though its session learns of the stop only later`() async throws {
        let link = HoldingLink()
        let companion = Companion(.init(vehicle: "uav1"), backend: link, isReached: true, clock: clock)
        let revision = companion.controlRevision
        give(.hover, .init(number: 1, knownStops: 0), from: ben, to: companion)
        #expect(companion.stops == 1 && companion.controlRevision != revision)
        give(goto, .init(number: 1, knownStops: 0), from: anna, to: companion)
        #expect(link.held == 0 && answers.lines.last?.contains("hover by another ground is newer") == true)
        give(goto, .init(number: 2, knownStops: 1), from: anna, to: companion)
        #expect(link.held == 1)
    }

    @Test func `a trajectory that is flown at once does not follow a stop that came during its transfer`() async throws
    {
        let link = HoldingLink()
        let companion = Companion(.init(vehicle: "uav1"), backend: link, isReached: true, clock: clock)
        var trajectory = Trajectory(frame: .worldOrigin, points: [], timeStepSeconds: 0.2)
        give(.land, .init(number: 5, knownStops: 0), from: anna, to: companion)
        trajectory.fliesNow = true
        give(.uploadTrajectory(trajectory), .init(number: 4, knownStops: 0), from: anna, to: companion)
        #expect(link.held == 0 && answers.lines.last?.contains("land by another ground is newer") == true)
        // What is only loaded may be loaded after a stop.
        trajectory.fliesNow = false
        give(.uploadTrajectory(trajectory), .init(number: 3, knownStops: 0), from: anna, to: companion)
        await settle()
        #expect(link.held == 1)
    }

    @Test func `nor does it follow a stop that another ground gave meanwhile`() async throws {
        let link = HoldingLink()
        let companion = Companion(.init(vehicle: "uav1"), backend: link, isReached: true, clock: clock)
        var trajectory = Trajectory(frame: .worldOrigin, points: [], timeStepSeconds: 0.2)
        trajectory.fliesNow = true
        give(.hover, .init(number: 9, knownStops: 0), from: ben, to: companion)
        // Its transfer began when its ground knew of no stop.
        give(.uploadTrajectory(trajectory), .init(number: 1, knownStops: 0), from: anna, to: companion)
        #expect(answers.lines.last?.contains("hover by another ground is newer") == true)
        await settle()
        #expect(link.held == 0)
        // One that was given after the stop is newer than that.
        give(.uploadTrajectory(trajectory), .init(number: 2, knownStops: 1), from: anna, to: companion)
        #expect(await becomesTrue { link.held == 1 })
        // Until it was begun, the next stop takes it back.
        give(.hover, .init(number: 10, knownStops: 1), from: ben, to: companion)
        #expect(await becomesTrue { link.held == 0 })
        #expect(answers.lines.contains { $0.contains("since hover is newer: give it again") })
    }

    private final class Caller: Sendable {}

    /// A companion runs for days.
    @Test(arguments: [false, true])
    func `nothing of an answered command is kept, even if the vehicle's recall keeps the answer`(isLate: Bool) {
        let link = KeepingLink(isLate: isLate)
        let companion = Companion(.init(vehicle: "uav1"), backend: link, isReached: true, clock: clock)
        weak var left: Caller?
        do {
            let caller = Caller()
            left = caller
            companion.perform(goto, companion.now, from: anna, until: clock.now + .seconds(20)) { [answers, goto] in
                answers.note(goto, $0)
                withExtendedLifetime(caller) {}
            }
        }
        #expect((left == nil) == !isLate)
        link.answer()
        #expect(left == nil && answers.lines == ["goto: done"])
    }
}

/// A vehicle whose recalls keep the answer.
private final class KeepingLink: CallbackFake {
    private typealias Answer = @Sendable (Result<CommandReply, LinkError>) -> Void
    private let isLate: Bool
    private let waiting = Mutex<Answer?>(nil)

    init(isLate: Bool) { self.isLate = isLate }

    func answer() { waiting.withLock { $0.take() }?(.success(CommandReply(accepted: true, message: ""))) }

    func perform(
        _ command: Command, within timeout: Duration,
        answer: @escaping @Sendable (Result<CommandReply, LinkError>) -> Void
    ) { _ = begin(command, within: timeout, answer: answer) }

    func begin(
        _ command: Command, within timeout: Duration,
        answer: @escaping @Sendable (Result<CommandReply, LinkError>) -> Void
    ) -> CommandRecall? {
        waiting.withLock { $0 = answer }
        if !isLate { self.answer() }
        return { answer(.failure(LinkError(.remoteFailed, "taken back"))) }
    }
}

/// A vehicle all of whose services are still being looked up, except those that stop it.
private final class HoldingLink: CallbackFake {
    private typealias Answer = @Sendable (Result<CommandReply, LinkError>) -> Void
    private let waiting = Mutex<[Int: Answer]>([:])
    private let count = Atomic(0)

    var held: Int { waiting.withLock { $0.count } }

    func perform(
        _ command: Command, within timeout: Duration,
        answer: @escaping @Sendable (Result<CommandReply, LinkError>) -> Void
    ) { _ = begin(command, within: timeout, answer: answer) }

    func begin(
        _ command: Command, within timeout: Duration,
        answer: @escaping @Sendable (Result<CommandReply, LinkError>) -> Void
    ) -> CommandRecall? {
        guard command.requiredAuthority != .stop else {
            answer(.success(CommandReply(accepted: true, message: "")))
            return nil
        }
        let number = count.add(1, ordering: .relaxed).newValue
        waiting.withLock { $0[number] = answer }
        return { [self] in
            let answer = waiting.withLock { $0.removeValue(forKey: number) }
            answer?(.failure(LinkError(.remoteFailed, "taken back")))
        }
    }
}
