import FlightControl
import Testing
import UAVLink
import UAVTestKit

/// How a refusal is worded.
@Suite struct RefusalWordsTests {
    /// As the real flight stack writes them.
    @Test(arguments: [
        ("the tracker 'NullTracker' does not implement the 'setReference()' function!", "not flying: take off first"),
        ("can not takeoff, UAV not armed!", "not armed: arm first"),
        ("can not takeoff, UAV not in offboard mode!", "not in offboard mode: 'takeoff --arm' sets it"),
        (
            "can not takeoff, Control Manager's output is disabled!",
            "its control output is off: 'takeoff --arm' switches it on"
        ),
        ("can not takeoff, need 'NullTracker' to be active!", "not on the ground: it flies, lands or hovers"),
        (
            "can not land, 'NullTracker' is active!",
            "its flight stack does not fly it: it is on the ground, or flown by radio"
        ),
        (
            "can not land home, did not takeoff before!",
            "no home: it has not taken off since its flight stack started"
        ),
        ("can not trigger eland while not flying", "not flying"),
        // A Tello's, of both editions.
        ("error Motor stop", "not flying: its motors are stopped"),
        ("error Motor Stop", "not flying: its motors are stopped"),
        ("Cannot switch to offboard, not armed.", "not armed: arm first"),
        (
            "Cannot switch to offboard, missing control input.",
            "no control input yet: switch the control output on, and wait a second"
        ),
        (
            "failed to set the reference, the point is outside of the safety area!",
            "the goal is outside of the safety area, too high or too low, or in an unknown frame"
        ),
        ("the reference could not be transformed", "unknown frame: the vehicle has no transformation for it"),
        ("can not load trajectory with size 0", "the trajectory has no points"),
        (
            "the trajectory dt (0.02 s) is too small (smaller than the tracker's internal step size: 0.0415 s)",
            "its control loop is slower than the time between the samples, perhaps since its computer is busy: "
                + "send it again, or with a larger --dt and --spacing"
        ),
        // After an emergency hover, or a hover that has interrupted a landing: the vehicle holds, and takes only a landing.
        (
            "can not set the reference, the callbacks are disabled",
            """
            no goal is accepted now: it takes off, lands, is in an emergency, or holds after an emergency hover or \
            an interrupted landing (then land, and take off again)
            """
        ),
        (
            "can not land, already landing",
            "landing already, or holding after an interrupted landing: then only 'land' is accepted"
        ),
    ])
    func `a refusal is reported in plain words, the vehicle's own text behind them`(message: String, plain: String) {
        let failure = FlightInteractor.Failure.refused(command: "x", message: message)
        #expect(failure.description == "the vehicle refused x: \(plain) (\(message))")
    }

    /// What the telemetry shows is not left open.
    @Test func `a landing is refused on the ground without a word of the radio`() async throws {
        let clock = FakeClock()
        let link = FakeLink(clock: clock)
        try await link.connect(within: .seconds(1))
        #expect(await clock.run { link.latestTelemetry?.flight?.value.state == .disarmed })
        let flight = FlightInteractor(FlightDependency(link: link, clock: clock))
        do throws(FlightInteractor.Failure) {
            _ = try await flight.perform(.land)
            Issue.record("accepted")
        } catch {
            let own = "can not land, 'NullTracker' is active!"
            #expect(error.description == "the vehicle refused land: it is on the ground already (\(own))")
        }
        await link.close()
    }

    @Test(arguments: ["the reference could not be transformed", "Could not transform the reference"])
    func `a goal in a frame that the vehicle does not know is refused with its name`(own: String) async throws {
        let clock = FakeClock()
        let link = FakeLink(.flying, clock: clock)
        try await link.connect(within: .seconds(1))
        let flight = FlightInteractor(FlightDependency(link: link, clock: clock))
        func refusal(_ frame: FrameName, _ message: String) async -> String? {
            link.script(.reply(CommandReply(accepted: false, message: message)))
            let goal = Command.Destination(.frame(frame), position: Vector3(x: 1, y: 0, z: 3), headingRadians: 0)
            do throws(FlightInteractor.Failure) {
                _ = try await flight.perform(.goTo(goal))
                return nil
            } catch { return error.description }
        }
        #expect(
            await refusal(FrameName("nope"), own)
                == "the vehicle refused goto: unknown frame 'nope': the vehicle has no transformation for it; "
                + "without a frame its present one is used (\(own))")
        // Any other refusal, and the present frame, which has no name.
        #expect(await refusal(FrameName("nope"), "no fuel") == "the vehicle refused goto: no fuel")
        #expect(await refusal(.current, own)?.hasPrefix("the vehicle refused goto: unknown frame: ") == true)
        await link.close()
    }

    @Test func `a take-off in the air is refused before anything is said of one`() async throws {
        let clock = FakeClock()
        let link = FakeLink(.flying, clock: clock)
        try await link.connect(within: .seconds(1))
        #expect(await clock.run { link.latestTelemetry?.flight?.value.state == .flying })
        let flight = FlightInteractor(FlightDependency(link: link, clock: clock))
        await #expect(throws: FlightInteractor.Failure.self) {
            try await clock.run(through: { try await flight.armAndTakeOff { line in #expect(line != "taking off") } })
        }
        await link.close()
    }

    @Test func `a refusal that is plain or not known is reported once`() {
        func reported(_ message: String) -> String {
            FlightInteractor.Failure.refused(command: "goto", message: message).description
        }
        #expect(reported("not flying") == "the vehicle refused goto: not flying: take off first")
        #expect(reported("the gimbal fell off") == "the vehicle refused goto: the gimbal fell off")
        #expect(reported("") == "the vehicle refused goto: no reason given")
    }

    /// The vehicle refuses its control output without a text.
    @Test func `a refusal without a text is reported with the reason that is known`() {
        let failure = FlightInteractor.Failure.refused(command: "output-on", message: "")
        #expect(
            failure.description.hasPrefix(
                "the vehicle refused output-on: after an emergency landing the control output stays off"))
        #expect(failure.description.hasSuffix("(no reason given)"))
    }
}
