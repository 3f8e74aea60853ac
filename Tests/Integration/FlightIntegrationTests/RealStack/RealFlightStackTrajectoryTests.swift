import FlightTestKit
import IntegrationKit
import Testing

/// A route, from a file to its recorded flight, with the real flight stack.
@Suite(
    .enabled(if: realFlightStackLacks == nil, "\(realFlightStackLacks ?? "")"), .serialized, .oneRealFlightStack,
    .timeLimit(.minutes(MachinePace.minutes(18))))
struct RealFlightStackTrajectoryTests {
    @Test(arguments: ["udp", "tcp"])
    func `a route is sent, flown to its end, recorded and compared`(link: String) async throws {
        try await untilJudged("real flight stack, a route over \(link)") { judge in
            let stack = try await sharedStack()
            let witness = try await stack.witness()
            let before = stack.vehicleWaits
            try await witness.beginFlight()
            judge.measure {
                Starvation(
                    gapSeconds: witness.longestGapSeconds, vehicleShare: stack.vehicleWaits.share(since: before))
            }
            do {
                try await fly(stack, over: link)
                try await witness.sees("the vehicle landed") { $0.isLanded }
            } catch {
                _ = try? await FlightTrack(witness, named: "failed-route")
                judge.settle()
                print(await stack.vehicleLog, "\n--- companion\n", stack.companionLog.suffix(6000))
                throw error
            }
        }
    }

    private func fly(_ stack: FlightStack, over link: String) async throws {
        // It may be flown again, and no recording is overwritten.
        let name = "route-\(link)-\(UInt32.random(in: 0 ... .max))"
        let route = try stack.folder.write("x,y,z\n0,0,2.5\n4,0,2.5\n4,3,3\n", to: name + ".csv")
        let bag = stack.folder.file(name + ".bag")
        func succeed(_ arguments: String...) async throws -> String {
            let outcome = try await stack.uavlink(arguments + ["--link", link])
            guard outcome.status == 0 else { throw ProcessFailure("\(arguments): \(outcome)") }
            return outcome.output
        }
        _ = try await succeed("takeoff", "--arm", "--wait")
        let frame = ["--frame", "world_origin"]
        _ = try await succeed("trajectory", "check", route, frame[0], frame[1])
        _ = try await succeed("trajectory", "send", route, frame[0], frame[1])
        _ = try await succeed("trajectory", "goto-start", route, frame[0], frame[1], "--wait")
        let flown = try await succeed(
            "trajectory", "start", route, frame[0], frame[1], "--wait", "--record", bag)
        #expect(flown.contains("the trajectory was flown to its end"), "\(flown)")
        let landed = try await succeed("land", "--wait")
        #expect(landed.contains("landed at "), "\(landed)")
        let compared = try await stack.uavlink("trajectory", "compare", bag, "--json")
        guard compared.status == 0 else { throw ProcessFailure("no comparison: \(compared)") }
        #expect(compared.output.contains("\"ok\": true"), "\(compared)")
    }
}
