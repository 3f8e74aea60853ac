import Foundation
import IntegrationKit
import Simulation
import Testing
import UAVLink

/// A conversation with the real flight stack, held again with the simulated vehicle: the same calls at the same times.
@Suite struct TranscriptTests {
    static let name = "data/uav_core_transcript.json"
    /// What lasts no longer than this is a step between two states, seconds.
    private static let shortest = 0.05

    @Test(.enabled(if: SharedFiles.arePresent(name), "no transcript of a flight stack beside the project"))
    func `every call is answered and every state follows as in the transcript`() throws {
        let real = try JSONDecoder().decode(
            Transcript.self, from: Data(contentsOf: URL(filePath: SharedFiles.path(Self.name))))
        let flight = try Flight()
        var ours = Course()
        var (answered, hasGoal) = (0, false)
        for (index, line) in real.log.enumerated() {
            switch line.kind {
            case .control(let control): hasGoal = control.goal
            case .autopilot, .reply: break
            case .call(let name):
                Self.step(flight, to: line.seconds, noting: &ours)
                guard let reply = real.reply(to: index) else { continue }
                let request = try #require(Self.request(name), "\(name) is not known")
                if !hasGoal { #expect(!flight.now.tracker.hasGoal, "before \(name)") }
                let answer = flight.simulator.call(request)
                #expect(answer.success == reply.ok && answer.message == reply.msg, "\(name): \(answer)")
                answered += 1
            }
        }
        #expect(answered > 35)
        // A landing may take a little longer than the real one.
        Self.step(flight, to: (real.log.last?.seconds ?? 0) + 5, noting: &ours)

        let (managed, expected) = (Self.lasting(ours.managed), Self.lasting(real.managed))
        #expect(managed.map(\.state) == expected.map(\.state))
        for (mine, theirs) in zip(managed, expected) {
            // The course of a landing is ours, all else is asked for or measured.
            let tolerance = theirs.at > 0.1 && theirs.state.tracker == "NullTracker" ? 3.0 : 1
            #expect(abs(mine.at - theirs.at) < tolerance, "\(theirs.state)")
        }
        #expect(ours.switches.map(\.state) == real.switches.map(\.state))
        let falls = (Self.lastGap(ours.switches), Self.lastGap(real.switches))
        #expect(abs(falls.0 - falls.1) < 0.3, "offboard mode ends after \(falls.0) s, there after \(falls.1) s")
    }

    /// Steps the vehicle to a time, and notes its states on the way.
    private static func step(_ flight: Flight, to seconds: Double, noting course: inout Course) {
        while true {
            course.note(flight.simulator)
            guard flight.simulator.seconds < seconds - 0.0005 else { return }
            flight.simulator.step()
        }
    }

    /// The states that last, each with its begin.
    private static func lasting(_ all: [Noted<Managed>]) -> [Noted<Managed>] {
        var lasting: [Noted<Managed>] = []
        for (index, noted) in all.enumerated() {
            let isShort = index + 1 < all.count && all[index + 1].at - noted.at < shortest
            if !isShort, lasting.last?.state != noted.state { lasting.append(noted) }
        }
        return lasting
    }

    private static func lastGap(_ switches: [Noted<Switches>]) -> Double {
        guard switches.count > 1 else { return 0 }
        return switches[switches.count - 1].at - switches[switches.count - 2].at
    }

    /// What each call of the transcript asks for.
    private static func request(_ name: String) -> ServiceCall? {
        func goTo(_ x: Double, _ y: Double, _ z: Double) -> ServiceCall {
            .goTo(Vector3(x: x, y: y, z: z), headingRadians: 0)
        }
        switch name {
        case "arm": return .arming(true)
        case "output": return .toggleOutput(true)
        case "offboard unarmed", "offboard at once": return .offboard
        case "takeoff on ground unarmed", "takeoff armed no output", "takeoff at once", "takeoff in air":
            return .takeoff
        case "land on ground", "land": return .land
        case "hover on ground", "hover", "hover while landing": return .hover
        case "ehover": return .ehover
        case "eland on ground": return .eland
        case "goto on ground", "goto callbacks off", "goto after ehover", "goto home", "goto while landing":
            return goTo(0, 0, 2)
        case "goto out of area": return goTo(1000, 0, 2)
        case "goto too low": return goTo(0, 0, 0.1)
        case "goto nan": return goTo(.nan, 0, 2)
        case "goto 5 0 4": return goTo(5, 0, 4)
        case "goto_fcu 2 0 0": return .goToBody(Vector3(x: 2, y: 0, z: 0), headingRadians: 0)
        case "goto_relative 0 2 0 1": return .goToRelative(Vector3(x: 0, y: 2, z: 0), headingRadians: 1)
        case "set_heading 0": return .setHeading(0)
        case "goto_altitude 3": return .goToAltitude(3)
        case "start traj on ground", "start traj none loaded": return .startTrajectory
        case "goto traj start none": return .goToTrajectoryStart
        case "stop traj": return .stopTrajectory
        case "resume traj": return .resumeTrajectory
        case "switch tracker bad": return .switchTracker("Foo")
        case "switch controller": return .switchController("MpcController")
        case "constraints bad": return .setConstraints("nope")
        case "constraints fast": return .setConstraints("fast")
        case "enable callbacks false": return .enableCallbacks(false)
        case "enable callbacks true", "enable callbacks true 2": return .enableCallbacks(true)
        default: return nil
        }
    }
}

/// A state with the time at which it began, seconds.
private struct Noted<State: Hashable> {
    var at: Double
    var state: State
}

/// What `control_manager/diagnostics` says of the flight.
private struct Managed: Hashable {
    var tracker: String
    var controller: String
    var isFlyingNormally: Bool
    var isOutputEnabled: Bool
}

/// What `hw_api/status` says of the autopilot.
private struct Switches: Hashable {
    var isArmed: Bool
    var isOffboard: Bool
}

/// The states of a flight, one after the other.
private struct Course {
    var managed: [Noted<Managed>] = []
    var switches: [Noted<Switches>] = []

    mutating func note(_ simulator: HexacopterSimulator) {
        let (control, flight) = (simulator.controlState, simulator.snapshot.flight)
        note(
            Managed(
                tracker: control.tracker.tracker, controller: control.tracker.controller,
                isFlyingNormally: control.isFlyingNormally, isOutputEnabled: control.isOutputEnabled),
            at: simulator.seconds)
        note(Switches(isArmed: flight.isArmed, isOffboard: flight.isOffboard), at: simulator.seconds)
    }

    mutating func note(_ state: Managed, at seconds: Double) {
        if managed.last?.state != state { managed.append(Noted(at: seconds, state: state)) }
    }

    mutating func note(_ state: Switches, at seconds: Double) {
        if switches.last?.state != state { switches.append(Noted(at: seconds, state: state)) }
    }
}

/// The file of the conversation.
private struct Transcript: Decodable {
    struct Reply: Decodable {
        var ok: Bool
        var msg: String
    }

    struct Control: Decodable {
        var trk: String
        var ctl: String
        var fly: Bool
        var out: Bool
        var goal: Bool
    }

    struct Autopilot: Decodable {
        var armed: Bool
        var offboard: Bool
    }

    struct Line: Decodable {
        enum Kind {
            case call(String)
            case reply(Reply)
            case control(Control)
            case autopilot(Autopilot)
        }

        var seconds: Double
        var kind: Kind

        init(from decoder: any Decoder) throws {
            var fields = try decoder.unkeyedContainer()
            seconds = try fields.decode(Double.self)
            let word = try fields.decode(String.self)
            switch word {
            case "CALL": kind = .call(try fields.decode(String.self))
            case "REPLY": kind = .reply(try fields.decode(Reply.self))
            case "cm": kind = .control(try fields.decode(Control.self))
            case "hw": kind = .autopilot(try fields.decode(Autopilot.self))
            default: throw DecodingError.dataCorruptedError(in: fields, debugDescription: "what is \(word)?")
            }
        }
    }

    var log: [Line]

    /// The reply to the call in this line; `nil` for a call that was only announced.
    func reply(to call: Int) -> Reply? {
        for line in log[(call + 1)...] {
            switch line.kind {
            case .reply(let reply): return reply
            case .call: return nil
            case .control, .autopilot: continue
            }
        }
        return nil
    }

    private var course: Course {
        var course = Course()
        for line in log {
            switch line.kind {
            case .control(let seen):
                course.note(
                    Managed(
                        tracker: seen.trk, controller: seen.ctl, isFlyingNormally: seen.fly,
                        isOutputEnabled: seen.out),
                    at: line.seconds)
            case .autopilot(let seen):
                course.note(Switches(isArmed: seen.armed, isOffboard: seen.offboard), at: line.seconds)
            case .call, .reply: break
            }
        }
        return course
    }

    var managed: [Noted<Managed>] { course.managed }
    var switches: [Noted<Switches>] { course.switches }
}
