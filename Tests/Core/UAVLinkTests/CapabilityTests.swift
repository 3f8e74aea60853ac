import Testing
import UAVLink
import UAVTestKit

@Suite struct `What a vehicle can do` {
    private let toy = ToyVehicle.capabilities

    private func trajectory(_ count: Int, in frame: FrameName = .current) -> Trajectory {
        Trajectory(
            frame: frame, points: Array(repeating: .init(position: .zero, headingRadians: 0), count: count),
            timeStepSeconds: 0.2)
    }

    /// Every kind of command, in the order of its number.
    private var commands: [Command] {
        [
            .arm(true), .enableOutput(true), .offboard, .takeoff, .land, .landHome, .hover, .emergencyHover,
            .emergencyLand, .goTo(.init(.body, position: .zero, headingRadians: 0)), .altitude(metres: 1),
            .heading(radians: 1), .turn(byRadians: 1), .uploadTrajectory(trajectory(1)), .goToTrajectoryStart,
            .startTrajectory, .stopTrajectory, .resumeTrajectory, .snapshot(service: "camera/snapshot"),
        ]
    }

    @Test func `each command has a kind of its own, and all together are all`() {
        #expect(commands.map { $0.kind.rawValue } == (0..<19).map { 1 << $0 })
        #expect(commands.reduce(CommandKinds()) { $0.union($1.kind) } == .all)
    }

    @Test func `a simulated MRS vehicle can do the same, and says that it is simulated`() {
        var simulated = VehicleCapabilities.simulatedMRS
        #expect(simulated.isSimulated && !VehicleCapabilities.mrs.isSimulated && !toy.isSimulated)
        #expect(simulated.machine.utf8.count <= VehicleCapabilities.longestMachine)
        simulated.machine = VehicleCapabilities.mrs.machine
        #expect(simulated == .mrs)
    }

    @Test func `an MRS vehicle refuses nothing, a vehicle without capabilities everything`() {
        let none = VehicleCapabilities(machine: "stone", commands: [], steering: nil, telemetry: [])
        for command in commands {
            #expect(VehicleCapabilities.mrs.refusal(of: command, vehicle: "uav1") == nil)
            let refusal = none.refusal(of: command, vehicle: "pet")
            #expect(refusal?.code == .unsupported)
            #expect(refusal?.what.hasPrefix("pet: stone has no ") == true, "\(refusal as Any)")
            #expect(refusal?.hint.contains("'\(command.name)' was not sent") == true)
        }
    }

    @Test func `a refusal names the vehicle and what it lacks`() {
        func what(_ command: Command, _ vehicle: String = "toy1") -> String? {
            toy.refusal(of: command, vehicle: vehicle)?.what
        }
        #expect(what(.hover) == nil && what(.takeoff) == nil)
        #expect(what(commands[9]) == "toy1: velocity toy has no goto")
        #expect(what(.startTrajectory, "") == "velocity toy has no trajectories")
        #expect(what(.arm(false)) == "toy1: velocity toy has no arming")
    }

    @Test func `a goto is refused in frames that the vehicle does not take`() {
        var some = toy
        some.commands.insert(.goTo)
        some.destinations = .relative
        func what(_ reference: Command.Destination.Reference) -> String? {
            some.refusal(of: .goTo(.init(reference, position: .zero, headingRadians: 0)), vehicle: "")?.what
        }
        #expect(what(.relative) == nil)
        #expect(what(.body) == "velocity toy has no goto in its body frame")
        #expect(what(.frame(.worldOrigin)) == "velocity toy has no goto in a frame")
        #expect(what(.frame(.latitudeLongitude)) == "velocity toy has no goto by latitude and longitude")
    }

    @Test func `a trajectory is refused with more samples, or in another frame, than the vehicle takes`() {
        var some = toy
        some.commands.insert(.uploadTrajectory)
        some.destinations = .frame
        some.mostTrajectoryPoints = 3
        #expect(some.refusal(of: .uploadTrajectory(trajectory(3)), vehicle: "") == nil)
        #expect(
            some.refusal(of: .uploadTrajectory(trajectory(4)), vehicle: "")?.what
                == "velocity toy takes trajectories of at most 3 samples, not 4")
        #expect(
            some.refusal(of: .uploadTrajectory(trajectory(1, in: .latitudeLongitude)), vehicle: "")?.what
                == "velocity toy has no trajectories by latitude and longitude")
    }

    @Test func `what is missing is listed in words`() {
        let wanted = VehicleRequirement(commands: [.goTo, .uploadTrajectory, .startTrajectory], telemetry: .pose)
            .and(VehicleRequirement(isSteered: true, telemetry: .velocity, survey: .maps))
        #expect(toy.missing(wanted) == ["goto", "trajectories", "position", "maps"])
        #expect(toy.lack(of: wanted) == "velocity toy has no goto, no trajectories, no position, no maps")
        #expect(VehicleCapabilities.mrs.missing(wanted).isEmpty && VehicleCapabilities.mrs.lack(of: wanted) == nil)
        var still = toy
        still.steering = nil
        #expect(still.missing(VehicleRequirement(isSteered: true)) == ["steering"])
    }

    @Test func `text from the vehicle's side is made safe`() {
        var bad = toy
        bad.machine = "toy\u{1B}[2J"
        #expect(bad.lack(of: VehicleRequirement(survey: .maps))?.contains("\u{1B}") == false)
    }

    @Test func `a setpoint must be along the vehicle's axes and in its frame; a neutral one always fits`() {
        let steering = VehicleCapabilities.Steering(axes: [.forward, .turn], frames: .body)
        func accepts(_ x: Double, _ y: Double, _ z: Double, _ turn: Double, _ frame: VelocitySetpoint.Frame = .body)
            -> Bool
        {
            steering.accepts(
                VelocitySetpoint(
                    velocityMetresPerSecond: Vector3(x: x, y: y, z: z), headingRateRadiansPerSecond: turn, frame: frame,
                    intendedAt: MonotonicTime(nanoseconds: 0)))
        }
        #expect(accepts(1, 0, 0, 1) && accepts(0, 0, 0, 0, .world))
        #expect(!accepts(1, 0, 0, 0, .world) && !accepts(0, 1, 0, 0) && !accepts(0, 0, 1, 0))
        #expect(
            VehicleCapabilities.Steering(axes: .all, frames: .all).accepts(
                VelocitySetpoint(
                    velocityMetresPerSecond: Vector3(x: 1, y: 1, z: 1), headingRateRadiansPerSecond: 1, frame: .world,
                    intendedAt: MonotonicTime(nanoseconds: 0))))
    }
}
