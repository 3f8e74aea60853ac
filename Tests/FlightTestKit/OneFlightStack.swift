internal import Foundation
package import IntegrationKit
package import Testing
package import UAVLink
package import VehicleAccess

/// One stack of real servers for the tests of a suite; it is started when the first of them needs it.
package struct OneFlightStack: SuiteTrait, TestScoping {
    @TaskLocal static var shared = SharedFlightStack()

    var vehicle = FlightStack.Vehicle.simulator

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        let stack = SharedFlightStack(vehicle)
        do {
            try await Self.$shared.withValue(stack) { try await function() }
        } catch {
            await stack.stop()
            throw error
        }
        await stack.stop()
    }
}

extension Trait where Self == OneFlightStack {
    /// The tests of this suite share one stack of real servers.
    package static var oneFlightStack: Self { Self() }

    /// The same with the real flight stack.
    package static var oneRealFlightStack: Self { Self(vehicle: .real) }
}

/// What this machine lacks to fly the real flight stack; `nil` when it can.
package let realFlightStackLacks = FlightStack.missing ?? MRSVehicle.missing

/// The stack of the running suite, its vehicle on the ground.
package func sharedStack() async throws -> FlightStack { try await OneFlightStack.shared.grounded() }

extension FlightStack {
    /// How often a companion of this stack has said that it made the vehicle hover because no pilot steered any more.
    package var leaseLapses: Int { companionLog.components(separatedBy: "no fresh setpoint").count - 1 }

    /// How often one has said that it refuses setpoints.
    package var refusalsOfMotion: Int { companionLog.components(separatedBy: " are refused").count - 1 }

    /// Starts a program that steers, and waits until the vehicle moves as wanted while it is steered.
    ///
    /// On a busy machine a pause can outlast the lease, which ends the program before: then it is started again.
    ///
    /// - Throws: ``ProcessFailure`` when it ended for another reason, or the vehicle did not move as wanted.
    package func launchSteering(
        _ arguments: [String], until condition: (FlightWitness.Account) -> Bool
    ) async throws -> ChildProcess {
        let witness = try await witness()
        for _ in 0..<5 {
            let program = try launch(["steer"] + arguments)
            var patience = Patience(.seconds(30))
            while program.exitStatus == nil {
                let account = try await witness.account()
                if condition(account), account.isSteeredNow, program.exitStatus == nil { return program }
                guard !patience.isOver() else {
                    await program.stop()
                    throw ProcessFailure("the vehicle is not under way: \(account); \(companionLog)")
                }
                try await Task.sleep(for: .milliseconds(20))
            }
            guard program.errors.contains("the lease expired") else {
                throw ProcessFailure("steering has ended: \(program.errors)")
            }
            print("steering lapsed on this machine, and is begun again")
        }
        throw ProcessFailure("steering lapsed five times: \(companionLog)")
    }

    /// A watch on all processes between a hand on the stick and the witness.
    package func schedulingWatch() async throws -> SchedulingWatch {
        let processes = [companionProcess(), await simulatorProcess, try await witness().process]
        return SchedulingWatch(processes.compactMap(\.self))
    }

    /// Expects that the companion braked when its lease had expired: by its own log, and by the neutral setpoint that the witness
    /// received, both less what the machine kept the processes waiting. Without that setpoint it was the tracker that stopped the
    /// vehicle, half a second after the last one.
    package func expectHover(
        _ name: String, _ rested: FlightWitness.Account, _ watch: SchedulingWatch,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let line = try #require(companionLog.split(separator: "\n").last { $0.contains("no fresh setpoint") })
        let hoverAt = try #require(CompanionLogTime.seconds(line))
        let hover = Int((hoverAt - rested.setpointAt) * 1000)
        let rest = Int((rested.restedAt - rested.setpointAt) * 1000)
        watch.settle()
        let last = SchedulingWatch.instant(wallSeconds: rested.setpointAt)
        let end = SchedulingWatch.instant(wallSeconds: hoverAt)
        let account = watch.account(from: last, to: max(last, end))
        print(
            "\(name): hover \(hover) ms after the last setpoint, at rest \(rest) ms after it; until the hover \(account)"
        )
        let companion = try #require(companionProcess())
        // The lease's thread alone commands hover: it can be late by as long as the companion's threads waited at a stretch.
        let late = Int(watch.longestWait(from: last, to: end, of: companion) / 1_000_000)
        // The companion may have handed on the last setpoint late, and the witness have seen it late: the time then looks shorter.
        let witness = try #require(try await witness().process)
        let early = Int(
            [companion, witness].reduce(Int64(0)) {
                $0 + watch.longestWait(from: last - 1_000_000_000, to: last, of: $1)
            }
                / 1_000_000)
        #expect(
            hover - late < 350 && hover + early >= 150, "\(late) ms, \(early) ms; \(account)",
            sourceLocation: sourceLocation)
        let braked = try #require(
            rested.brakeMilliseconds, "no neutral setpoint came: \(account)", sourceLocation: sourceLocation)
        let seen = SchedulingWatch.instant(wallSeconds: rested.brakedAt)
        let lateThere = Int(watch.longestWait(from: last, to: max(last, seen), of: witness) / 1_000_000)
        #expect(
            braked - late - lateThere < 400 && braked + early >= 150,
            "\(braked) ms, of which \(late) and \(lateThere) ms waited; \(account)", sourceLocation: sourceLocation)
    }

    /// Lets the vehicle fly on for a second of its own odometry, and expects that motion has not come back.
    package func expectStill(
        _ rested: FlightWitness.Account, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let witness = try await witness()
        let before = try await witness.account()
        let still = try await witness.sees("a second of odometry") { $0.odometry >= before.odometry + 100 }
        // By those that ask for motion: a brake is repeated for half a second, in which the vehicle may have come to rest.
        #expect(still.setpointAt == rested.setpointAt, "motion came back", sourceLocation: sourceLocation)
        #expect(still.speed < 0.3, sourceLocation: sourceLocation)
        #expect(still.flying == true, sourceLocation: sourceLocation)
    }

    /// A way to the vehicle as the profile has it, or a configuration file beside it.
    package func connector(_ path: String? = nil) throws -> VehicleConnector {
        let profile = try ConfigurationFile(path: path ?? configuration, environment: [:]).read().profile(named: nil)
        return VehicleConnector(profile: profile, credentials: Credentials(), environment: rosEnvironment)
    }

    /// Runs `body` over a connected link and closes it whatever happens.
    package func withLink(
        _ kind: LinkKind, _ body: (any UAVLink) async throws -> Void
    ) async throws {
        let connector = try connector()
        let result: Result<Void, any Error>
        do {
            let link = try await connector.connect(.only(kind), within: .patient(seconds: 60))
            do { result = .success(try await body(link)) } catch { result = .failure(error) }
            await link.close()
        } catch {
            result = .failure(error)
        }
        await connector.close()
        try result.get()
    }
}

extension FlightWitness.Account {
    /// Whether a setpoint that asks for motion had come in the last 100 ms, on the witness's clock: on one processor its answer may
    /// take longer than that to get here.
    package var isSteeredNow: Bool { toldAt - setpointAt < 0.1 }

    /// Armed, not in offboard mode, and nothing of the flight stack at work: as MRS's is while a pilot flies by radio.
    package var isRadiosAlone: Bool {
        armed == true && offboard == false && output == false && tracker == "NullTracker"
    }
}

/// A pause of the machine outlasted the lease, and ended steering before what was to end it.
package struct Lapse: Error {}

/// Does something with a program that steers, and again, five times at most, where its lease lapsed meanwhile.
package func unlessLapsed(_ body: () async throws -> Void) async throws {
    for attempt in 1... {
        do { return try await body() } catch let lapse as Lapse {
            guard attempt < 5 else { throw lapse }
            print("steering lapsed on this machine, and is begun again")
        }
    }
}

/// - Throws: ``Lapse`` when a program that steered has ended because its lease expired.
package func expectNoLapse(of program: ChildProcess) throws {
    if program.exitStatus != nil, program.errors.contains("the lease expired") { throw Lapse() }
}

/// Expects that a program ended in the way in which a failure is reported: this exit code, one line on standard error that
/// says what and what to do, nothing on standard output, and all of it in time.
package func expectFailure(
    _ outcome: FlightStack.Outcome, code: Int32, saying words: [String], within limit: Duration = .seconds(30),
    sourceLocation: SourceLocation = #_sourceLocation
) {
    // What was left out or assumed is said, whatever becomes of the command.
    let lines = outcome.errors.split(separator: "\n").filter { !$0.hasPrefix("warning: ") }
    let comment: Comment = "\(outcome)"
    #expect(outcome.status == code, comment, sourceLocation: sourceLocation)
    #expect(lines.count == 1, comment, sourceLocation: sourceLocation)
    #expect(lines.first?.hasPrefix("uavlink: ") == true, comment, sourceLocation: sourceLocation)
    #expect(lines.first?.contains("; ") == true, "no hint: \(comment)", sourceLocation: sourceLocation)
    for word in words { #expect(outcome.errors.contains(word), comment, sourceLocation: sourceLocation) }
    #expect(outcome.output.isEmpty, comment, sourceLocation: sourceLocation)
    #expect(outcome.duration < MachinePace.patience(limit), comment, sourceLocation: sourceLocation)
}

/// The one JSON object that a program printed.
package func json(
    _ outcome: FlightStack.Outcome, sourceLocation: SourceLocation = #_sourceLocation
) throws -> [String: Any] {
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.count == 1, "\(outcome)", sourceLocation: sourceLocation)
    let object = try JSONSerialization.jsonObject(with: Data((lines.last ?? "").utf8))
    return try #require(object as? [String: Any], "\(outcome)", sourceLocation: sourceLocation)
}
