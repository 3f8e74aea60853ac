import UAVTestKit
import Impairment
import Testing
import UAVLink

@testable import ChannelProtocol

/// The deadlines of commands.
extension SessionTests {
    @Test func `a command that comes after its deadline is not begun`() throws {
        let ends = try TwoEnds(Impairment(delay: .milliseconds(10)))
        ends.open()
        ends.network.impairment.delay = .milliseconds(300)
        let id = try ends.ground.begin(.takeoff, deadline: ends.now + .milliseconds(200), now: ends.now)
        ends.run(for: .seconds(2))
        #expect(ends.performed.isEmpty)
        guard case .failure(let error) = ends.answers[id] else { throw LinkError(.internalFault, "no error") }
        #expect(error.code == .timedOut)
    }

    @Test func `a command without an answer ends with its deadline`() throws {
        let ends = try TwoEnds()
        ends.open()
        ends.workTime = { _ in nil }
        let id = try ends.ground.begin(.land, deadline: ends.now + .seconds(1), now: ends.now)
        ends.run(for: .milliseconds(999))
        #expect(ends.answers[id] == nil)
        ends.run(for: .milliseconds(2))
        guard case .failure(let error) = ends.answers[id] else { throw LinkError(.internalFault, "no error") }
        #expect(error.code == .timedOut)
        #expect(ends.performed == [.land])
    }

    @Test func `a stop has a place though as many commands as may be wait for their answers`() throws {
        let ends = try TwoEnds()
        ends.open()
        ends.workTime = { _ in nil }
        let deadline = ends.now + .seconds(60)
        for number in 0..<32 {
            _ = try ends.ground.begin(.altitude(metres: Double(number)), deadline: deadline, now: ends.now)
        }
        ends.run(for: .milliseconds(10))
        #expect(ends.performed.count == 32)
        #expect(throws: LinkError.self) { try ends.ground.begin(.takeoff, deadline: deadline, now: ends.now) }
        #expect(throws: LinkError.self) { try ends.ground.begin(.maps, deadline: deadline, now: ends.now) }
        // All that everybody may give at any time, a landing too.
        let stops: [Command] = [.land, .hover, .emergencyHover, .emergencyLand, .stopTrajectory, .land, .land, .land]
        for stop in stops { _ = try ends.ground.begin(stop, deadline: deadline, now: ends.now) }
        ends.run(for: .milliseconds(10))
        #expect(Set(ends.performed.dropFirst(32)) == Set(stops) && ends.performed.count == 40)
        // A held key takes the place of its oldest press, and that of no other stop.
        let presses = try (0..<12).map { _ in try ends.ground.begin(.hover, deadline: deadline, now: ends.now) }
        let landing = try ends.ground.begin(.emergencyLand, deadline: deadline, now: ends.now)
        ends.run(for: .milliseconds(10))
        let replaced = presses.filter { ends.answers[$0] != nil }
        #expect(replaced == Array(presses.prefix(4)))
        for press in replaced {
            guard case .failure(let error)? = ends.answers[press] else {
                Issue.record("\(press) was answered")
                continue
            }
            #expect(error.code == .cancelled && error.what == "a newer hover has replaced it")
        }
        #expect(ends.answers[landing] == nil)
        #expect(ends.performed.dropFirst(40).count { $0 == .hover } == 8)
        #expect(ends.performed.dropFirst(40).count { $0 == .emergencyLand } == 1)
        // As many stops take no place of other commands.
        let other = try TwoEnds()
        other.open()
        other.workTime = { _ in nil }
        for _ in 0..<8 { _ = try other.ground.begin(.hover, deadline: deadline, now: other.now) }
        for number in 0..<32 {
            _ = try other.ground.begin(.altitude(metres: Double(number)), deadline: deadline, now: other.now)
        }
        other.run(for: .milliseconds(10))
        #expect(other.performed.count == 40)
    }

    @Test(arguments: [.max, 31_536_000_000_000_000, .min] as [Int64]) func `no command waits longer than ten minutes`(
        _ nanoseconds: Int64
    ) throws {
        let ends = try TwoEnds()
        ends.open()
        let request = CommandRequest(
            id: 1, deadline: nanoseconds, remainingMicroseconds: .max, afterSetpoint: 0, command: .land)
        var desk = CommandResponder()
        for timing in [ends.vehicle.timing, PeerTiming()] {
            desk = CommandResponder()
            guard let deadline = desk.begin(DecodedCommand(request), timing: timing, now: ends.vehicleNow) else {
                continue
            }
            #expect(deadline <= ends.vehicleNow + .seconds(600))
            #expect(nanoseconds > 0 || timing.newest == nil)
        }
        let question = QuestionRequest(id: 1, deadline: nanoseconds, remainingMicroseconds: .max, question: .maps)
        desk = CommandResponder()
        if let deadline = desk.begin(question, timing: ends.vehicle.timing, now: ends.vehicleNow) {
            #expect(deadline <= ends.vehicleNow + .seconds(600))
            #expect(nanoseconds > 0)
        } else {
            #expect(nanoseconds < 0)
        }
    }

    @Test func `a command has no more time than was left when it was sent, though its ground's clock jumped ahead`()
        throws
    {
        let ends = try TwoEnds()
        ends.open()
        let jumped = ends.now + .seconds(300) + .seconds(1)
        let request = CommandRequest(
            id: 1, deadline: jumped.nanoseconds, remainingMicroseconds: 1_000_000, afterSetpoint: 0, command: .land)
        var desk = CommandResponder()
        let deadline = desk.begin(DecodedCommand(request), timing: ends.vehicle.timing, now: ends.vehicleNow)
        #expect(deadline == ends.vehicleNow + .seconds(1))
    }
}
