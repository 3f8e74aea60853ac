import Authority
import Testing
import UAVLink

/// A stop is final: what was commanded before it does not move the vehicle after it, however long it was on its way.
@Suite struct StopOrderTests {
    private let now = MonotonicTime(nanoseconds: 1_000_000_000)
    private let anna = 1
    private let ben = 2
    private let goto = Command.goTo(.init(.relative, position: .zero, headingRadians: 0))
    private var authority = ControlAuthority<Int>()

    /// - Returns: `nil` if it was admitted, else what overrules it.
    private mutating func begin(_ command: Command, by party: Int, number: UInt64, knowing stops: UInt64) -> String? {
        let issue = CommandIssue(number: number, knownStops: stops)
        switch authority.begin(command, issue, by: party, name: party == anna ? "anna" : "ben", at: now) {
        case .admitted: return nil
        case .overruled(let stop): return stop
        case .heldBy(let pilot): return "held by \(pilot.name)"
        case .flownByRadio: return "radio"
        }
    }

    @Test mutating func `a goto that its ground gave before it knew of a stop is refused`() {
        #expect(begin(.hover, by: ben, number: 1, knowing: 0) == nil)
        #expect(authority.stops == 1)
        #expect(begin(goto, by: anna, number: 1, knowing: 0) == "hover by ben")
        #expect(begin(goto, by: anna, number: 2, knowing: 1) == nil)
        // Of several the newest is named.
        #expect(begin(.land, by: ben, number: 2, knowing: 1) == nil)
        #expect(begin(goto, by: anna, number: 3, knowing: 0) == "land by ben")
    }

    @Test mutating func `of the same ground the number tells which is newer, whatever it knew`() {
        #expect(begin(.hover, by: anna, number: 5, knowing: 0) == nil)
        #expect(begin(goto, by: anna, number: 4, knowing: 9) == "hover by anna")
        // It does not have to be told of its own stop.
        #expect(begin(goto, by: anna, number: 6, knowing: 0) == nil)
        #expect(begin(goto, by: ben, number: 1, knowing: 0) == "hover by anna")
    }

    @Test mutating func `a grant of control ends what others gave before it, and nothing of its own`() {
        #expect(authority.take(by: anna, name: "anna", at: now) == .granted)
        #expect(authority.stops == 1)
        // Asked for again it is the same one.
        #expect(authority.take(by: anna, name: "anna", at: now) == .granted)
        #expect(authority.stops == 1)
        #expect(authority.take(by: ben, name: "ben", force: "mine", at: now) == .granted)
        #expect(authority.stops == 2)
        // He does not have to be told of his own.
        #expect(begin(goto, by: ben, number: 1, knowing: 1) == nil)
        authority.release(by: ben, reason: "done", at: now)
        #expect(begin(goto, by: anna, number: 7, knowing: 1) == "control authority of ben")
        #expect(begin(goto, by: anna, number: 8, knowing: 2) == nil)
        // Nobody had it before.
        #expect(authority.take(by: ben, name: "ben", at: now) == .granted)
        authority.release(by: ben, reason: "done", at: now)
        #expect(begin(goto, by: anna, number: 9, knowing: 2) == "control authority of ben")
    }

    @Test mutating func `what another companion counted is no knowledge of this one's stops`() {
        authority = ControlAuthority(firstStop: 5000)
        #expect(authority.stops == 5000)
        #expect(begin(goto, by: anna, number: 1, knowing: 5000) == nil)
        // From before its start, and from after it where the count has begun anew.
        for known in [0, 4999, 5001, .max] as [UInt64] {
            #expect(begin(goto, by: anna, number: 1, knowing: known) == "the start of this companion")
        }
        #expect(begin(.hover, by: ben, number: 1, knowing: 0) == nil)
        #expect(begin(goto, by: anna, number: 2, knowing: 5000) == "hover by ben")
        #expect(begin(goto, by: anna, number: 2, knowing: 5001) == nil)
    }

    @Test mutating func `stops, what only loads, and snapshots are never too old`() {
        #expect(begin(.land, by: ben, number: 1, knowing: 0) == nil)
        let loaded = Trajectory(frame: .worldOrigin, points: [], timeStepSeconds: 0.2)
        for command in [.hover, .emergencyLand, .snapshot(service: "x"), .uploadTrajectory(loaded)] as [Command] {
            #expect(begin(command, by: anna, number: 1, knowing: 0) == nil)
        }
        var flown = loaded
        flown.fliesNow = true
        #expect(begin(.uploadTrajectory(flown), by: ben, number: 9, knowing: 0) != nil)
    }

    @Test mutating func `a stop holds though its ground is gone`() {
        #expect(begin(.hover, by: ben, number: 1, knowing: 0) == nil)
        authority.forget(ben)
        #expect(begin(goto, by: anna, number: 1, knowing: 0) == "hover by ben")
        #expect(begin(goto, by: anna, number: 2, knowing: 1) == nil)
    }

    @Test mutating func `nothing that moves a vehicle is sent to one that is flown by radio`() {
        authority.see(.radio, at: now)
        let moves: [Command] = [
            goto, .takeoff, .landHome, .heading(radians: 1), .startTrajectory, .resumeTrajectory, .offboard, .arm(true),
            .enableOutput(true),
        ]
        for command in moves { #expect(begin(command, by: anna, number: 1, knowing: 0) == "radio") }
        for command in [.arm(false), .hover, .land] as [Command] {
            #expect(begin(command, by: anna, number: 2, knowing: 0) == nil)
        }
        #expect(authority.take(by: anna, name: "anna", at: now) == .granted)
        #expect(authority.judgeSetpoint(by: anna, isNeutral: true, at: now) == .commandInProgress)
        authority.see(.steerable, at: now)
        #expect(begin(goto, by: anna, number: 3, knowing: 2) == nil)
    }
}
