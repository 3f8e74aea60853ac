import FlightTestKit
import Foundation
import IntegrationKit
import Testing

/// The safety pilot's radio on the real flight stack: it reacts by itself when its autopilot leaves offboard mode in flight, and what
/// uavlink does then depends on that.
@Suite(
    .enabled(if: realFlightStackLacks == nil, "\(realFlightStackLacks ?? "")"), .serialized,
    .timeLimit(.minutes(MachinePace.minutes(10))))
struct RealFlightStackRadioTests {
    @Test func `a vehicle that the radio takes from a pilot is the radio's until it has landed`() async throws {
        try await untilJudged("real flight stack, the radio") { judge in
            try await withFlightStack(.realWithRadio) { stack in
                do { try await fly(stack, judge) } catch {
                    judge.settle()
                    print(await stack.vehicleLog, "\n--- companion\n", stack.companionLog.suffix(6000))
                    throw error
                }
            }
        }
    }

    private func fly(_ stack: FlightStack, _ judge: FlightJudge) async throws {
        let witness = try await stack.witness()
        let radio = try await stack.safetyPilot()
        let watch = SchedulingWatch([witness.process, radio.process].compactMap(\.self))
        defer { watch.stop() }
        try await judge.beginFlight(of: stack, witness, watch)
        try await expect(stack, "takeoff", "--arm", "--wait")
        // High enough that a fall would be seen.
        try await expect(stack, "goto", "0", "0", "6", "--wait")
        if let companion = stack.companionProcess() { watch.add(companion) }

        let held = try await takeFromPilot(stack, witness, radio, watch)
        try await expectNothingTakesItBack(stack, witness, held)

        // The pilot asks for offboard mode again: without control output the autopilot refuses it, and the stack stays as it was.
        let answer = try await radio.requestOffboard()
        #expect(answer.contains("missing control input"), "\(answer)")
        try await Task.sleep(for: .seconds(1))
        let later = try await witness.account()
        #expect(later.isRadiosAlone, "\(later)")
        try await expectRefused(stack, "takeoff", "--arm", saying: "flown by radio")
        let hovered = try await FlightTrack(witness, named: "radio-hovers").after(held.toldAt)
        #expect(hovered.widest < 1 && hovered.fastest < 0.7, "\(hovered.widest) m, \(hovered.fastest) m/s")
        #expect(hovered.points.allSatisfy { $0.position[2] > 4.5 && $0.position[2] < 7.5 }, "it changed its height")
        #expect(try await witness.account().setpoints == held.setpoints, "a setpoint came by radio")

        try await radio.land()
        try await witness.sees("the vehicle landed") { $0.isLanded }
        let landing = try await FlightTrack(witness, named: "radio-lands")
        #expect(landing.greatestRise < 0.3 && landing.fastest < 2, "\(landing.greatestRise) m, \(landing.fastest) m/s")
        #expect(abs(landing.lastHeight) < 0.6, "\(landing.lastHeight) m")

        // On the ground everything is as before the first flight.
        try await expect(stack, "takeoff", "--arm", "--wait")
        try await witness.sees("flying normally") { $0.flying == true && $0.tracker == "MpcTracker" }
        try await expect(stack, "land", "--wait")
        try await witness.sees("the vehicle landed") { $0.isLanded }
    }

    /// The pilot pushes forward at 1 m/s when the radio takes the vehicle.
    private func takeFromPilot(
        _ stack: FlightStack, _ witness: FlightWitness, _ radio: SafetyPilot, _ watch: SchedulingWatch
    ) async throws -> FlightWitness.Account {
        let ground = try stack.launch(["steer", "--vx", "1", "--for", "600s", "--link", "udp", "--quiet"])
        try await witness.sees("the vehicle under way") { $0.speed > 0.7 && $0.isSteeredNow }
        if let pid = ground.pid { watch.add(pid) }
        _ = try await witness.track()
        try await witness.sees("a setpoint just now") { $0.isSteeredNow }
        let taken = FlightTrack.now
        try await radio.take()
        // Which the simulated vehicle and the model of the safety simulation do as well.
        try await witness.sees("the output off, and no tracker") {
            $0.isRadiosAlone && $0.controller == "EmergencyController"
        }
        #expect(try await ground.exit(within: .seconds(20)) == 1, "\(ground.errors)")
        #expect(
            ground.errors.contains("no pilot has control authority: the vehicle is flown by radio"), "\(ground.errors)")
        let held = try await witness.sees("the vehicle at rest") { $0.restedAt > taken && $0.speed < 0.2 }
        let last = held.setpointAt - taken
        print("real flight stack, the radio: last setpoint \(Int(last * 1000)) ms after it; \(ground.errors)")
        // It was steered to the end, and no longer: the status comes at 100 Hz at least, the diagnostics at 10 Hz.
        #expect(last > -0.2 && last < 0.3)
        #expect(held.brakeMilliseconds == nil, "the companion sent a setpoint to a vehicle that is flown by radio")
        let track = try await FlightTrack(witness, named: "radio-takes")
        #expect(track.widest < 3, "it went on for \(track.widest) m")
        return held
    }

    /// Whatever is commanded.
    private func expectNothingTakesItBack(
        _ stack: FlightStack, _ witness: FlightWitness, _ held: FlightWitness.Account
    ) async throws {
        let status = try json(try await stack.uavlink("status", "--link", "udp", "--json"))
        #expect(status["flight_state"] as? String == "armed", "\(status)")
        try await expectRefused(stack, "takeoff", "--arm", saying: "flown by radio")
        try await expectRefused(stack, "disarm", saying: "flown by radio")
        let steering = try await stack.uavlink("steer", "--vx", "1", "--for", "1s", "--link", "udp", "--quiet")
        #expect(steering.status != 0, "\(steering)")
        // What would move it the companion does not pass on; stops and landings the flight stack refuses, the emergency landing too.
        try await expectRefused(stack, "goto", "5", "0", "6", saying: "flown by radio")
        try await expectRefused(stack, "heading", "90", saying: "flown by radio")
        for command in ["land", "eland", "hover"] {
            try await expectRefused(stack, command, saying: "the vehicle refused \(command)")
        }
        let after = try await witness.account()
        #expect(after.isRadiosAlone, "\(after)")
        #expect(after.setpoints == held.setpoints, "\(after.setpoints - held.setpoints) setpoints were forwarded")
    }

    private func expect(_ stack: FlightStack, _ command: String...) async throws {
        let outcome = try await stack.uavlink(command + ["--link", "udp", "--quiet"])
        guard outcome.status == 0 else { throw ProcessFailure("\(command): \(outcome)") }
    }

    private func expectRefused(_ stack: FlightStack, _ command: String..., saying words: String) async throws {
        let outcome = try await stack.uavlink(command + ["--link", "udp", "--quiet"])
        #expect(outcome.status == 1 && outcome.errors.contains(words), "\(command): \(outcome)")
    }
}
