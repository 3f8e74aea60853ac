import Foundation
import IntegrationKit
import Testing
import UAVLink

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Two who want to fly the same vehicle, seen through the program, with a companion of its own process.
@Suite(
    .enabled(if: FlightStack.missing == nil, "\(FlightStack.missing ?? "")"), .serialized, .oneFlightStack,
    .timeLimit(.minutes(MachinePace.minutes(3))))
struct TwoPilotsTests {
    @Test func `one flies; the other is refused, moves nothing, may always stop, and may take over`() async throws {
        let stack = try await sharedStack()
        let witness = try await stack.witness()
        #expect(try await stack.uavlink("takeoff", "--arm", "--wait", "--link", "udp", "--quiet").status == 0)
        let anna = try stack.launch(["steer", "--vx", "0.6", "--for", "60s", "--link", "udp", "--quiet"])
        try await witness.sees("the vehicle under way") { $0.speed > 0.4 }

        let seen = try await stack.uavlink("control", "--link", "tcp", "--json")
        #expect(seen.status == 0 && seen.output.contains("\"steering\": true"), "\(seen)")
        #expect(seen.output.contains("\"yours\": false"), "\(seen)")
        for refused in [["goto", "0", "0", "3"], ["steer", "--vy", "1", "--for", "1s"], ["control", "--take"]] {
            let ben = try stack.launch(refused + ["--link", "udp", "--quiet"])
            #expect(try await ben.exit(within: .seconds(60)) == 1, "\(refused): \(ben.errors)")
            #expect(ben.errors.contains("has had control authority for"), "\(refused): \(ben.errors)")
        }
        // And she flies on, as if nobody had asked.
        try await witness.sees("the vehicle under way still") { $0.speed > 0.4 }
        #expect(anna.exitStatus == nil, "\(anna.errors)")

        // A stop is everybody's.
        #expect(try await stack.uavlink("hover", "--link", "udp", "--quiet").status == 0)
        #expect(try await anna.exit(within: .seconds(30)) == 1, "\(anna.errors)")
        #expect(anna.errors.contains("commanded hover"), "\(anna.errors)")
        try await witness.sees("the vehicle at rest") { $0.restedAt > $0.setpointAt && $0.speed < 0.2 }

        // And so is a take-over, with a reason: the vehicle is braked, and she cannot go on.
        let again = try stack.launch(["steer", "--vx", "-0.6", "--for", "60s", "--link", "udp", "--quiet"])
        try await witness.sees("the vehicle under way again") { $0.speed > 0.4 }
        let ben = try stack.launch(["control", "--take", "--reason", "a tree", "--link", "tcp"])
        #expect(try await again.exit(within: .seconds(30)) == 1, "\(again.errors)")
        #expect(again.errors.contains("taken over by") && again.errors.contains("a tree"), "\(again.errors)")
        let rested = try await witness.sees("the vehicle at rest") { $0.restedAt > $0.setpointAt && $0.speed < 0.2 }
        #expect(rested.brakeMilliseconds != nil, "no neutral setpoint came")
        try await ben.line(containing: "you have had control authority")
        let refused = try await stack.uavlink("goto", "0", "0", "3", "--link", "udp", "--quiet")
        #expect(refused.status == 1 && refused.errors.contains("has had control authority for"), "\(refused)")
        // Until he releases it.
        ben.signal(SIGINT)
        #expect(try await ben.exit(within: .seconds(20)) == 130, "\(ben.errors)")
        let free = try await stack.uavlink("control", "--link", "udp", "--json")
        #expect(free.output.contains("\"pilot\": null"), "\(free)")

        // A landing by another ends her steering, and goes on to the ground.
        let last = try stack.launch(["steer", "--vx", "0.6", "--for", "60s", "--link", "udp", "--quiet"])
        try await witness.sees("the vehicle under way once more") { $0.speed > 0.4 }
        let begun = FlightTrack.now
        #expect(try await stack.uavlink("land", "--wait", "--link", "tcp", "--quiet").status == 0)
        #expect(try await last.exit(within: .seconds(30)) == 1, "\(last.errors)")
        #expect(last.errors.contains("commanded land"), "\(last.errors)")
        try await witness.sees("the vehicle landed") { $0.isLanded }
        let track = try await FlightTrack(witness, named: "landing-by-another-pilot").after(begun)
        #expect(track.greatestRise < 0.2, "it rose by \(track.greatestRise) m while it landed")
    }

    @Test func `a ground that goes on when its time is over leaves the landing alone that another has begun`()
        async throws
    {
        let stack = try await sharedStack()
        let witness = try await stack.witness()
        #expect(try await stack.uavlink("takeoff", "--arm", "--wait", "--link", "udp", "--quiet").status == 0)
        let anna = try stack.launch(["steer", "--vx", "0.5", "--for", "2s", "--link", "udp", "--quiet"])
        try await witness.sees("the vehicle under way") { $0.speed > 0.3 }
        anna.signal(SIGSTOP)
        try await witness.sees("the vehicle at rest") { $0.restedAt > $0.setpointAt && $0.speed < 0.2 }
        // Until her two seconds are over: what she would do then is her end.
        try await Task.sleep(for: .seconds(2))
        #expect(try await stack.uavlink("land", "--link", "tcp", "--quiet").status == 0)
        try await witness.sees("the landing") { $0.tracker == "LandoffTracker" }
        let before = stack.companionLog.components(separatedBy: "hover accepted").count
        anna.signal(SIGCONT)
        let status = try await anna.exit(within: .seconds(30))
        #expect(status == 1 || status == 3, "\(status) \(anna.errors)")
        try await witness.sees("the vehicle landed") { $0.isLanded }
        #expect(stack.companionLog.components(separatedBy: "hover accepted").count == before, "\(stack.companionLog)")
    }

    @Test func `an emergency landing that rosservice begins while a pilot steers goes on to the ground`() async throws {
        let stack = try await sharedStack()
        let witness = try await stack.witness()
        #expect(try await stack.uavlink("takeoff", "--arm", "--wait", "--link", "udp", "--quiet").status == 0)
        let ground = try stack.launch(["steer", "--vx", "1", "--for", "60s", "--link", "udp", "--quiet"])
        try await witness.sees("the vehicle under way") { $0.speed > 0.7 }
        let call = try ChildProcess(
            ["/usr/bin/rosservice", "call", "/uav1/control_manager/eland"], environment: stack.rosEnvironment)
        #expect(try await call.exit(within: .seconds(30)) == 0, "\(call.errors)")
        #expect(call.output.contains("success: True"), "\(call.output)")
        let begun = FlightTrack.now
        try await witness.sees("the vehicle landed", within: .seconds(60)) { $0.isLanded }
        let track = try await FlightTrack(witness, named: "emergency-landing-by-others").after(begun)
        #expect(track.greatestRise < 0.2, "it rose by \(track.greatestRise) m while it landed")
        #expect(abs(track.lastHeight) < 0.5)
        #expect(try await ground.exit(within: .seconds(20)) == 1, "\(ground.errors)")
        #expect(ground.errors.contains("no pilot has control authority"), "\(ground.errors)")
        // Its flight stack lets nobody switch the output on again.
        await stack.dismissWitness()
        await stack.stopSimulator()
        try await stack.startSimulator()
    }
}
