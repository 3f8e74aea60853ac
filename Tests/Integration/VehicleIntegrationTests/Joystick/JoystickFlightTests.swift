import FlightTestKit
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
            try await joystick.fly(
                watch, since: legBegin, push: { joystick.send(.press(key)) }, letGo: { joystick.send(.release(key)) }
            ) { seen in
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
        // The rate is that of the last three seconds: what the machine did before has no part in it.
        let applied = try #require(joystick.view.shown.appliedHertz)
        watch.settle()
        let end = SchedulingWatch.now
        let waited = Double(watch.waited(from: begin, to: end)) / 1e9
        #expect((joystick.position - start).length < 2 + 2 * waited)
        let measured = max(begin, end - 3_100_000_000)
        let share = Double(watch.waited(from: measured, to: end)) / Double(end - measured)
        print("joystick: \(applied) setpoints a second reached the vehicle of 100 that were asked for")
        #expect(applied > 0 && applied > 50 * (1 - share), "\(watch.account(from: measured, to: end))")
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
            // By the place, which stays: a step is so short that its speed may be over before it is looked at.
            try await joystick.fly(
                watch, since: begin, push: { joystick.send(.press(StickKey("w", .forward))) }, letGo: {}
            ) { seen in
                seen.pose.map { ($0.value.positionMetres - start).length > 0.1 } ?? false
            }
            try await joystick.rest()
            // The model's step is 0.5 m; the vehicle follows the setpoints with its own dynamics.
            let flown = joystick.position - start
            watch.settle()
            let longest = watch.longestWait(from: begin, to: SchedulingWatch.now)
            let account = watch.account(from: begin, to: SchedulingWatch.now)
            if longest < JoystickFlight.starvedNanoseconds {
                #expect((0.3...0.8).contains(flown.length), "\(flown); \(account)")
            } else {
                // Its setpoints came late or not at all.
                #expect((0.01...2).contains(flown.length), "\(flown); \(account)")
                print("joystick: NOT JUDGED how long this step is, \(flown.length) m; \(account)")
            }
            try await joystick.fly(
                watch, since: begin, push: { joystick.send(.press(StickKey("q", .turnLeft))) }, letGo: {}
            ) { seen in
                seen.pose.map { abs(Heading.wrapped($0.value.headingRadians - heading)) > 0.15 } ?? false
            }
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
        let watch = joystick.watch()
        try await joystick.fly(
            watch, since: SchedulingWatch.now, push: { try joystick.pad("axis righty 1", "axis leftx -0.4") },
            letGo: { try joystick.pad("axis righty 0", "axis leftx 0") }
        ) { $0.velocityMetresPerSecond.map { $0.value.length > 1.8 } ?? false }
        let releases = joystick.releases
        let sent = joystick.flight.link.quality.setpointsSent
        let pulled = SchedulingWatch.now
        try joystick.pad("detach")
        #expect(await eventually { joystick.releases == releases + 1 })
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
            joystick.view.shown.lastStop?.text.hasPrefix("steering ended: the game controller was unplugged; braked")
                == true)
        #expect(braked - pulled - watch.longestWait(from: pulled, to: braked) < 2_000_000_000, "\(account)")
        #expect(rested - pulled - watch.longestWait(from: pulled, to: rested) < 6_000_000_000, "\(account)")

        // Plugged in again with the stick pushed: nothing.
        try joystick.pad("attach", "axis righty 1")
        #expect(await eventually { joystick.view.shown.sticks.rightY == 1 })
        // Where it brakes and comes back it is slow for an instant, and moves on.
        try await joystick.rest()
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
        let key = StickKey("w", .forward)
        try await joystick.fly(
            joystick.watch(), since: SchedulingWatch.now, push: { joystick.send(.press(key)) },
            letGo: { joystick.send(.release(key)) }
        ) { $0.velocityMetresPerSecond.map { $0.value.length > 1.8 } ?? false }
        let releases = joystick.releases
        let clock = ContinuousClock()
        let start = clock.now
        await joystick.leave()
        let braked = clock.now - start
        // The mode waited for the answer, so the vehicle's end has reported it, too.
        #expect(await eventually(within: .seconds(2)) { joystick.releases == releases + 1 })
        let last = joystick.flight.link.quality.setpointsSent
        #expect(await eventually { joystick.speed < 0.25 })
        print(
            "screen left: answered after \(braked.inMilliseconds.rounded()) ms, at rest after "
                + "\(Int((clock.now - start).inMilliseconds)) ms")
        #expect(joystick.flight.link.quality.setpointsSent == last)
        await joystick.end()
        #expect(joystick.releases == releases + 1)
    }
}
