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
    @Test func `a radio that takes the vehicle from a pilot keeps it, and motion does not come back with it`()
        async throws
    {
        let stack = try await sharedStack()
        let witness = try await stack.witness()
        try await stack.withLink(.udp) { link in
            let flight = Flight(link)
            try await flight.takeOff()
            var stick = try await steering(flight, witness)
            defer { stick.cancel() }
            for attempt in 1... {
                try await call(stack, "uavlink_sim/radio", "data: true")
                let isOver = await eventually { link.latestTelemetry?.control?.value.isYours == false }
                #expect(isOver, "\(stack.companionLog.suffix(2000))")
                // On a busy machine a pause can outlast the lease before the radio is there: then again.
                guard link.latestTelemetry?.control?.value.lastEndReason.contains("lease expired") == true else {
                    break
                }
                try #require(attempt < 5, "steering lapsed each time")
                print("radio: steering had lapsed on this machine, once more")
                stick.cancel()
                await stick.value
                try await call(stack, "uavlink_sim/radio", "data: false")
                try await witness.sees("the vehicle given back") { $0.flying == true }
                stick = try await steering(flight, witness)
            }
            let held = try await witness.sees("the vehicle at rest") { $0.restedAt > $0.setpointAt && $0.speed < 0.2 }
            #expect(held.brakeMilliseconds == nil, "the companion sent a setpoint to a vehicle that is flown by radio")

            // Neither a command nor a take-off takes it from the radio.
            let goTo = try await link.perform(
                .goTo(.init(.relative, position: Vector3(x: 3, y: 0, z: 0), headingRadians: 0)),
                within: .patient(seconds: 20))
            #expect(!goTo.accepted && goTo.message.contains("flown by radio"), "\(goTo)")
            let takeOff = try await stack.uavlink("takeoff", "--link", "tcp", "--quiet")
            #expect(takeOff.status == 1 && takeOff.errors.contains("flown by radio"), "\(takeOff)")
            let after = try await witness.account()
            #expect(after.speed < 0.3 && after.setpointAt == held.setpointAt)

            // The stick is pushed all the time.
            try await call(stack, "uavlink_sim/radio", "data: false")
            try await witness.sees("the vehicle given back") { $0.flying == true }
            try await stack.expectStill(held)
            stick.cancel()
            await stick.value
            try await flight.steer(Vector3(x: -1, y: 0, z: 0)) { seen, start in seen.x < start.x - 0.5 }
            try await flight.land()
            try await witness.sees("the vehicle landed") { $0.isLanded }
        }
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
        let call = try ChildProcess(
            ["/usr/bin/rosservice", "call", "/uav1/\(service)", request], environment: stack.rosEnvironment)
        #expect(try await call.exit(within: .seconds(30)) == 0, "\(call.errors)")
        #expect(call.output.contains("success: True"), "\(call.output)")
    }
}
