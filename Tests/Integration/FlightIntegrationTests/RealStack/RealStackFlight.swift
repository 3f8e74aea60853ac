import FlightTestKit
import Foundation
import IntegrationKit
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

extension FlightJudge {
    /// Begins a flight that is judged by what its witness and those who steer were kept waiting.
    func beginFlight(of stack: FlightStack, _ witness: FlightWitness, _ watch: SchedulingWatch) async throws {
        let begun = SchedulingWatch.now
        let before = stack.vehicleWaits
        try await witness.beginFlight()
        measure {
            // The stack's own processes are not watched: without odometry they were kept waiting, or as Linux counts it.
            Starvation(
                gapSeconds: witness.longestGapSeconds, vehicleShare: stack.vehicleWaits.share(since: before),
                waitNanoseconds: watch.longestWait(from: begun, to: SchedulingWatch.now))
        }
    }
}

/// What the tests that fly the real flight stack begin and end with.
enum RealStackFlight {
    /// A vehicle that hovers, again where the machine spoiled the flight; what it has said itself is printed when the flight fails.
    static func flying(
        _ fly: (FlightStack, FlightWitness, SchedulingWatch) async throws -> Void
    ) async throws {
        try await untilJudged("real flight stack, \(Test.current?.name ?? "")") { judge in
            let stack = try await sharedStack()
            let witness = try await stack.witness()
            let watch = SchedulingWatch([witness.process].compactMap(\.self))
            defer { watch.stop() }
            try await judge.beginFlight(of: stack, witness, watch)
            do {
                let outcome = try await stack.uavlink("takeoff", "--arm", "--wait", "--link", "udp", "--quiet")
                guard outcome.status == 0 else { throw ProcessFailure("no take-off: \(outcome)") }
                if let companion = stack.companionProcess() { watch.add(companion) }
                try await fly(stack, witness, watch)
            } catch {
                _ = try? await FlightTrack(witness, named: "failed")
                judge.settle()
                print(await stack.vehicleLog, "\n--- companion\n", stack.companionLog.suffix(6000))
                // What the test has stopped in its tracks answers nobody, and a stack that has lost its master flies nobody: the next
                // flight begins with others.
                if let companion = stack.companionProcess() { kill(companion, SIGKILL) }
                await stack.dismissWitness()
                await stack.stopSimulator()
                throw error
            }
        }
    }

    /// A program that pushes forward at 1 m/s, and goes.
    static func steering(
        _ stack: FlightStack, _ witness: FlightWitness, _ watch: SchedulingWatch
    ) async throws -> ChildProcess {
        // Longer than any of these tests lets it: what ends it is what the test does.
        let ground = try stack.launch(["steer", "--vx", "1", "--for", "600s", "--link", "udp", "--quiet"])
        do {
            try await witness.sees("the vehicle under way") { $0.speed > 0.7 && $0.isSteeredNow }
        } catch {
            throw ProcessFailure("\(error); \(ground.exitStatus as Any) \(ground.errors); \(stack.companionLog)")
        }
        if let pid = ground.pid { watch.add(pid) }
        _ = try await witness.track()
        return ground
    }

    static func land(_ stack: FlightStack, _ witness: FlightWitness) async throws {
        let outcome = try await stack.uavlink("land", "--wait", "--link", "udp", "--quiet")
        #expect(outcome.status == 0, "\(outcome)")
        try await witness.sees("the vehicle landed") { $0.isLanded }
    }
}
