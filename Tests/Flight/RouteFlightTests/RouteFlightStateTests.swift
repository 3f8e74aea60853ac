import FlightControl
import Testing
import Trajectories
import UAVLink

@testable import RouteFlight

@Suite("What the vehicle does with a route: every state, every event")
struct RouteFlightStateTests {
    private static let begin = MonotonicTime(nanoseconds: 1_000_000_000_000)
    private let held: HeldRoute
    private let plan: TrajectoryPlan

    init() throws {
        plan = try TrajectoryPlan(
            through: [0.0, 10].map { PlannedPoint(position: Vector3(x: $0, y: 0, z: 5)) }, FlightConditions())
        held = HeldRoute(plan, version: RouteVersion(.map, points: plan.generated.points))
    }

    private func time(_ seconds: Double) -> MonotonicTime { Self.begin + .milliseconds(Int(seconds * 1000)) }

    private func report(_ seconds: Double, tracking: Bool = false, goal: Bool = false, complete: Bool = false)
        -> TrackerReport
    {
        TrackerReport(at: time(seconds), isTracking: tracking, hasGoal: goal, isComplete: complete)
    }

    private var all: [RouteFlightState] {
        let now = Self.begin
        return [
            .nothingSent, .uploading(plan), .uploaded(held, since: now),
            .goingToStart(held, since: now, isUnderWay: false), .goingToStart(held, since: now, isUnderWay: true),
            .flying(held, since: now, isUnderWay: false), .flying(held, since: now, isUnderWay: true),
            .flying(nil, since: now, isUnderWay: true), .stopped(held, since: now), .flown(held, since: now),
            .failed(.vehicle("no answer")),
        ]
    }

    @Test("an accepted command counts where the vehicle holds a route, and nowhere else")
    func commands() {
        let now = time(3)
        for state in all {
            #expect(state.accepted(.send, at: now) == state)
            guard state.held != nil else {
                for action in [RouteAction.goToStart, .start, .resume] {
                    #expect(state.accepted(action, at: now) == state)
                }
                // Another sender's flight ends, and nothing of this ground's remains.
                let isForeign = state == .flying(nil, since: Self.begin, isUnderWay: true)
                #expect(state.accepted(.stop, at: now) == (isForeign ? .nothingSent : state))
                continue
            }
            #expect(state.accepted(.goToStart, at: now) == .goingToStart(held, since: now, isUnderWay: false))
            #expect(state.accepted(.start, at: now) == .flying(held, since: now, isUnderWay: false))
            #expect(state.accepted(.resume, at: now) == .flying(held, since: now, isUnderWay: false))
            #expect(state.accepted(.stop, at: now) == stopped(state, at: now))
        }
    }

    /// What was not started is not resumed: a stop leaves it on the vehicle.
    private func stopped(_ state: RouteFlightState, at now: MonotonicTime) -> RouteFlightState {
        switch state {
        case .flying, .stopped: .stopped(held, since: now)
        case .flown: .flown(held, since: now)
        default: .uploaded(held, since: now)
        }
    }

    @Test("what the vehicle follows is flown, as soon as the report cannot be from before the command")
    func tracking() {
        let (soon, late) = (report(0.9, tracking: true), report(1.1, tracking: true))
        for state in all {
            switch state {
            case .uploading: #expect(state.seeing(late) == state)
            case .nothingSent, .failed:
                #expect(state.seeing(soon) == .flying(nil, since: soon.at, isUnderWay: true))
            case .uploaded, .goingToStart, .stopped, .flown:
                #expect(state.seeing(soon) == state)
                #expect(state.seeing(late) == .flying(held, since: late.at, isUnderWay: true))
            case .flying(let route, let since, _):
                #expect(state.seeing(soon) == .flying(route, since: since, isUnderWay: true))
            }
        }
        // A report from before an accepted start is not its beginning.
        let started = RouteFlightState.flying(held, since: time(5), isUnderWay: false)
        #expect(started.seeing(report(4.9, tracking: true)) == started)
    }

    @Test("what has ended is flown if it came to its end, else stopped")
    func ended() {
        let flying = RouteFlightState.flying(held, since: Self.begin, isUnderWay: true)
        #expect(flying.seeing(report(9, complete: true)) == .flown(held, since: time(9)))
        #expect(flying.seeing(report(9)) == .stopped(held, since: time(9)))
        #expect(flying.seeing(report(9, goal: true)) == .stopped(held, since: time(9)))
        let foreign = RouteFlightState.flying(nil, since: Self.begin, isUnderWay: true)
        #expect(foreign.seeing(report(9, complete: true)) == .nothingSent)
    }

    @Test(
        "a start that the vehicle accepted and does not follow is given up, but not while it flies to the start by itself"
    )
    func contradictedStart() {
        let started = RouteFlightState.flying(held, since: Self.begin, isUnderWay: false)
        #expect(started.seeing(report(4.9)) == started)
        #expect(started.seeing(report(60, goal: true)) == started)
        #expect(started.seeing(report(5.1)) == .uploaded(held, since: time(5.1)))
    }

    @Test("the start is reached when the goal is no longer reported, or was not for five seconds")
    func start() {
        let going = RouteFlightState.goingToStart(held, since: Self.begin, isUnderWay: false)
        #expect(going.seeing(report(1)) == going)
        // A goal of before the command is not this one.
        #expect(going.seeing(report(-0.1, goal: true)) == going)
        let underWay = going.seeing(report(0.4, goal: true))
        #expect(underWay == .goingToStart(held, since: Self.begin, isUnderWay: true))
        #expect(underWay.seeing(report(8)) == .uploaded(held, since: time(8)))
        #expect(going.seeing(report(5.1)) == .uploaded(held, since: time(5.1)))
    }

    @Test("states in which nothing is expected do not change when the vehicle does nothing")
    func idle() {
        for state in all {
            switch state {
            case .nothingSent, .uploading, .uploaded, .stopped, .flown, .failed:
                for goal in [true, false] { #expect(state.seeing(report(60, goal: goal)) == state) }
            case .goingToStart, .flying: break
            }
        }
    }

    @Test("a route that was changed since is older in every state, and is not when the change is taken back")
    func older() {
        var changed = RouteVersion(.map, points: plan.generated.points)
        changed.options.cruiseSpeed = 1
        for state in all {
            #expect(state.compared(with: nil) == state)
            let older = state.compared(with: changed)
            #expect(older.held?.isOlder ?? true)
            #expect((older.held == nil) == (state.held == nil))
            #expect(older.compared(with: held.version) == state)
        }
    }
}
