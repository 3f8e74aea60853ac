import FlightTestKit
import FoundationEssentials
import IntegrationKit
import Testing
import UAVLink

/// A vehicle that does something by itself while a pilot steers: its radio takes it, it answers late, or it hangs.
@Suite(
    .enabled(if: FlightStack.missing == nil, "\(FlightStack.missing ?? "")"), .serialized, .oneFlightStack,
    .timeLimit(.minutes(MachinePace.minutes(5))))
struct VehicleOnItsOwnTests {
    @Test func `a radio that takes the vehicle from a pilot keeps it until it has landed, and no motion comes back`()
        async throws
    {
        let stack = try await sharedStack()
        let witness = try await stack.witness()
        try await stack.withLink(.udp) { link in
            let flight = Flight(link)
            var stick = try await takenByRadio(flight, stack, witness)
            defer { stick.cancel() }
            for attempt in 1... {
                // On a busy machine a pause can outlast the lease before the radio is there: then again.
                guard link.latestTelemetry?.control?.value.lastEndReason.contains("lease expired") == true else {
                    break
                }
                try #require(attempt < 5, "steering lapsed each time")
                print("radio: steering had lapsed on this machine, once more")
                stick.cancel()
                await stick.value
                try await landByRadio(stack, witness)
                stick = try await takenByRadio(flight, stack, witness)
            }
            let ending = link.latestTelemetry?.control?.value.lastEndReason ?? ""
            // Tracker and mode are reported on topics of their own: whichever comes first ends it.
            let endings = ["the vehicle is flown by radio", "the vehicle accepts no references"]
            #expect(endings.contains(ending), "steering ended otherwise: \(ending)")
            let held = try await witness.sees("the vehicle at rest") { $0.restedAt > $0.setpointAt && $0.speed < 0.2 }
            #expect(held.brakeMilliseconds == nil, "the companion sent a setpoint to a vehicle that is flown by radio")
            #expect(held.isRadiosAlone && held.controller == "EmergencyController", "\(held)")

            // Neither a command nor a take-off takes it from the radio, and nobody stops its motors. Stops and landings are the flight
            // stack's to refuse.
            let goTo = try await link.perform(
                .goTo(.init(.relative, position: Vector3(x: 3, y: 0, z: 0), headingRadians: 0)),
                within: .patient(seconds: 20))
            #expect(!goTo.accepted && goTo.message.contains("flown by radio"), "\(goTo)")
            for command in [Command.land, .emergencyLand] {
                let reply = try await link.perform(command, within: .patient(seconds: 20))
                #expect(!reply.accepted, "\(command.name): \(reply)")
            }
            for command in [["takeoff", "--arm"], ["disarm"]] {
                let outcome = try await stack.uavlink(command + ["--link", "tcp", "--quiet"])
                #expect(outcome.status == 1 && outcome.errors.contains("flown by radio"), "\(command): \(outcome)")
            }
            // Another pilot moves it as little.
            let other = try await stack.uavlink("steer", "--vx", "1", "--for", "1s", "--link", "tcp", "--quiet")
            #expect(other.status != 0, "\(other)")
            // The pilot asks for offboard mode again, which the autopilot refuses without control output.
            let asked = try await serviceCall(stack, "uavlink_sim/radio", "data: false")
            #expect(asked.contains("missing control input"), "\(asked)")
            // The stick is pushed all the time.
            let before = try await witness.account()
            let after = try await witness.sees("a second of odometry") { $0.odometry >= before.odometry + 100 }
            #expect(after.isRadiosAlone && after.speed < 0.3, "\(after)")
            #expect(after.setpoints == held.setpoints, "\(after.setpoints - held.setpoints) setpoints were forwarded")

            try await landByRadio(stack, witness)
            stick.cancel()
            await stick.value
            try await flight.takeOff()
            try await flight.steer(Vector3(x: -1, y: 0, z: 0)) { seen, start in seen.x < start.x - 0.5 }
            try await flight.land()
            try await witness.sees("the vehicle landed") { $0.isLanded }
        }
    }

    /// Takes off and steers; then the radio takes the vehicle, and steering has ended. The stick is still pushed.
    private func takenByRadio(
        _ flight: Flight, _ stack: FlightStack, _ witness: FlightWitness
    ) async throws -> Task<Void, Never> {
        try await flight.takeOff()
        let stick = try await steering(flight, witness)
        do {
            try await call(stack, "uavlink_sim/radio", "data: true")
            try await witness.sees("the output off, and no tracker") { $0.isRadiosAlone }
            let isOver = await eventually { flight.link.latestTelemetry?.control?.value.isYours == false }
            #expect(isOver, "\(stack.companionLog.suffix(2000))")
        } catch {
            stick.cancel()
            throw error
        }
        return stick
    }

    private func landByRadio(_ stack: FlightStack, _ witness: FlightWitness) async throws {
        try await call(stack, "uavlink_sim/radio_land", "{}")
        try await witness.sees("the vehicle landed") { $0.isLanded }
    }

    @Test func `services that answer after the lease would have expired: landings and a goto run to their end`()
        async throws
    {
        let stack = try await sharedStack()
        await stack.dismissWitness()
        await stack.stopSimulator()
        try await stack.startSimulator(options: ["--answer-delay", "500ms"])
        let witness = try await stack.witness()
        try await stack.withLink(.udp) { link in
            let flight = Flight(link)
            for isByPilot in [true, false] {
                try await flight.takeOff()
                let stick = try await steering(flight, witness)
                defer { stick.cancel() }
                let brakes = stack.companionLog.components(separatedBy: "hover accepted").count
                let begun = FlightTrack.now
                if isByPilot {
                    try await flight.perform(.land)
                } else {
                    try await call(stack, "uav_manager/land", "{}")
                }
                try await witness.sees("the vehicle landed", within: .seconds(60)) { $0.isLanded }
                let track = try await FlightTrack(witness, named: "landing-of-slow-services").after(begun)
                #expect(track.greatestRise < 0.2, "it rose by \(track.greatestRise) m while it landed")
                #expect(stack.companionLog.components(separatedBy: "hover accepted").count == brakes)
                stick.cancel()
                await stick.value
                try await flight.wait("disarmed") { $0.flight?.value.state == .disarmed }
            }
            try await flight.takeOff()
            let stick = try await steering(flight, witness)
            defer { stick.cancel() }
            try await flight.perform(
                .goTo(
                    .init(
                        .frame(.current), position: Vector3(x: 4, y: 3, z: 3), headingRadians: 0)))
            try await flight.wait("at the goal") {
                guard let place = $0.pose?.value.positionMetres else { return false }
                return (place - Vector3(x: 4, y: 3, z: 3)).length < 0.5
            }
            stick.cancel()
            await stick.value
            try await flight.land()
        }
        await stack.dismissWitness()
        await stack.stopSimulator()
        try await stack.startSimulator()
    }

    @Test func `a return home that others command while a pilot steers ends at home, on the ground`() async throws {
        let stack = try await sharedStack()
        let witness = try await stack.witness()
        try await stack.withLink(.udp) { link in
            let flight = Flight(link)
            try await flight.takeOff()
            let home = link.latestTelemetry?.pose?.value.positionMetres ?? .zero
            let stick = try await steering(flight, witness)
            defer { stick.cancel() }
            try await call(stack, "uav_manager/land_home", "{}")
            let begun = FlightTrack.now
            try await witness.sees("the vehicle landed", within: .seconds(60)) { $0.isLanded }
            let track = try await FlightTrack(witness, named: "return-home-by-others").after(begun)
            #expect(track.greatestRise < 0.3, "it rose by \(track.greatestRise) m")
            #expect(track.end(from: home.x, home.y) < 0.5)
        }
    }

    @Test func `a vehicle that hangs while a pilot steers stands when it goes on, until he begins again`() async throws
    {
        let stack = try await sharedStack()
        let witness = try await stack.witness()
        try await stack.withLink(.udp) { link in
            let flight = Flight(link)
            try await flight.takeOff()
            let stick = try await steering(flight, witness)
            defer { stick.cancel() }
            await stack.freezeSimulator(true)
            let isOver = await eventually { link.latestTelemetry?.control?.value.isYours == false }
            await stack.freezeSimulator(false)
            #expect(isOver, "\(stack.companionLog.suffix(2000))")
            // What waited in its socket still moves it, until its tracker stops it.
            let rested = try await witness.sees("the vehicle at rest") { $0.restedAt > $0.setpointAt && $0.speed < 0.2 }
            try await stack.expectStill(rested)
            stick.cancel()
            await stick.value
            try await flight.steer(Vector3(x: -1, y: 0, z: 0)) { seen, start in seen.x < start.x - 0.5 }
            try await flight.land()
            try await witness.sees("the vehicle landed") { $0.isLanded }
        }
    }

    /// Steers forward until the vehicle is under way.
    private func steering(_ flight: Flight, _ witness: FlightWitness) async throws -> Task<Void, Never> {
        try await flight.steerUntilUnderWay(Vector3(x: 1, y: 0, z: 0), witness)
    }

    /// Calls a service of the vehicle, which must accept.
    private func call(_ stack: FlightStack, _ service: String, _ request: String) async throws {
        let answer = try await serviceCall(stack, service, request)
        #expect(answer.contains("success: True"), "\(answer)")
    }

    /// Calls a service of the vehicle, and gives its answer.
    private func serviceCall(_ stack: FlightStack, _ service: String, _ request: String) async throws -> String {
        let call = try ChildProcess(
            ["/usr/bin/rosservice", "call", "/uav1/\(service)", request], environment: stack.rosEnvironment)
        #expect(try await call.exit(within: .seconds(30)) == 0, "\(call.errors)")
        return call.output
    }
}
