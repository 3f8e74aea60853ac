import FlightControl
import Synchronization
import Testing
import UAVLink
import UAVTestKit

/// A take-off that is commanded while a safety pilot flies the vehicle by radio, or may.
@Suite struct TakeOffByRadioTests {
    private let clock = FakeClock()

    private func connected(_ link: FakeLink) async throws -> FlightInteractor {
        try await link.connect(within: .seconds(1))
        return FlightInteractor(FlightDependency(link: link, clock: clock))
    }

    /// Whoever flies by radio has a vehicle that is armed and not in offboard mode, and no tracker of the flight stack at work.
    @Test(arguments: [(3.0, 0.0), (0, 2), (nil, 2), (3, nil), (nil, 0.1), (nil, nil)] as [(Double?, Double?)])
    func `a vehicle that is flown by radio is not taken from whoever flies it`(height: Double?, speed: Double?)
        async throws
    {
        let link = FakeLink(clock: clock, speed: 50)
        let flight = try await connected(link)
        link.setVehicleSilent(true)
        let first = try #require(link.latestTelemetry)
        func report() {
            var telemetry = first
            telemetry.flight = Sample(
                FlightStatus(
                    state: .armed, isArmed: true, isOffboard: false, isOutputEnabled: false, isFlyingNormally: false),
                at: clock.now)
            telemetry.heightAboveGroundMetres = height.map { Sample($0, at: clock.now) }
            telemetry.velocityMetresPerSecond = speed.map { Sample(Vector3(x: $0, y: 0, z: 0), at: clock.now) }
            link.publish(telemetry)
        }
        report()
        let reporting = Task {
            while (try? await clock.sleep(for: .milliseconds(500))) != nil { report() }
        }
        defer { reporting.cancel() }
        await #expect { try await clock.run(through: { try await flight.armAndTakeOff() }) } throws: { error in
            // Whatever it is, the advice must not make it fall.
            "\(error)".contains(height == nil && speed != 2 ? "it may be flown by radio" : "it is flown by radio")
                && "\(error)".contains("land it by radio") && !"\(error)".contains("disarm it first")
        }
        #expect(link.commands.isEmpty)
        await link.close()
    }

    /// A program that has just connected knows nothing of it.
    @Test func `nothing is sent before it is known what the vehicle does`() async throws {
        let link = FakeLink(clock: clock, speed: 50)
        link.setVehicleSilent(true)
        let flight = try await connected(link)
        let clock = clock
        let taking = Task { try await flight.armAndTakeOff() }
        await clock.run(for: .seconds(1))
        // The control manager alone was heard, not yet the autopilot.
        link.publish(radio(.unknown, isArmed: false, height: nil))
        await clock.run(for: .seconds(1))
        link.publish(radio(.armed, height: nil))
        await clock.run(for: .seconds(1))
        #expect(link.commands.isEmpty)
        link.publish(radio(.armed, height: 3))
        await #expect { try await clock.run(through: { try await taking.value }) } throws: { error in
            "\(error)".contains("it is flown by radio")
        }
        #expect(link.commands.isEmpty)
        await link.close()
    }

    @Test func `without telemetry there is no take-off, and motors and output stay as they are`() async throws {
        let link = FakeLink(clock: clock, speed: 50)
        link.setVehicleSilent(true)
        let flight = try await connected(link)
        let error = await #expect(throws: FlightInteractor.Failure.self) {
            try await clock.run(through: { try await flight.armAndTakeOff() })
        }
        #expect("\(error as Any)".contains("no telemetry shows within 15 s what the vehicle does"))
        #expect(link.commands.isEmpty)
        await link.close()
    }

    /// It takes off by radio while the sequence arms it.
    @Test func `the output of a vehicle that has left the ground meanwhile is not switched on`() async throws {
        let link = FakeLink(clock: clock, speed: 50)
        let flight = try await connected(link)
        let clock = clock
        link.script(.reply(CommandReply(accepted: true, message: "armed")))
        await #expect(throws: FlightInteractor.Failure.self) {
            try await clock.run(through: { [self] in
                try await flight.armAndTakeOff { line in
                    guard line == "arming" else { return }
                    link.setVehicleSilent(true)
                    link.publish(radio(.armed, height: 2))
                }
            })
        }
        #expect(link.commands == [.arm(true)])
        await link.close()
    }

    /// Its pilot has set offboard mode again, and its flight stack stands by as before.
    @Test func `nor is a vehicle in the air that is in offboard mode without a tracker`() async throws {
        let link = FakeLink(clock: clock, speed: 50)
        let flight = try await connected(link)
        link.setVehicleSilent(true)
        var telemetry = radio(.armed, height: 3)
        telemetry.flight?.value.isOffboard = true
        link.publish(telemetry)
        await #expect { try await clock.run(through: { try await flight.armAndTakeOff() }) } throws: { error in
            "\(error)".contains("in the air, and its flight stack does not fly it")
        }
        #expect(link.commands.isEmpty)
        await link.close()
    }

    @Test func `nor is offboard mode requested again once the radio has taken it off between two attempts`()
        async throws
    {
        let link = FakeLink(clock: clock, speed: 50)
        let flight = try await connected(link)
        let clock = clock
        let missing = CommandReply(accepted: false, message: "Cannot switch to offboard, missing control input.")
        link.script(.delay(.zero), .delay(.zero), .reply(missing))
        await #expect {
            try await clock.run(through: { [self] in
                try await flight.armAndTakeOff { line in
                    guard line.contains("not ready for offboard") else { return }
                    link.setVehicleSilent(true)
                    link.publish(radio(.armed, height: 2))
                }
            })
        } throws: { error in "\(error)".contains("it is flown by radio") }
        #expect(link.commands == [.arm(true), .enableOutput(true), .offboard])
        await link.close()
    }

    /// As one on a stand, or whose arming is not reported.
    @Test func `a vehicle that is reported as disarmed and whose height shows a flight is not armed`() async throws {
        let link = FakeLink(clock: clock, speed: 50)
        let flight = try await connected(link)
        link.setVehicleSilent(true)
        link.publish(radio(.disarmed, isArmed: false, height: 1.3))
        await #expect { try await clock.run(through: { try await flight.armAndTakeOff() }) } throws: { error in
            "\(error)".contains("a height of 1.3 m above ground shows it in the air, though it is reported as disarmed")
        }
        #expect(link.commands.isEmpty)
        await link.close()
    }

    @Test(arguments: ["arming", "switching the control output on", "switching to offboard mode", "taking off"])
    func `a vehicle of which nothing more is heard gets no step after the one that is on its way`(
        from step: String
    ) async throws {
        let link = FakeLink(clock: clock, speed: 50)
        let flight = try await connected(link)
        let clock = clock
        await #expect {
            try await clock.run(through: {
                try await flight.armAndTakeOff { line in
                    guard line == step else { return }
                    link.setVehicleSilent(true)
                    guard var last = link.latestTelemetry else { return }
                    // What was seen last is too old to go by.
                    last.flight?.at = clock.now - .seconds(2)
                    link.publish(last)
                }
            })
        } throws: { error in "\(error)".contains("no further step is sent to it") }
        let steps: [Command] = [.arm(true), .enableOutput(true), .offboard, .takeoff]
        let sent = [
            "arming": 1, "switching the control output on": 2, "switching to offboard mode": 2, "taking off": 3,
        ]
        #expect(link.commands == Array(steps.prefix(sent[step] ?? 0)))
        await link.close()
    }

    private static func takeOff(
        _ flight: FlightInteractor, over link: FakeLink, inMission: Bool
    ) async throws -> CommandReply {
        guard inMission else { return try await flight.armAndTakeOff() }
        return try await CommandSequence.run(over: link) { try await flight.armAndTakeOff() }
    }

    @Test(arguments: [false, true])
    func `its steps are one command of the user, and the disarming after a refusal is another`(
        inMission: Bool
    ) async throws {
        let link = FakeLink(clock: clock, speed: 50)
        let flight = try await connected(link)
        let refusal = CommandReply(accepted: false, message: "windy")
        link.script(.delay(.zero), .delay(.zero), .delay(.zero), .reply(refusal))
        await #expect(throws: FlightInteractor.Failure.self) {
            try await clock.run(through: { try await Self.takeOff(flight, over: link, inMission: inMission) })
        }
        #expect(link.commands == [.arm(true), .enableOutput(true), .offboard, .takeoff, .arm(false)])
        let sequences = link.sequences
        #expect(sequences.count == 5 && sequences[0] != nil && sequences[4] == nil)
        #expect(sequences.prefix(4).allSatisfy { $0 === sequences[0] })
        await link.close()
    }

    @Test func `a vehicle of which nothing more is heard gets no further step`() async throws {
        let link = FakeLink(clock: clock, speed: 50)
        let flight = try await connected(link)
        let clock = clock
        link.script(.reply(CommandReply(accepted: true, message: "armed")))
        let said = Mutex<[String]>([])
        await #expect {
            try await clock.run(through: {
                try await flight.armAndTakeOff { line in
                    said.withLock { $0.append(line) }
                    if line == "arming" { link.setVehicleSilent(true) }
                }
            })
        } throws: { error in "\(error)".contains("no further step is sent to it") }
        #expect(link.commands == [.arm(true)])
        #expect(said.withLock { $0.last?.hasPrefix("the vehicle may be armed: ") } == true)
        await link.close()
    }

    /// It may hover: a low speed alone shows nothing.
    @Test(arguments: [nil, 0, 0.5] as [Double?])
    func `motors armed for a take-off that is refused run on unless a height since then shows that it stands`(
        heightAge: Double?
    ) async throws {
        let link = FakeLink(clock: clock, speed: 50)
        let flight = try await connected(link)
        let clock = clock
        let refusal = CommandReply(accepted: false, message: "too windy")
        link.script(.delay(.zero), .delay(.zero), .delay(.zero), .reply(refusal))
        let said = Mutex<[String]>([])
        await #expect(throws: FlightInteractor.Failure.self) {
            try await clock.run(through: { [self] in
                try await flight.armAndTakeOff { line in
                    said.withLock { $0.append(line) }
                    guard line == "taking off" else { return }
                    link.setVehicleSilent(true)
                    let later = clock.now + .milliseconds(1)
                    var telemetry = radio(.armed, height: nil)
                    telemetry.flight?.at = later
                    telemetry.tracker = Sample(
                        TrackerStatus(
                            tracker: "NullTracker", controller: "EmergencyController", takesReferences: false,
                            hasGoal: false), at: later)
                    telemetry.velocityMetresPerSecond = Sample(Vector3(x: 0.1, y: 0, z: 0), at: later)
                    telemetry.heightAboveGroundMetres = heightAge.map { Sample(0.1, at: later - .seconds($0)) }
                    link.publish(telemetry)
                }
            })
        }
        let stands = heightAge == 0
        #expect(link.commands.contains(.arm(false)) == stands, "\(link.commands)")
        #expect(said.withLock { $0.last }?.hasPrefix(stands ? "disarming" : "not disarmed") == true)
        await link.close()
    }

    private func radio(_ state: FlightState, isArmed: Bool = true, height: Double?) -> Telemetry {
        var telemetry = Telemetry(vehicle: "uav1")
        telemetry.flight = Sample(
            FlightStatus(
                state: state, isArmed: isArmed, isOffboard: false, isOutputEnabled: false, isFlyingNormally: false),
            at: clock.now)
        telemetry.heightAboveGroundMetres = height.map { Sample($0, at: clock.now) }
        return telemetry
    }
}
