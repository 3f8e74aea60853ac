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
                try await takeOff(stack, watch)
                try await fly(stack, witness, watch)
            } catch {
                await abandon(stack, witness, judge)
                throw error
            }
        }
    }

    /// One part of a flight that has several.
    struct Scene<Part> {
        let part: Part
        let stack: FlightStack
        let witness: FlightWitness
        let watch: SchedulingWatch
        /// When the vehicle took off.
        let tookOffAt: ContinuousClock.Instant
    }

    /// Several parts in one flight, since a take-off and a landing take longer than most of them. Each part is judged by itself, and is
    /// flown again where the machine spoiled it: in the air, or after another take-off where the vehicle was landed or given up.
    static func flying<Part: Sendable>(
        each parts: [Part], _ fly: (Scene<Part>) async throws -> Void
    ) async throws {
        var flown: (stack: FlightStack, since: ContinuousClock.Instant)?
        for part in parts {
            do {
                try await untilJudged("real flight stack, \(Test.current?.name ?? ""), \(part)") { judge in
                    let stack = if let flown { flown.stack } else { try await sharedStack() }
                    let witness = try await stack.witness()
                    let watch = SchedulingWatch([witness.process].compactMap(\.self))
                    defer { watch.stop() }
                    try await judge.beginFlight(of: stack, witness, watch)
                    do {
                        var since = flown?.since
                        if try await witness.account().isLanded { since = nil }
                        if since == nil { try await takeOff(stack, watch) }
                        if let companion = stack.companionProcess() { watch.add(companion) }
                        let tookOffAt = since ?? .now
                        flown = (stack, tookOffAt)
                        try await fly(
                            Scene(part: part, stack: stack, witness: witness, watch: watch, tookOffAt: tookOffAt))
                    } catch {
                        flown = nil
                        await abandon(stack, witness, judge)
                        throw error
                    }
                }
            } catch {
                // The other parts say something of their own, after another take-off.
                try Task.checkCancellation()
                Issue.record(error, "\(part)")
            }
        }
    }

    private static func takeOff(_ stack: FlightStack, _ watch: SchedulingWatch) async throws {
        let outcome = try await stack.uavlink("takeoff", "--arm", "--wait", "--link", "udp", "--quiet")
        guard outcome.status == 0 else { throw ProcessFailure("no take-off: \(outcome)") }
        if let companion = stack.companionProcess() { watch.add(companion) }
    }

    /// What the test has stopped in its tracks answers nobody, and a stack that has lost its master flies nobody: the next flight begins
    /// with others.
    private static func abandon(_ stack: FlightStack, _ witness: FlightWitness, _ judge: FlightJudge) async {
        _ = try? await FlightTrack(witness, named: "failed")
        judge.settle()
        print(await stack.vehicleLog, "\n--- companion\n", stack.companionLog.suffix(6000))
        if let companion = stack.companionProcess() { kill(companion, SIGKILL) }
        await stack.dismissWitness()
        await stack.stopSimulator()
    }

    /// A program that pushes forward or back at 1 m/s, and goes.
    static func steering(
        _ stack: FlightStack, _ witness: FlightWitness, _ watch: SchedulingWatch, speed: Int = 1
    ) async throws -> ChildProcess {
        // Longer than any of these tests lets it: what ends it is what the test does.
        let ground = try stack.launch(["steer", "--vx", "\(speed)", "--for", "600s", "--link", "udp", "--quiet"])
        do {
            try await witness.sees("the vehicle under way") { $0.speed > 0.7 && $0.isSteeredNow }
        } catch {
            throw ProcessFailure("\(error); \(ground.exitStatus as Any) \(ground.errors); \(stack.companionLog)")
        }
        if let pid = ground.pid { watch.add(pid) }
        _ = try await witness.track()
        return ground
    }

    /// - Throws: ``IntegrationKit/ProcessFailure`` if it does not land: the flight is given up at once, so that it is judged by what the
    ///   machine did until then, not by what was known of that when the landing ended.
    static func land(_ stack: FlightStack, _ witness: FlightWitness) async throws {
        let outcome = try await stack.uavlink("land", "--wait", "--link", "udp", "--quiet")
        guard outcome.status == 0 else { throw ProcessFailure("not landed: \(outcome)") }
        try await witness.sees("the vehicle landed") { $0.isLanded }
    }
}
