import Synchronization
import Testing
import UAVLink
import UAVTestKit

@testable import MRS

@Suite struct CommandGateTests {
    /// What was sent, and how it ended.
    private final class Vehicle: Sendable {
        struct Seen: Sendable {
            var sent: [String] = []
            var numbers: [String: CommandGate.Number] = [:]
            var ended: [String] = []
            var recalled: [String] = []
        }

        let seen = Mutex(Seen())
        /// Happens while that command is sent.
        let meanwhile = Mutex<(name: String, action: @Sendable () -> Void)?>(nil)
        var sent: [String] { seen.withLock { $0.sent } }
        var ended: [String] { seen.withLock { $0.ended } }
        var recalled: [String] { seen.withLock { $0.recalled } }
        func number(of name: String) -> CommandGate.Number? { seen.withLock { $0.numbers[name] } }
    }

    private let clock = FakeClock()
    private let vehicle = Vehicle()
    private let gate: CommandGate

    init() { gate = CommandGate(clock: clock) }

    private func give(_ command: Command, within timeout: Duration = .seconds(5)) -> CommandRecall? {
        let (gate, vehicle, clock) = (gate, vehicle, clock)
        return gate.begin(command, within: timeout) {
            vehicle.seen.withLock { $0.sent.append("brake") }
            gate.noteSetpoint(isNeutral: true, at: clock.now)
        } send: { number, _ in
            vehicle.seen.withLock {
                $0.sent.append(command.name)
                $0.numbers[command.name] = number
            }
            let action = vehicle.meanwhile.withLock { $0?.name == command.name ? $0?.action : nil }
            action?()
            return { vehicle.seen.withLock { $0.recalled.append(command.name) } }
        } fail: { result in
            let text =
                switch result {
                case .success(let reply): reply.accepted ? "accepted" : reply.message
                case .failure(let error): error.what
                }
            vehicle.seen.withLock { $0.ended.append("\(command.name): \(text)") }
        }
    }

    @Test func `a stop is sent as soon as the take-off is answered`() async throws {
        _ = give(.takeoff)
        _ = give(.emergencyLand)
        await clock.run(for: .milliseconds(300))
        #expect(vehicle.sent == ["takeoff"])
        let takeoff = try #require(vehicle.number(of: "takeoff"))
        gate.noteAnswer(to: takeoff)
        #expect(vehicle.sent == ["takeoff", "eland"])
    }

    @Test func `a stop is sent after a second if the take-off has no answer`() async {
        _ = give(.takeoff)
        _ = give(.hover)
        await clock.run(for: .milliseconds(999))
        #expect(vehicle.sent == ["takeoff"])
        await clock.run(for: .milliseconds(1))
        #expect(vehicle.sent == ["takeoff", "hover"])
    }

    @Test func `a landing is sent once the tracker has stopped`() async {
        gate.noteSetpoint(isNeutral: false, at: clock.now)
        _ = give(.land)
        #expect(vehicle.sent == ["brake"])
        await clock.run(for: CommandTiming.trackerTimeout)
        #expect(vehicle.sent == ["brake", "land"])
        await clock.run(for: .seconds(5))
        #expect(vehicle.sent == ["brake", "land"])
        #expect(vehicle.ended == [])
    }

    @Test func `a landing that waits is replaced by a hover, and its caller is told`() async {
        gate.noteSetpoint(isNeutral: true, at: clock.now)
        _ = give(.land)
        _ = give(.hover)
        #expect(vehicle.sent == ["hover"])
        #expect(vehicle.ended == ["land: not executed: 'hover' was commanded after it"])
        await clock.run(for: .seconds(5))
        #expect(vehicle.sent == ["hover"])
    }

    @Test func `what waits can be taken back, and what was sent by its own means`() async throws {
        gate.noteSetpoint(isNeutral: true, at: clock.now)
        let waits = try #require(give(.altitude(metres: 2)))
        waits()
        #expect(vehicle.ended == ["altitude: taken back before it was sent"])
        await clock.run(for: .seconds(5))
        #expect(vehicle.sent == [])
        let sent = try #require(give(.altitude(metres: 2)))
        #expect(vehicle.sent == ["altitude"])
        sent()
        #expect(vehicle.recalled == ["altitude"])
    }

    @Test func `nothing is sent after its deadline`() async {
        gate.noteSetpoint(isNeutral: true, at: clock.now)
        _ = give(.land, within: .milliseconds(500))
        await clock.run(for: .seconds(1))
        #expect(vehicle.sent == [])
        #expect(vehicle.ended == ["land: not sent to the vehicle: its deadline passed first"])
    }

    // MARK: What happens while another is sent

    /// A take-off, a hover and an altitude that wait for its answer.
    private func takeOffAndMore(meanwhile action: @escaping @Sendable (CommandRecall?) -> Void) throws {
        _ = give(.takeoff)
        _ = give(.hover)
        let recall = give(.altitude(metres: 2))
        vehicle.meanwhile.withLock { $0 = ("hover", { action(recall) }) }
        gate.noteAnswer(to: try #require(vehicle.number(of: "takeoff")))
    }

    @Test func `what is taken back then is not sent`() throws {
        try takeOffAndMore { $0?() }
        #expect(vehicle.sent == ["takeoff", "hover"])
        #expect(vehicle.ended == ["altitude: taken back before it was sent"])
    }

    @Test func `a stop that comes then ends what would move the vehicle`() throws {
        let tests = self
        try takeOffAndMore { _ in _ = tests.give(.emergencyLand) }
        #expect(vehicle.sent == ["takeoff", "hover", "eland"])
        #expect(vehicle.ended == ["altitude: not executed: 'eland' was commanded after it"])
    }

    @Test func `a take-off that was not sent yet is ended by a stop, which does not wait for it`() {
        let tests = self
        vehicle.meanwhile.withLock {
            $0 = (
                "altitude",
                {
                    _ = tests.give(.takeoff)
                    _ = tests.give(.hover)
                }
            )
        }
        _ = give(.altitude(metres: 2))
        #expect(vehicle.sent == ["altitude", "hover"])
        #expect(vehicle.ended == ["takeoff: not executed: 'hover' was commanded after it"])
    }

    @Test func `what does not move the vehicle is sent at once, whatever is being sent`() throws {
        let tests = self
        try takeOffAndMore { _ in _ = tests.give(.arm(false)) }
        #expect(vehicle.sent == ["takeoff", "hover", "disarm", "altitude"])
    }

    // MARK: What is kept

    private final class Caller: Sendable {}

    /// Who waits for an answer often keeps the recall until then: if that kept the answer, both would stay for ever.
    @Test func `a recall keeps nobody who waits for the answer`() {
        weak var sent: Caller?
        weak var ended: Caller?
        weak var takenBack: Caller?
        func give(_ command: Command, _ caller: Caller) -> CommandRecall? {
            gate.begin(command, within: .seconds(5)) {
            } send: { [caller] _, _ in
                _ = caller
                return nil
            } fail: { [caller] _ in
                _ = caller
            }
        }
        var recalls: [CommandRecall?] = []
        do {
            let callers = [Caller(), Caller(), Caller()]
            (sent, ended, takenBack) = (callers[0], callers[1], callers[2])
            recalls.append(give(.altitude(metres: 1), callers[0]))
            gate.noteSetpoint(isNeutral: true, at: clock.now)
            recalls.append(give(.altitude(metres: 2), callers[1]))
            recalls.append(give(.altitude(metres: 3), callers[2]))
            #expect(sent != nil && ended != nil && takenBack != nil)
            recalls.last??()
        }
        #expect(recalls.count { $0 != nil } == 3)
        #expect(sent == nil && ended == nil && takenBack == nil)
    }

    // MARK: Answers for tasks

    @Test func `a task that is cancelled is not kept waiting, and its command is taken back`() async throws {
        gate.noteSetpoint(isNeutral: true, at: clock.now)
        let (gate, vehicle) = (gate, vehicle)
        let waiting = Task {
            await AnswerWaiter().answer { answer in
                gate.begin(.land, within: .seconds(5)) {
                } send: { _, _ in
                    vehicle.seen.withLock { $0.sent.append("land") }
                    return nil
                } fail: {
                    answer($0)
                }
            }
        }
        await clock.run(for: .milliseconds(100))
        waiting.cancel()
        let answer = await waiting.value
        #expect(throws: LinkError.self) { try answer.get() }
        await clock.run(for: .seconds(5))
        #expect(vehicle.sent == [])
    }
}
