import Authority
import Testing
import UAVLink

/// Who flies, and what happens when something breaks; every rule of docs/safety.md that needs no vehicle.
@Suite struct ControlAuthorityTests {
    let start = MonotonicTime(nanoseconds: 1_000_000_000)
    let anna = 1
    let ben = 2
    let goto = Command.goTo(.init(.relative, position: .zero, headingRadians: 0))

    func at(_ milliseconds: Int) -> MonotonicTime { start + .milliseconds(milliseconds) }

    /// Anna is in command at 0 ms, and steers with sticks that ask for motion since 10 ms.
    func moving() -> ControlAuthority<Int> {
        var authority = ControlAuthority<Int>()
        #expect(authority.take(by: anna, name: "anna", at: at(0)) == .granted)
        #expect(authority.judgeSetpoint(by: anna, isNeutral: true, at: at(-10)) == .granted)
        #expect(authority.judgeSetpoint(by: anna, isNeutral: false, at: at(10)) == .granted)
        return authority
    }

    func begin(
        _ command: Command, by party: Int, _ authority: inout ControlAuthority<Int>, at now: MonotonicTime
    ) throws -> ControlAuthority<Int>.Ticket {
        guard case .admitted(let ticket) = authority.begin(command, by: party, name: "party \(party)", at: now) else {
            throw LinkError(.notInCommand, "held by another")
        }
        return ticket
    }

    // MARK: Setpoints and the lease

    @Test func `without command no setpoint moves anything`() {
        var authority = ControlAuthority<Int>()
        #expect(authority.judgeSetpoint(by: anna, isNeutral: true, at: at(0)) == .notInCommand)
        #expect(authority.judgeSetpoint(by: anna, isNeutral: false, at: at(0)) == .notInCommand)
        #expect(authority.deadline == nil)
        #expect(authority.tick(now: at(1000)) == nil)
    }

    @Test func `steering begins neutral`() {
        var authority = ControlAuthority<Int>()
        #expect(authority.take(by: anna, name: "anna", at: at(0)) == .granted)
        #expect(authority.judgeSetpoint(by: anna, isNeutral: false, at: at(1)) == .neutralFirst)
        #expect(!authority.isSteering)
        #expect(authority.judgeSetpoint(by: anna, isNeutral: true, at: at(2)) == .granted)
        #expect(authority.judgeSetpoint(by: anna, isNeutral: false, at: at(21)) == .neutralFirst)
        #expect(authority.judgeSetpoint(by: anna, isNeutral: false, at: at(22)) == .granted)
        #expect(authority.isSteering)
    }

    @Test func `missing setpoints in motion brake when the lease ends, for half a second, and cost control`() {
        var authority = moving()
        #expect(authority.deadline == at(210))
        #expect(authority.tick(now: at(209)) == nil)
        var braked: [Int] = []
        for millisecond in 210...2000 where authority.tick(now: at(millisecond)) == .brake {
            braked.append(millisecond)
        }
        #expect(braked == Array(stride(from: 210, to: 710, by: 50)))
        #expect(authority.deadline == nil)
        #expect(authority.pilot == nil)
        #expect(authority.lapses == 1)
        #expect(authority.ended?.why == .lapsed)
        #expect(authority.judgeSetpoint(by: anna, isNeutral: true, at: at(2001)) == .notInCommand)
    }

    @Test func `missing setpoints with centred sticks brake nothing and cost nothing but a neutral beginning`() {
        var authority = moving()
        #expect(authority.judgeSetpoint(by: anna, isNeutral: true, at: at(100)) == .granted)
        #expect(authority.tick(now: at(300)) == nil)
        #expect(authority.deadline == nil)
        #expect(authority.pilot?.party == anna)
        #expect(authority.judgeSetpoint(by: anna, isNeutral: false, at: at(310)) == .neutralFirst)
        #expect(authority.judgeSetpoint(by: anna, isNeutral: true, at: at(320)) == .granted)
    }

    @Test func `a setpoint after the deadline but before the brake does not save the lease`() {
        var authority = moving()
        #expect(authority.judgeSetpoint(by: anna, isNeutral: false, at: at(210)) == .notInCommand)
        #expect(authority.tick(now: at(211)) == .brake)
    }

    @Test func `a setpoint that failed counts as if it had not come`() {
        var authority = moving()
        // Not even a neutral one: the vehicle still moves under the last that came.
        #expect(authority.judgeSetpoint(by: anna, isNeutral: true, at: at(100)) == .granted)
        authority.setpointFailed(by: anna)
        #expect(authority.deadline == at(210))
        #expect(authority.tick(now: at(210)) == .brake)
        #expect(authority.pilot == nil)
    }

    @Test func `a setpoint that failed ends no brake, and saves nothing that has ended`() {
        var authority = moving()
        #expect(authority.tick(now: at(210)) == .brake)
        #expect(authority.take(by: anna, name: "anna", at: at(220)) == .granted)
        #expect(authority.judgeSetpoint(by: anna, isNeutral: true, at: at(230)) == .granted)
        authority.setpointFailed(by: anna)
        #expect(!authority.isSteering)
        #expect(authority.tick(now: at(260)) == .brake)

        var other = moving()
        #expect(other.judgeSetpoint(by: anna, isNeutral: false, at: at(100)) == .granted)
        other.lose(anna, at: at(100))
        other.setpointFailed(by: anna)
        #expect(other.pilot == nil && !other.isSteering)
        #expect(other.tick(now: at(100)) == .brake)
    }

    @Test func `a new run of steering ends the brake`() {
        var authority = moving()
        #expect(authority.tick(now: at(210)) == .brake)
        #expect(authority.take(by: anna, name: "anna", at: at(220)) == .granted)
        #expect(authority.judgeSetpoint(by: anna, isNeutral: true, at: at(230)) == .granted)
        #expect(authority.tick(now: at(260)) == nil)
        #expect(authority.deadline == at(430))
    }

    // MARK: One pilot

    @Test func `one pilot at a time, and the other is notified who and since when`() {
        var authority = moving()
        guard case .heldBy(let pilot) = authority.take(by: ben, name: "ben", at: at(50)) else {
            Issue.record("ben took it")
            return
        }
        #expect(pilot.name == "anna" && pilot.since == at(0))
        #expect(authority.judgeSetpoint(by: ben, isNeutral: true, at: at(50)) == .notInCommand)
        #expect(authority.begin(goto, by: ben, name: "ben", at: at(50)) == .heldBy(pilot))
        #expect(authority.judgeSetpoint(by: anna, isNeutral: false, at: at(60)) == .granted)
    }

    @Test func `a take-over brakes what moves, and the one before moves nothing more`() {
        var authority = moving()
        #expect(authority.take(by: ben, name: "ben", force: "lunch", at: at(50)) == .granted)
        #expect(authority.tick(now: at(50)) == .brake)
        #expect(authority.ended?.why == .takenOver(by: "ben", reason: "lunch"))
        #expect(authority.judgeSetpoint(by: anna, isNeutral: true, at: at(51)) == .notInCommand)
        #expect(authority.judgeSetpoint(by: ben, isNeutral: false, at: at(51)) == .neutralFirst)
        #expect(authority.judgeSetpoint(by: ben, isNeutral: true, at: at(52)) == .granted)
    }

    @Test func `taking it twice changes nothing`() {
        var authority = moving()
        #expect(authority.take(by: anna, name: "anna", at: at(50)) == .granted)
        #expect(authority.pilot?.since == at(0))
        #expect(authority.judgeSetpoint(by: anna, isNeutral: false, at: at(60)) == .granted)
    }

    @Test func `control authority that no pilot has may be released, which does nothing`() {
        var authority = moving()
        authority.release(by: ben, reason: "mistaken", at: at(50))
        authority.lose(ben, at: at(50))
        #expect(authority.pilot?.party == anna)
        #expect(authority.tick(now: at(50)) == nil)
    }

    @Test func `who gives it back in motion is braked, unless the vehicle goes its own way`() {
        var authority = moving()
        authority.release(by: anna, reason: "done", at: at(50))
        #expect(authority.tick(now: at(50)) == .brake)
        #expect(authority.pilot == nil)
        var landed = moving()
        landed.see(.elsewhere(.landing), at: at(40))
        landed.release(by: anna, reason: "it lands", at: at(50))
        #expect(landed.tick(now: at(50)) == nil)
        #expect(landed.deadline == nil)
    }

    @Test func `who gives it back with the vehicle at rest is not braked`() {
        var authority = moving()
        #expect(authority.judgeSetpoint(by: anna, isNeutral: true, at: at(50)) == .granted)
        authority.release(by: anna, reason: "done", at: at(60))
        #expect(authority.pilot == nil && authority.deadline == nil)
        #expect(authority.tick(now: at(60)) == nil)
    }

    @Test func `what nobody has is granted at once, with or without a reason for a take-over`() {
        for force in [nil, "a tree"] {
            var authority = ControlAuthority<Int>()
            #expect(authority.take(by: ben, name: "ben", force: force, at: at(0)) == .granted)
            #expect(authority.pilot?.party == ben && authority.ended == nil)
        }
    }

    @Test func `a pilot who is gone is braked at once`() {
        var authority = moving()
        authority.lose(anna, at: at(50))
        #expect(authority.tick(now: at(50)) == .brake)
        #expect(authority.pilot == nil)
        #expect(authority.ended?.why == .lost)
    }

    // MARK: Commands

    @Test(arguments: [Command.land, .goTo(.init(.relative, position: .zero, headingRadians: 0)), .startTrajectory])
    func `a slow command suspends the lease when it begins: nothing follows it`(_ command: Command) throws {
        var authority = moving()
        let ticket = try begin(command, by: anna, &authority, at: at(50))
        // 350 ms until the vehicle answers.
        for millisecond in stride(from: 50, through: 400, by: 10) {
            #expect(authority.tick(now: at(millisecond)) == nil)
        }
        #expect(authority.judgeSetpoint(by: anna, isNeutral: true, at: at(100)) == .commandInProgress)
        authority.end(ticket, .accepted, at: at(400))
        for millisecond in stride(from: 400, through: 2000, by: 10) {
            #expect(authority.tick(now: at(millisecond)) == nil)
        }
        #expect(authority.pilot?.party == anna)
        #expect(authority.judgeSetpoint(by: anna, isNeutral: false, at: at(2000)) == .neutralFirst)
    }

    @Test func `a refused command leaves a vehicle that moved, and it is braked`() throws {
        var authority = moving()
        let ticket = try begin(goto, by: anna, &authority, at: at(50))
        authority.end(ticket, .refused, at: at(80))
        #expect(authority.tick(now: at(80)) == .brake)
        #expect(authority.pilot?.party == anna)
    }

    @Test func `a command whose fate is not known is not interfered with`() throws {
        var authority = moving()
        let ticket = try begin(.land, by: anna, &authority, at: at(50))
        authority.end(ticket, .unknown, at: at(80))
        #expect(authority.deadline == nil)
    }

    @Test func `a refused command does not brake what a later one does`() throws {
        var authority = moving()
        let first = try begin(goto, by: anna, &authority, at: at(50))
        let second = try begin(.land, by: anna, &authority, at: at(60))
        authority.end(first, .refused, at: at(80))
        #expect(authority.deadline == nil)
        authority.end(second, .accepted, at: at(90))
        #expect(authority.deadline == nil)
    }

    @Test func `a refused one of two is no reason for the other to be followed by setpoints`() throws {
        var authority = moving()
        let first = try begin(goto, by: anna, &authority, at: at(50))
        let second = try begin(goto, by: anna, &authority, at: at(60))
        authority.end(second, .refused, at: at(70))
        #expect(authority.judgeSetpoint(by: anna, isNeutral: true, at: at(71)) == .commandInProgress)
        authority.end(first, .accepted, at: at(80))
        #expect(authority.judgeSetpoint(by: anna, isNeutral: true, at: at(81)) == .granted)
    }

    @Test func `a command during the brake ends the brake`() throws {
        var authority = moving()
        #expect(authority.tick(now: at(210)) == .brake)
        _ = try begin(.land, by: ben, &authority, at: at(220))
        #expect(authority.deadline == nil)
        #expect(authority.tick(now: at(300)) == nil)
    }

    @Test(arguments: [Command.hover, .land, .emergencyHover, .emergencyLand, .stopTrajectory])
    func `a stop is accepted from every pilot and ends the other's steering until he takes control anew`(
        _ stop: Command
    ) throws {
        var authority = moving()
        let ticket = try begin(stop, by: ben, &authority, at: at(50))
        #expect(authority.pilot == nil)
        #expect(authority.ended?.why == .stopped(by: "party 2", command: stop.name))
        authority.end(ticket, .accepted, at: at(60))
        #expect(authority.tick(now: at(300)) == nil)
        #expect(authority.judgeSetpoint(by: anna, isNeutral: true, at: at(70)) == .notInCommand)
    }

    @Test func `a stop of the pilot's own leaves him in command`() throws {
        var authority = moving()
        let ticket = try begin(.hover, by: anna, &authority, at: at(50))
        authority.end(ticket, .accepted, at: at(60))
        #expect(authority.pilot?.party == anna)
        #expect(authority.judgeSetpoint(by: anna, isNeutral: false, at: at(70)) == .neutralFirst)
    }

    @Test func `while no pilot has control authority every pilot may fly`() throws {
        var authority = ControlAuthority<Int>()
        let ticket = try begin(goto, by: ben, &authority, at: at(0))
        authority.end(ticket, .accepted, at: at(10))
        #expect(authority.pilot == nil)
    }

    @Test func `what moves nothing needs no authority and changes nothing`() throws {
        var authority = moving()
        let ticket = try begin(.snapshot(service: "camera/snapshot"), by: ben, &authority, at: at(50))
        authority.end(ticket, .refused, at: at(60))
        #expect(authority.judgeSetpoint(by: anna, isNeutral: false, at: at(70)) == .granted)
    }
}
