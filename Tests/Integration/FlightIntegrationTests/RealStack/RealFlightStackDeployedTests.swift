import FlightTestKit
import Foundation
import IntegrationKit
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The companion as it is deployed, without a shared library: it flies the real flight stack.
@Suite(
    .enabled(if: realFlightStackLacks == nil, "\(realFlightStackLacks ?? "")"), .serialized,
    .timeLimit(.minutes(MachinePace.minutes(10))))
struct RealFlightStackDeployedTests {
    @Test func `a companion without shared libraries flies it, and its world reaches the ground from there`()
        async throws
    {
        let program = try StaticCompanion.program.get()
        try await untilJudged("real flight stack, a companion without shared libraries") { judge in
            let stack = try await sharedStack()
            await stack.endCompanion()
            let witness = try await stack.witness()
            let watch = SchedulingWatch([witness.process].compactMap(\.self))
            defer { watch.stop() }
            try await judge.beginFlight(of: stack, witness, watch)
            do {
                let options = ["--config", try stack.configuration(["companion": program])]
                try await fly(stack, options)
                let running = try #require(stack.companionProcess())
                let path = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(running)/exe")
                #expect(path == program)
                try await witness.sees("the vehicle landed") { $0.isLanded }
            } catch {
                judge.settle()
                print(await stack.vehicleLog, "\n--- companion\n", stack.companionLog.suffix(6000))
                await stack.endCompanion()
                await stack.dismissWitness()
                await stack.stopSimulator()
                throw error
            }
            // The other tests have theirs.
            await stack.endCompanion()
        }
    }

    private func fly(_ stack: FlightStack, _ options: [String]) async throws {
        func command(_ words: String..., link: String) async throws {
            let outcome = try await stack.uavlink(words + ["--wait", "--quiet", "--link", link] + options)
            guard outcome.status == 0 else { throw ProcessFailure("\(words): \(outcome)") }
        }
        try await command("takeoff", "--arm", link: "udp")
        for link in ["udp", "tcp"] {
            let told = try PrintedWorld(try await stack.uavlink(["map", "world", "--json", "--link", link] + options))
            #expect(told.source == "file" && told.path == stack.worldFile && told.corners.count > 2, "\(told)")
        }
        try await command("goto", "2", "0", "0", "--relative", link: "tcp")
        try await command("land", link: "udp")
    }
}
