import FlightTestKit
import Foundation
import IntegrationKit
import Testing
import UAVLink

/// A roscore that dies under a pilot's hand, alone or with the vehicle's nodes, and comes back; the companion outlives both.
@Suite(
    .enabled(if: FlightStack.missing == nil, "\(FlightStack.missing ?? "")"), .serialized, .oneFlightStack,
    .timeLimit(.minutes(MachinePace.minutes(5))))
struct MasterLossTests {
    @Test func `a roscore that dies and comes back while a pilot steers takes nothing from him`() async throws {
        let stack = try await sharedStack()
        let witness = try await stack.witness()
        try await stack.withLink(.udp) { link in
            let flight = Flight(link)
            try await flight.takeOff()
            let companion = try #require(stack.companionProcess())
            let pilot = Task { await flight.steerToAndFro() }
            defer { pilot.cancel() }
            try await witness.sees("the vehicle under way") { $0.speed > 0.3 }
            await stack.master.kill()
            try await witness.seesMotion(after: 2, "two seconds without a master")
            try await stack.master.start()
            // Nodes look for their master every second or so, and join it again.
            let isBack = try await eventually(within: .seconds(60)) {
                try await stack.master.tool("rosservice", "type", "/uav1/control_manager/hover").output
                    .contains("std_srvs/Trigger")
            }
            #expect(isBack, "the vehicle has not registered its services again")
            // The old connections, and a stranger's who asks the new master.
            try await witness.seesMotion(after: 3, "three seconds with the new master")
            await stack.dismissWitness()
            try await stack.witness().seesMotion(after: 0, "a stranger who comes later")
            pilot.cancel()
            await pilot.value
            try await flight.land()
            try await stack.witness().sees("the vehicle landed") { $0.isLanded }
            #expect(stack.companionProcess() == companion)
        }
    }

    @Test
    func `a roscore that dies with the vehicle's nodes while a pilot steers: he flies again without another companion`()
        async throws
    {
        let stack = try await sharedStack()
        let witness = try await stack.witness()
        try await stack.withLink(.udp) { link in
            let flight = Flight(link)
            try await flight.takeOff()
            let companion = try #require(stack.companionProcess())
            let steering = try await flight.steerUntilUnderWay(Vector3(x: 1, y: 0, z: 0), witness)
            defer { steering.cancel() }
            let refusals = stack.refusalsOfMotion
            await stack.master.kill()
            await stack.stopSimulator()
            await stack.dismissWitness()
            // What is steered now reaches no vehicle, and he is notified that he has no control authority any more.
            let isOver = await eventually { link.latestTelemetry?.control?.value.isYours == false }
            #expect(isOver, "\(stack.companionLog.suffix(2000))")
            do throws(LinkError) {
                let reply = try await link.perform(.hover, within: .patient(seconds: 10))
                #expect(!reply.accepted, "\(reply)")
            } catch {
                #expect(error.code != .timedOut && !error.hint.isEmpty, "\(error)")
            }
            try await stack.master.start()
            try await stack.startSimulator()
            let begun = ContinuousClock.now
            let newWitness = try await stack.witness()
            // The stick is still pushed, and moves nothing.
            // The companion says it once a minute for each session.
            #expect(
                await eventually(within: .seconds(90)) { stack.refusalsOfMotion > refusals },
                "\(stack.companionLog.suffix(2000))")
            let armed = await eventually { (try? await link.perform(.arm(true), within: .seconds(5)).accepted) == true }
            print("roscore and vehicle restarted: commands again after \(ContinuousClock.now - begun)")
            #expect(armed, "\(stack.companionLog.suffix(2000))")
            let setpoints = try await newWitness.account().setpoints
            #expect(setpoints == 0, "\(setpoints) setpoints reached the new vehicle")
            steering.cancel()
            await steering.value
            try await flight.takeOff()
            try await flight.steer(Vector3(x: 1, y: 0, z: 0)) { seen, start in seen.x > start.x + 0.5 }
            try await flight.land()
            try await newWitness.sees("the vehicle landed") { $0.isLanded }
            #expect(stack.companionProcess() == companion)
        }
    }
}

extension FlightWitness {
    /// Waits until a setpoint that asks for motion has come so many seconds from now or later.
    fileprivate func seesMotion(after seconds: Double, _ what: String) async throws {
        let wall = Date.now.timeIntervalSince1970 + seconds
        try await sees("setpoints after \(what)") { $0.setpointAt > wall }
    }
}
