import FlightTestKit
import Foundation
import IntegrationKit
import Testing

/// Commands that the real flight stack would accept and not follow if they came at once (`CommandTiming`).
@Suite(
    .enabled(if: realFlightStackLacks == nil, "\(realFlightStackLacks ?? "")"), .serialized, .oneRealFlightStack,
    .timeLimit(.minutes(MachinePace.minutes(15))))
struct RealFlightStackTimingTests {
    @Test func `a landing from above 2 m while the vehicle is steered goes on to the ground`() async throws {
        try await RealStackFlight.flying { stack, witness, watch in
            try await rise(stack, to: 3)
            let ground = try await RealStackFlight.steering(stack, witness, watch)
            try await RealStackFlight.land(stack, witness)
            #expect(try await ground.exit(within: .seconds(20)) == 1, "\(ground.errors)")
            let track = try await FlightTrack(witness, named: "landing-while-steered")
            #expect(abs(track.lastHeight) < 0.5)
        }
    }

    @Test func `a goto right after steering is flown`() async throws {
        try await RealStackFlight.flying { stack, witness, watch in
            let ground = try await RealStackFlight.steering(stack, witness, watch)
            let release = try await stack.uavlink(
                "control", "--release", "--reason", "goto", "--link", "tcp", "--quiet")
            #expect(release.status == 0, "\(release)")
            let goto = try await stack.uavlink("goto", "0", "0", "3", "--wait", "--link", "tcp", "--quiet")
            #expect(goto.status == 0, "\(goto)")
            #expect(try await ground.exit(within: .seconds(20)) == 1, "\(ground.errors)")
            let track = try await FlightTrack(witness, named: "goto-after-steering")
            #expect(track.end(from: 0, 0) < 0.5, "\(track.points.last as Any)")
            try await RealStackFlight.land(stack, witness)
        }
    }

    @Test func `a landing while another measures latencies at 4 m goes on to the ground, and ends the measurement`()
        async throws
    {
        try await RealStackFlight.flying { stack, witness, watch in
            try await rise(stack, to: 4)
            let before = stack.companionLog.count(of: "hover accepted")
            let measures = try stack.launch(["latency", "--links", "tcp,udp", "--for", "60s", "--json", "--quiet"])
            #expect(await eventually { stack.companionLog.count(of: "hover accepted") > before + 3 })
            let land = try await stack.uavlink("land", "--wait", "--link", "udp", "--quiet")
            if land.status != 0 {
                // A hover that was sent before the measurement heard of the landing is newer than it, and its pilot is told.
                #expect(land.errors.contains("'hover' was commanded after it"), "\(land)")
                try await RealStackFlight.land(stack, witness)
            }
            try await witness.sees("the vehicle landed") { $0.isLanded }
            #expect(try await measures.exit(within: .seconds(90)) == 0, "\(measures.errors)")
            // What it commanded is known if the link that had its turn had control authority.
            #expect(
                measures.output.contains("\"ended early, since another ground "),
                "\(measures.output.suffix(600)) \(measures.errors)")
            let log = stack.companionLog
            let landing = try #require(log.range(of: "land accepted", options: .backwards))
            #expect(!log[landing.upperBound...].contains("hover accepted"), "it was commanded to hover while it landed")
        }
    }

    @Test func `a landing while a take-off is answered keeps the vehicle on the ground`() async throws {
        try await RealStackFlight.flying { stack, witness, watch in
            try await RealStackFlight.land(stack, witness)
            let before = stack.companionLog.count(of: "offboard accepted")
            let begun = FlightTrack.now
            let takeoff = try stack.launch(["takeoff", "--arm", "--wait", "--link", "tcp", "--quiet"])
            #expect(await eventually { stack.companionLog.count(of: "offboard accepted") > before })
            let land = try await stack.uavlink("land", "--link", "udp", "--quiet")
            // Where the machine was slow, the vehicle may have landed meanwhile.
            #expect(land.status == 0 || land.errors.contains("NullTracker"), "\(land)")
            #expect(try await takeoff.exit(within: .seconds(60)) == 1, "\(takeoff.errors)")
            try await witness.sees("the vehicle landed") { $0.isLanded }
            let track = try await FlightTrack(witness, named: "landing-in-take-off").after(begun)
            #expect(track.greatestRise < 1, "it took off, by \(track.greatestRise) m")
        }
    }

    private func rise(_ stack: FlightStack, to height: Double) async throws {
        let outcome = try await stack.uavlink(
            "goto", "0", "0", "\(height)", "--wait", "--link", "udp", "--quiet")
        #expect(outcome.status == 0, "\(outcome)")
    }
}

extension String {
    fileprivate func count(of part: String) -> Int { components(separatedBy: part).count - 1 }
}
