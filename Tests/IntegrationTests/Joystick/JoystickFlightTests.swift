import JoystickMode
import IntegrationKit
import Testing
import UAVLink

/// Flying by hand over the channel, from keys and sticks to the simulated vehicle and back.
@MainActor
@Suite("Flying by hand", .serialized, .timeLimit(.minutes(MachinePace.minutes(5))))
struct JoystickFlightTests {
    private let keys: [(key: StickKey, way: Vector3)] = [
        (StickKey("w", .forward), Vector3(x: 1, y: 0, z: 0)), (StickKey("d", .right), Vector3(x: 0, y: -1, z: 0)),
        (StickKey("s", .back), Vector3(x: -1, y: 0, z: 0)), (StickKey("a", .left), Vector3(x: 0, y: 1, z: 0)),
    ]

    @Test("held keys fly a square and bring the vehicle back; then it hovers")
    func square() async throws {
        let joystick = try await JoystickFlight(source: .keyboard)
        joystick.send(.changeFrame)
        try await joystick.take()
        let start = joystick.position
        let watch = joystick.watch()
        let begin = SchedulingWatch.now
        for (key, way) in keys {
            let legBegin = SchedulingWatch.now
            let corner = joystick.position
            joystick.send(.press(key))
            try await joystick.flight.wait("2 m along \(way)") { seen in
                guard let place = seen.pose?.value.positionMetres else { return false }
                return (place - corner).dot(way) > 2
            }
            joystick.send(.release(key))
            try await joystick.rest()
            let flown = joystick.position - corner
            // It is seen late, and the key let go of late, where a process was kept waiting: 2 m in each second of that.
            watch.settle()
            let waited = Double(watch.waited(from: legBegin, to: SchedulingWatch.now)) / 1e9
            let account = watch.account(from: legBegin, to: SchedulingWatch.now)
            #expect(flown.dot(way) >= 2 && flown.dot(way) <= 4 + 2 * waited, "\(flown); \(account)")
            #expect((flown - way * flown.dot(way)).length < 0.3, "\(flown)")
        }
        let waited = Double(watch.waited(from: begin, to: SchedulingWatch.now)) / 1e9
        let share = waited * 1e9 / Double(SchedulingWatch.now - begin)
        #expect((joystick.position - start).length < 2 + 2 * waited)
        let applied = try #require(joystick.view.shown.appliedHertz)
        print("joystick: \(applied) setpoints a second reached the vehicle of 100 that were asked for")
        #expect(applied > 0 && applied > 50 * (1 - share), "\(watch.account(from: begin, to: SchedulingWatch.now))")
        joystick.send(.toggleControl)
        #expect(await eventually { joystick.view.shown.control.text == "RELEASED" })
        #expect(joystick.view.shown.lastStop?.text.contains("braked") == true)
        await joystick.end()
    }

    @Test("on a terminal that tells no key-up each press is one step on the vehicle, too")
    func steps() async throws {
        let joystick = try await JoystickFlight(source: .keyboard, reportsReleases: false)
        try await joystick.take()
        let watch = joystick.watch()
        for _ in 0..<3 {
            let begin = SchedulingWatch.now
            let (start, heading) = (joystick.position, joystick.heading)
            joystick.send(.press(StickKey("w", .forward)))
            #expect(await eventually { joystick.speed > 0.3 })
            try await joystick.rest()
            // The model's step is 0.5 m; the vehicle follows the setpoints with its own dynamics.
            let flown = joystick.position - start
            watch.settle()
            let longest = watch.longestWait(from: begin, to: SchedulingWatch.now)
            let account = watch.account(from: begin, to: SchedulingWatch.now)
            if longest < 100_000_000 {
                #expect((0.3...0.8).contains(flown.length), "\(flown); \(account)")
            } else {
                // Its setpoints came late or not at all.
                #expect((0.01...2).contains(flown.length), "\(flown); \(account)")
                print("joystick: NOT JUDGED how long this step is, \(flown.length) m; \(account)")
            }
            joystick.send(.press(StickKey("q", .turnLeft)))
            #expect(await eventually { abs(Heading.wrapped(joystick.heading - heading)) > 0.15 })
            try await joystick.rest()
        }
        await joystick.end()
    }

    @Test("the controller flies the vehicle, and pulling it in full motion leaves the vehicle hovering")
    func pulled() async throws {
        let joystick = try await JoystickFlight(source: .controller)
        #expect(await eventually { joystick.view.shown.source.contains("virtual") })
        // Sticks that are not in the middle engage nothing.
        try joystick.pad("axis righty 1")
        #expect(await eventually { joystick.view.shown.sticks.rightY == 1 })
        joystick.send(.toggleControl)
        #expect(joystick.view.shown.advice == "centre the sticks: forward")
        try joystick.pad("axis righty 0")
        #expect(await eventually { joystick.view.shown.control.text == "ENGAGED" })
        try joystick.pad("axis righty 1", "axis leftx -0.4")
        #expect(await eventually { joystick.speed > 1.8 })

        let watch = joystick.watch()
        let sent = joystick.flight.link.quality.setpointsSent
        let pulled = SchedulingWatch.now
        try joystick.pad("detach")
        #expect(await eventually { joystick.releases == 1 })
        let braked = SchedulingWatch.now
        let last = joystick.flight.link.quality.setpointsSent
        #expect(await eventually { joystick.speed < 0.25 })
        let rested = SchedulingWatch.now
        watch.settle()
        let account = watch.account(from: pulled, to: rested)
        print(
            "controller pulled: braked after at most \((braked - pulled) / 1_000_000) ms, at rest after "
                + "\((rested - pulled) / 1_000_000) ms, \(last - sent) setpoints meanwhile; \(account)")
        #expect(
            joystick.view.shown.lastStop?.text.hasPrefix("stopped: the game controller was unplugged; braked")
                == true)
        #expect(braked - pulled - watch.longestWait(from: pulled, to: braked) < 2_000_000_000, "\(account)")
        #expect(rested - pulled - watch.longestWait(from: pulled, to: rested) < 6_000_000_000, "\(account)")

        // Plugged in again with the stick pushed: nothing.
        try joystick.pad("attach", "axis righty 1")
        #expect(await eventually { joystick.view.shown.sticks.rightY == 1 })
        let place = joystick.position
        await joystick.flyOn()
        #expect(joystick.flight.link.quality.setpointsSent == last)
        #expect((joystick.position - place).length < 0.2)
        #expect(joystick.flight.link.latestTelemetry?.flight?.value.state == .flying)
        await joystick.end()
    }

    @Test("leaving the screen in full motion leaves the vehicle hovering")
    func left() async throws {
        let joystick = try await JoystickFlight(source: .keyboard)
        try await joystick.take()
        joystick.send(.press(StickKey("w", .forward)))
        #expect(await eventually { joystick.speed > 1.8 })
        let clock = ContinuousClock()
        let start = clock.now
        await joystick.leave()
        let braked = clock.now - start
        // The module waited for the answer, so the vehicle's end has told of it, too.
        #expect(await eventually(within: .seconds(2)) { joystick.releases == 1 })
        let last = joystick.flight.link.quality.setpointsSent
        #expect(await eventually { joystick.speed < 0.25 })
        print(
            "screen left: answered after \(braked.inMilliseconds.rounded()) ms, at rest after "
                + "\(Int((clock.now - start).inMilliseconds)) ms")
        #expect(joystick.flight.link.quality.setpointsSent == last)
        await joystick.end()
        #expect(joystick.releases == 1)
    }
}
