import Testing
import UAVLink

@testable import MRS

/// MRS's flight stack, as measured: take-off answers after 0.3 s, and the tracker stops 0.5 s after the last velocity reference.
@Suite struct CommandTimingTests {
    /// By reference, so that its calls can stand in expectations.
    private final class Timing {
        private var timing = CommandTiming()

        func give(_ command: Command, at now: MonotonicTime) -> CommandTiming.Admission {
            timing.give(command, at: now)
        }
        func noteSetpoint(isNeutral: Bool, at now: MonotonicTime) { timing.noteSetpoint(isNeutral: isNeutral, at: now) }
        func noteAnswer(to number: CommandTiming.Number) { timing.noteAnswer(to: number) }
        func takeBack(_ number: CommandTiming.Number) -> Bool { timing.takeBack(number) }
        func takeDue(at now: MonotonicTime) -> [CommandTiming.Number] { timing.takeDue(at: now) }
        func due(_ number: CommandTiming.Number, at now: MonotonicTime) -> MonotonicTime? {
            timing.due(number, at: now)
        }
    }

    private let start = MonotonicTime(nanoseconds: 1_000_000_000)
    private func at(_ milliseconds: Int) -> MonotonicTime { start + .milliseconds(milliseconds) }
    private static let goTo = Command.goTo(.init(.frame(.current), position: .zero, headingRadians: 0))

    // MARK: Take-off

    @Test(arguments: [Command.hover, .land, .emergencyHover, .emergencyLand, .stopTrajectory])
    func `what stops or lands waits for the answer of a take-off`(stop: Command) {
        let timing = Timing()
        let takeoff = timing.give(.takeoff, at: at(0))
        #expect(takeoff.isSent)
        let admission = timing.give(stop, at: at(200))
        #expect(!admission.isSent)
        #expect(admission.refusal == nil)
        #expect(timing.takeDue(at: at(300)) == [])
        timing.noteAnswer(to: takeoff.number)
        #expect(timing.takeDue(at: at(300)) == [admission.number])
        #expect(timing.takeDue(at: at(300)) == [])
    }

    @Test func `a stop waits for one second at most`() {
        let timing = Timing()
        _ = timing.give(.takeoff, at: at(0))
        let stop = timing.give(.hover, at: at(200))
        #expect(timing.due(stop.number, at: at(200)) == at(1200))
        #expect(timing.takeDue(at: at(1199)) == [])
        #expect(timing.takeDue(at: at(1200)) == [stop.number])
    }

    @Test func `what waits for a take-off is sent in its order, and before what came later`() {
        let timing = Timing()
        let takeoff = timing.give(.takeoff, at: at(0))
        let hover = timing.give(.hover, at: at(100))
        let land = timing.give(.land, at: at(150))
        let goTo = timing.give(Self.goTo, at: at(200))
        #expect(!goTo.isSent)
        #expect(goTo.ended == [])
        timing.noteAnswer(to: takeoff.number)
        #expect(timing.takeDue(at: at(250)) == [hover.number, land.number, goTo.number])
    }

    @Test func `without a take-off under way a stop is sent at once`() {
        let timing = Timing()
        let takeoff = timing.give(.takeoff, at: at(0))
        timing.noteAnswer(to: takeoff.number)
        let stop = timing.give(.hover, at: at(1))
        #expect(stop.isSent)
        #expect(!stop.brakes)
    }

    @Test func `arming and the like never wait`() {
        let timing = Timing()
        _ = timing.give(.takeoff, at: at(0))
        _ = timing.give(.hover, at: at(1))
        for command in [Command.arm(false), .enableOutput(false), .offboard] {
            #expect(timing.give(command, at: at(2)).isSent)
        }
    }

    // MARK: After steering

    @Test(arguments: [
        Command.land, .landHome, goTo, .altitude(metres: 2), .heading(radians: 0), .turn(byRadians: 1),
        .startTrajectory,
        .resumeTrajectory, .goToTrajectoryStart,
    ])
    func `what the tracker would drop waits until it has stopped, and the vehicle is braked first`(command: Command) {
        let timing = Timing()
        timing.noteSetpoint(isNeutral: false, at: at(0))
        let admission = timing.give(command, at: at(100))
        #expect(!admission.isSent)
        #expect(admission.brakes)
        #expect(timing.takeDue(at: at(749)) == [])
        #expect(timing.takeDue(at: at(750)) == [admission.number])
    }

    @Test func `after a neutral setpoint there is no brake, and no wait once the tracker has stopped`() {
        let timing = Timing()
        timing.noteSetpoint(isNeutral: true, at: at(0))
        let admission = timing.give(.land, at: at(100))
        #expect(!admission.isSent)
        #expect(!admission.brakes)
        #expect(timing.due(admission.number, at: at(100)) == at(650))
        let later = Timing()
        later.noteSetpoint(isNeutral: false, at: at(0))
        #expect(later.give(.land, at: at(650)).isSent)
    }

    @Test(arguments: [Command.hover, .emergencyHover, .emergencyLand, .stopTrajectory])
    func `a stop while the vehicle is steered is sent at once`(stop: Command) {
        let timing = Timing()
        timing.noteSetpoint(isNeutral: false, at: at(0))
        #expect(timing.give(stop, at: at(1)).isSent)
    }

    @Test func `a landing does not wait for one who goes on steering`() {
        let timing = Timing()
        timing.noteSetpoint(isNeutral: false, at: at(0))
        let land = timing.give(.land, at: at(10))
        for time in stride(from: 20, through: 1000, by: 20) {
            #expect(timing.takeDue(at: at(time)) == [])
            timing.noteSetpoint(isNeutral: false, at: at(time))
        }
        #expect(timing.takeDue(at: at(1010)) == [land.number])
    }

    @Test(arguments: [Command.hover, .emergencyLand, .land])
    func `a stop ends what waits for the tracker`(stop: Command) {
        for waits in [Command.land, Self.goTo] {
            let timing = Timing()
            timing.noteSetpoint(isNeutral: false, at: at(0))
            let first = timing.give(waits, at: at(10))
            let second = timing.give(stop, at: at(20))
            #expect(second.ended == [first.number])
            #expect(second.reason == "not executed: '\(stop.name)' was commanded after it")
            #expect(!timing.takeBack(first.number))
        }
    }

    @Test func `nothing that moves the vehicle replaces a landing that waits`() {
        let timing = Timing()
        timing.noteSetpoint(isNeutral: false, at: at(0))
        let land = timing.give(.land, at: at(10))
        let goTo = timing.give(Self.goTo, at: at(20))
        #expect(goTo.refusal == "not executed: 'land' was commanded just before")
        #expect(!goTo.isSent)
        #expect(timing.takeDue(at: at(660)) == [land.number])
    }

    @Test func `the newest goto is sent, and what is taken back is not`() {
        let timing = Timing()
        timing.noteSetpoint(isNeutral: false, at: at(0))
        let first = timing.give(Self.goTo, at: at(10))
        let second = timing.give(.altitude(metres: 3), at: at(20))
        #expect(second.ended == [first.number])
        #expect(timing.takeBack(second.number))
        #expect(timing.takeDue(at: at(5000)) == [])
        #expect(timing.due(second.number, at: at(5000)) == nil)
    }
}
