import Authority
import Testing
import UAVLink

/// Several commands that take over, in progress at the same time.
extension ControlAuthorityTests {
    @Test(arguments: [true, false])
    func `of two that are both refused the motion before them is braked, whichever answer comes first`(
        isInOrder: Bool
    ) throws {
        var authority = moving()
        let first = try begin(goto, by: anna, &authority, at: at(50))
        let second = try begin(goto, by: anna, &authority, at: at(60))
        authority.end(isInOrder ? first : second, .refused, at: at(70))
        #expect(authority.deadline == nil, "the other may still replace it")
        authority.end(isInOrder ? second : first, .refused, at: at(80))
        #expect(authority.tick(now: at(80)) == .brake)
    }

    @Test(arguments: [CommandOutcome.accepted, .unknown], [true, false])
    func `of two of which one may have replaced the motion nothing is braked`(
        outcome: CommandOutcome, isInOrder: Bool
    ) throws {
        for isFirstRefused in [true, false] {
            var authority = moving()
            let first = try begin(goto, by: anna, &authority, at: at(50))
            let second = try begin(goto, by: anna, &authority, at: at(60))
            let ends = [(first, isFirstRefused ? .refused : outcome), (second, isFirstRefused ? outcome : .refused)]
            for (index, end) in (isInOrder ? ends : ends.reversed()).enumerated() {
                authority.end(end.0, end.1, at: at(70 + index))
            }
            #expect(authority.deadline == nil)
        }
    }

    @Test func `a command that follows an accepted one and is refused brakes nothing`() throws {
        var authority = moving()
        authority.end(try begin(goto, by: anna, &authority, at: at(50)), .accepted, at: at(60))
        authority.end(try begin(goto, by: anna, &authority, at: at(70)), .refused, at: at(80))
        #expect(authority.deadline == nil)
    }

    @Test func `a trajectory is loaded by the pilot only: whoever starts it flies what is loaded`() throws {
        var authority = moving()
        let trajectory = Trajectory(
            frame: .current, points: [.init(position: .zero, headingRadians: 0)], timeStepSeconds: 0.2)
        #expect(throws: LinkError.self) {
            _ = try begin(.uploadTrajectory(trajectory), by: ben, &authority, at: at(50))
        }
        let ticket = try begin(.uploadTrajectory(trajectory), by: anna, &authority, at: at(50))
        authority.end(ticket, .accepted, at: at(60))
        #expect(authority.judgeSetpoint(by: anna, isNeutral: false, at: at(70)) == .granted)
    }

    @Test func `a trajectory that is flown at once takes over from steering`() throws {
        var authority = moving()
        let trajectory = Trajectory(
            frame: .current, points: [.init(position: .zero, headingRadians: 0)], timeStepSeconds: 0.2, fliesNow: true)
        let ticket = try begin(.uploadTrajectory(trajectory), by: anna, &authority, at: at(50))
        #expect(authority.judgeSetpoint(by: anna, isNeutral: true, at: at(60)) == .commandInProgress)
        authority.end(ticket, .accepted, at: at(400))
        #expect(authority.deadline == nil)
        #expect(authority.judgeSetpoint(by: anna, isNeutral: false, at: at(410)) == .neutralFirst)
    }

    @Test(arguments: [Command.arm(true), .enableOutput(true), .offboard])
    func `what switches the vehicle is for the pilot alone, and steering goes on`(_ command: Command) throws {
        var authority = moving()
        #expect(throws: LinkError.self) { _ = try begin(command, by: ben, &authority, at: at(50)) }
        #expect(authority.pilot?.party == anna)
        let ticket = try begin(command, by: anna, &authority, at: at(50))
        #expect(authority.judgeSetpoint(by: anna, isNeutral: false, at: at(60)) == .granted)
        authority.end(ticket, .refused, at: at(70))
        #expect(authority.tick(now: at(70)) == nil)
        #expect(authority.judgeSetpoint(by: anna, isNeutral: false, at: at(80)) == .granted)
    }

    // MARK: Refused

    @Test func `a command that ended a brake and is refused is followed by another brake`() throws {
        var authority = moving()
        #expect(authority.tick(now: at(210)) == .brake)
        let ticket = try begin(goto, by: ben, &authority, at: at(220))
        #expect(authority.tick(now: at(230)) == nil)
        authority.end(ticket, .refused, at: at(240))
        #expect(authority.tick(now: at(240)) == .brake)
        #expect(authority.pilot == nil)
    }

    @Test(arguments: [Command.hover, .land])
    func `another's stop that is refused is followed by the brake, and ends control authority all the same`(
        _ stop: Command
    ) throws {
        var authority = moving()
        let ticket = try begin(stop, by: ben, &authority, at: at(50))
        authority.end(ticket, .refused, at: at(60))
        #expect(authority.tick(now: at(60)) == .brake)
        #expect(authority.pilot == nil)
        #expect(authority.judgeSetpoint(by: anna, isNeutral: true, at: at(70)) == .notInCommand)
    }
}
