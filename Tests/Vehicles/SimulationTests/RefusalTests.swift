import Geodesy
import Simulation
import Testing
import UAVLink

/// Every refusal of facts/uav_core.md, word for word.
@Suite struct RefusalTests {
    @Test func `on the ground each is refused with its own text`() throws {
        let flight = try Flight()
        func says(_ call: ServiceCall) -> String {
            let answer = flight.simulator.call(call)
            return answer.success ? "accepted: \(answer.message)" : answer.message
        }
        #expect(
            says(.goTo(Vector3(x: 1, y: 0, z: 2), headingRadians: 0))
                == "the tracker 'NullTracker' does not implement the 'setReference()' function!")
        #expect(says(.goToRelative(Vector3(x: 1, y: 0, z: 2), headingRadians: 0)) == "not flying")
        #expect(says(.setHeading(1)) == "not flying")
        #expect(says(.setHeadingRelative(1)) == "not flying")
        #expect(says(.goToAltitude(2)) == "not flying")
        #expect(says(.takeoff) == "can not takeoff, UAV not armed!")
        #expect(says(.land) == "can not land, 'NullTracker' is active!")
        #expect(says(.landHome) == "can not land home, did not takeoff before!")
        #expect(says(.eland) == "can not trigger eland while not flying")
        #expect(says(.offboard) == "Cannot switch to offboard, not armed.")
        #expect(
            says(.velocityReference(VelocityReference(velocity: .zero)))
                == "the tracker 'NullTracker' does not implement the 'setVelocityReference()' function!")
        #expect(
            says(.startTrajectory)
                == "the tracker 'NullTracker' does not implement the 'startTrajectoryTracking()' function!")
        #expect(says(.hover) == "the tracker 'NullTracker' does not implement the 'hover()' function!")
        #expect(
            says(.setConstraints("x")) == "the constraints 'x' do not exist (in the ConstraintManager's config)")
        #expect(says(.setGains("x")) == "the gains 'x' do not exist (in the GainManager's config)")
        #expect(says(.switchTracker("x")) == "the tracker 'x' does not exist!")
    }

    @Test func `each step of the take-off is asked for by its own text`() throws {
        let flight = try Flight()
        #expect(flight.simulator.call(.arming(true)).success)
        flight.settle()
        #expect(flight.simulator.call(.takeoff).message == "can not takeoff, UAV not in offboard mode!")
        #expect(flight.simulator.call(.offboard).success)
        flight.settle()
        #expect(
            flight.simulator.call(.takeoff).message == "can not takeoff, Control Manager's output is disabled!")
        #expect(flight.simulator.call(.toggleOutput(true)).success)
        #expect(flight.simulator.call(.takeoff).success)
        #expect(flight.simulator.call(.takeoff).message == "can not takeoff, need 'NullTracker' to be active!")
        #expect(flight.goTo(1, 0, 2).message == "can not set the reference, the callbacks are disabled")
    }

    /// The autopilot answers before its status shows the change, and the take-off goes by the status: the real one
    /// refuses the call that comes at once.
    @Test func `a take-off right behind the answers is refused, and a few milliseconds later it is not`() throws {
        let flight = try Flight()
        #expect(flight.simulator.call(.arming(true)).success && flight.simulator.call(.toggleOutput(true)).success)
        #expect(!flight.now.flight.isArmed)
        #expect(flight.simulator.call(.takeoff).message == "can not takeoff, UAV not armed!")
        flight.settle()
        #expect(flight.now.flight.isArmed)
        #expect(flight.simulator.call(.offboard).success)
        #expect(!flight.now.flight.isOffboard)
        #expect(flight.simulator.call(.takeoff).message == "can not takeoff, UAV not in offboard mode!")
        flight.settle()
        #expect(flight.simulator.call(.takeoff).success)
    }

    @Test func `the second flight's offboard waits for control output`() throws {
        let flight = try Flight()
        #expect(flight.takeOff())
        #expect(flight.simulator.call(.land).success)
        #expect(flight.wait(atMost: 30) { !$0.flight.isOffboard && !$0.flight.isArmed } != nil)
        #expect(flight.simulator.call(.arming(true)).success)
        #expect(flight.simulator.call(.offboard).message == "Cannot switch to offboard, missing control input.")
        #expect(flight.simulator.call(.toggleOutput(true)).success)
        #expect(flight.simulator.call(.offboard).message == "Cannot switch to offboard, missing control input.")
        flight.pause(0.3)
        #expect(flight.simulator.call(.offboard).success)
        flight.settle()
        #expect(flight.simulator.call(.takeoff).success)
    }

    @Test(arguments: [(150.0, 0.0, 2.0), (0, 0, 31), (0, 0, 0.1), (-100.1, 0, 2)])
    func `outside, too high and too low are refused alike`(x: Double, y: Double, z: Double) throws {
        let flight = try Flight()
        #expect(flight.takeOff())
        let answer = flight.goTo(x, y, z)
        #expect(!answer.success)
        #expect(answer.message == "failed to set the reference, the point is outside of the safety area!")
        #expect(!flight.now.tracker.hasGoal)
        #expect(flight.simulator.call(.useSafetyArea(false)).success)
        #expect(flight.goTo(x, y, z).success)
    }

    @Test func `in an obstacle of the world is outside, without a margin`() throws {
        let flight = try Flight {
            $0.world.safetyArea?.obstacles = [
                .init(
                    name: "obstacle_0", horizontalFrame: .worldOrigin,
                    shape: .circle(centre: .init(x: 20, y: 0), radiusMetres: 3),
                    heights: .init(frame: .worldOrigin, minimumZMetres: 0, maximumZMetres: 10))
            ]
        }
        #expect(flight.takeOff())
        let refused = flight.goTo(18, 0, 2)
        #expect(refused.message == "failed to set the reference, the point is outside of the safety area!")
        #expect(flight.goTo(18, 0, 11).success)
        #expect(flight.goTo(16.9, 0, 2).success)
        #expect(flight.simulator.call(.useSafetyArea(false)).success)
        #expect(flight.goTo(18, 0, 2).success)
    }

    @Test func `while callbacks are disabled every reference is refused`() throws {
        let flight = try Flight()
        #expect(flight.takeOff())
        #expect(flight.simulator.call(.ehover).message == "ehover activated")
        let refused = "can not set the reference, the callbacks are disabled"
        let calls: [ServiceCall] = [
            .goTo(Vector3(x: 1, y: 0, z: 2), headingRadians: 0), .goToRelative(.zero, headingRadians: 0),
            .goToAltitude(2), .setHeading(0), .velocityReference(VelocityReference(velocity: .zero)),
            .trajectoryReference(
                TrajectoryReference(Trajectory(frame: .current, points: [], timeStepSeconds: 0.2))), .startTrajectory,
            .hover,
        ]
        for call in calls { #expect(flight.simulator.call(call).message == refused) }
        #expect(flight.now.flight.state == .emergency)
        #expect(flight.simulator.call(.land).success)
    }

    @Test func `after an emergency hover only a landing is taken`() throws {
        let flight = try Flight()
        #expect(flight.takeOff())
        #expect(flight.simulator.call(.ehover).success)
        let status = flight.now.tracker
        #expect(status.tracker == "LandoffTracker" && status.controller == "EmergencyController")
        #expect(!flight.now.flight.isFlyingNormally)
        #expect(flight.simulator.telemetry(at: MonotonicTime(nanoseconds: 0)).tracker?.value.takesReferences == false)
        #expect(flight.simulator.call(.enableCallbacks(true)).success)
        let refused = flight.goTo(1, 0, 2).message
        #expect(refused == "the tracker 'LandoffTracker' does not implement the 'setReference()' function!")
        flight.pause(2)
        #expect(flight.now.flight.state == .emergency && flight.now.velocity.length < 0.3)
        #expect(flight.simulator.call(.land).message == "landing initiated")
        #expect(flight.wait(atMost: 30) { !$0.flight.isArmed } != nil)
        // It was no emergency landing: the output stays usable.
        #expect(flight.simulator.call(.arming(true)).success)
        #expect(flight.simulator.call(.toggleOutput(true)).success)
    }

    @Test func `a hover does not end a landing, though it is accepted, and a goto is refused`() throws {
        let flight = try Flight()
        #expect(flight.takeOff())
        #expect(flight.simulator.call(.land).success)
        flight.pause(1)
        #expect(flight.simulator.call(.hover).message == "hover initiated")
        #expect(flight.goTo(1, 0, 2).message == "can not set the reference, the callbacks are disabled")
        #expect(flight.now.flight.state == .landing && !flight.now.flight.isFlyingNormally)
        #expect(flight.wait(atMost: 30) { $0.flight.state == .disarmed } != nil)
    }

    /// As the real stack does: its manager waits for the goal, which the hover has ended, and takes no other reference.
    @Test func `a hover ends a landing from above three metres, and only another landing is taken then`() throws {
        let flight = try Flight()
        #expect(flight.takeOff())
        #expect(flight.goTo(0, 0, 4).success)
        _ = flight.arrive()
        #expect(flight.simulator.call(.land).message == "flying down for landing")
        #expect(flight.now.tracker.tracker == "MpcTracker" && !flight.now.flight.isFlyingNormally)
        flight.pause(1)
        #expect(flight.simulator.call(.hover).message == "initiating hover")
        #expect(flight.wait(atMost: 5) { !$0.tracker.hasGoal } != nil)
        let held = flight.now.truePosition.z
        #expect((2.3...3.9).contains(held))
        flight.pause(20)
        #expect(abs(flight.now.truePosition.z - held) < 0.2 && !flight.now.flight.isFlyingNormally)
        #expect(flight.goTo(1, 0, 4).message == "can not set the reference, the callbacks are disabled")
        #expect(flight.simulator.call(.land).success)
        #expect(flight.wait(atMost: 30) { $0.flight.state == .disarmed } != nil)
    }

    @Test func `a landing from above three metres flies down to two by a goto, and lands`() throws {
        let flight = try Flight()
        #expect(flight.takeOff())
        #expect(flight.goTo(0, 0, 6).success)
        _ = flight.arrive()
        #expect(flight.simulator.call(.land).message == "flying down for landing")
        #expect(flight.wait(atMost: 10) { $0.tracker.tracker == "LandoffTracker" } != nil)
        #expect(abs(flight.now.truePosition.z - 2) < 0.2)
        #expect(flight.wait(atMost: 30) { $0.flight.state == .disarmed } != nil)
    }

    @Test func `flight controllers can be switched in flight, and a set of constraints that holds already is named so`()
        throws
    {
        let flight = try Flight()
        #expect(flight.takeOff())
        #expect(flight.now.tracker.controller == "Se3Controller")
        let same = flight.simulator.call(.switchController("Se3Controller"))
        #expect(same.message == "not switching, the controller 'Se3Controller' is already active!")
        #expect(flight.simulator.call(.switchController("MpcController")).success)
        #expect(flight.now.tracker.controller == "MpcController" && flight.now.flight.isFlyingNormally)
        #expect(!flight.simulator.call(.switchController("Foo")).success)
        #expect(flight.simulator.call(.setConstraints("fast")).message == "the constraints 'fast' were set")
        #expect(flight.simulator.call(.setConstraints("fast")).message == "the constraints 'fast' are set")
    }

    @Test func `an emergency landing locks the output`() throws {
        let flight = try Flight()
        #expect(flight.takeOff())
        #expect(flight.simulator.call(.eland).message == "eland activated")
        #expect(flight.now.flight.state == .emergency)
        #expect(flight.wait(atMost: 30) { $0.flight.state == .disarmed } != nil)
        #expect(flight.simulator.call(.arming(true)).success)
        let answer = flight.simulator.call(.toggleOutput(true))
        #expect(answer.callFails)
        #expect(answer.message.isEmpty)
    }

    @Test func `trajectories are refused or changed as the real stack does`() throws {
        let flight = try Flight()
        #expect(flight.takeOff())
        func load(_ points: [Vector3], frame: FrameName = .current) -> ServiceAnswer {
            flight.simulator.call(
                .trajectoryReference(
                    TrajectoryReference(
                        frame: frame, points: points.map { .init(position: $0, headingRadians: 0) },
                        timeStepSeconds: 0, usesHeading: true, fliesNow: false, loops: false)))
        }
        let (inside, outside) = (Vector3(x: 1, y: 1, z: 2), Vector3(x: 999, y: 1, z: 2))
        #expect(
            flight.simulator.call(.startTrajectory).message
                == "can not start trajectory tracking, the trajectory is not set")
        #expect(
            flight.simulator.call(.resumeTrajectory).message
                == "can not resume trajectory tracking, ther trajectory is not set")
        #expect(load([]).message == "can not load trajectory with size 0")
        #expect(load([Vector3(x: .nan, y: 0, z: 2)]).message == "trajectory contains NaNs/infs.")
        #expect(load([outside, outside]).message == "the whole trajectory is outside of the safety area!")
        #expect(
            load([inside], frame: FrameName("nowhere")).message
                == "the whole trajectory is outside of the safety area!")
        let partly = load([outside, inside])
        #expect(partly.message == "trajectory loaded")
        #expect(partly.isModified)
        let whole = load([inside])
        #expect(whole.success)
        #expect(!whole.isModified)
        #expect(flight.now.tracker.trajectoryLength == 1)
    }

    @Test func `what is not finite never moves it`() throws {
        let flight = try Flight()
        #expect(flight.takeOff())
        for bad in [Double.nan, .infinity] {
            #expect(flight.goTo(bad, 0, 2).message == "incoming reference is not finite!!!")
            #expect(!flight.goTo(0, 0, 2, heading: bad).success)
            #expect(!flight.simulator.call(.setHeading(bad)).success)
            #expect(
                !flight.simulator.call(
                    .velocityReference(VelocityReference(velocity: Vector3(x: bad, y: 0, z: 0)))
                ).success)
            #expect(!flight.simulator.call(.setMinimumZ(frame: .current, metres: bad)).success)
        }
        #expect(flight.goTo(0, 0, 2).success)
    }

    @Test func `an unknown frame is refused`() throws {
        let flight = try Flight()
        #expect(flight.takeOff())
        let place = PlaceReference(frame: FrameName("mars"), position: .zero, headingRadians: 0)
        #expect(!flight.simulator.call(.reference(place)).success)
    }

    @Test func `before the stack has come up every call fails`() throws {
        let flight = try Flight { $0.readyAfterSeconds = 1 }
        #expect(flight.simulator.call(.arming(true)).callFails)
        flight.pause(1)
        #expect(flight.simulator.call(.arming(true)).success)
    }
}
