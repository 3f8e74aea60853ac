import RouteFlight
import UAVTestKit
import Testing
import Trajectories
import UAVLink

/// What telemetry says of the flight.
extension RouteFlightControllerTests {
    @Test("telemetry that contradicts is believed: flown without a start, not stopped, not started, stopped by others")
    func contradictions() async throws {
        tell(index: 7)
        #expect(state == "flying another's")
        #expect(controller.refusal(of: .start) == .nothingLoaded)
        tell()
        #expect(state == "nothing")
        try await controller.send(try confirmed(version()))
        clock.advance(by: .seconds(2))
        tell(index: 9)
        #expect(state == "flying")
        try await controller.stop()
        #expect(state == "stopped")
        clock.advance(by: .milliseconds(1100))
        tell(index: 20)
        #expect(state == "flying")
        clock.advance(by: .milliseconds(100))
        tell()
        #expect(state == "stopped")
        try await controller.start()
        clock.advance(by: .seconds(6))
        tell()
        #expect(state == "uploaded")
        // No telemetry is no contradiction, however much time passes.
        try await controller.start()
        clock.advance(by: .seconds(60))
        controller.look()
        #expect(state == "flying")
    }

    @Test("the vehicle holds an older route after each change, until that is taken back or sent")
    func older() async throws {
        let (first, second) = (version(), version(to: 20))
        controller.edits(first)
        try await controller.send(try confirmed(first))
        #expect(controller.held?.isOlder == false)
        controller.edits(second)
        #expect(state == "uploaded, older")
        #expect(controller.allows(.start))
        try await controller.start()
        #expect(controller.held?.isOlder == true)
        controller.edits(first)
        #expect(controller.held?.isOlder == false)
        // The same points on another screen are another route.
        controller.edits(version(.indoor))
        #expect(controller.held?.isOlder == true)
        controller.edits(second)
        try await controller.send(try confirmed(second))
        #expect(state == "uploaded")
        // What is sent may be older by the time it has arrived.
        controller.edits(first)
        try await controller.send(try confirmed(second))
        #expect(state == "uploaded, older")
    }

    @Test("the way to the start leads from the vehicle to the first sample, until it is flown")
    func wayToStart() async throws {
        tell(at: Vector3(x: 0, y: 4, z: 5))
        #expect(controller.wayToStart == [])
        try await controller.send(try confirmed(version()))
        let way = [Vector3(x: 0, y: 4, z: 5), Vector3(x: 0, y: 0, z: 5)]
        #expect(controller.wayToStart == way)
        try await controller.goToStart()
        tell(goal: true, at: Vector3(x: 0, y: 2, z: 5))
        #expect(controller.wayToStart == [Vector3(x: 0, y: 2, z: 5), way[1]])
        tell(goal: true)
        try await controller.start()
        #expect(controller.wayToStart == [])
        try await controller.stop()
        #expect(controller.wayToStart == [])
    }

    @Test("what ended unobserved was flown if the vehicle had the time and is at the end, else stopped")
    func unwatched() async throws {
        let end = Vector3(x: 10, y: 0, z: 5)
        for (seconds, place, expected) in [
            (60, end, "flown"), (60, Vector3(x: 4, y: 0, z: 5), "stopped"), (0, end, "stopped"),
        ] {
            tell()
            try await controller.send(try confirmed(version()))
            try await controller.start()
            clock.advance(by: .milliseconds(100))
            tell(index: 5)
            clock.advance(by: .seconds(seconds))
            tell(at: place)
            #expect(state == expected, "\(seconds) s, \(place)")
        }
    }

    @Test("it is watched until it ends, and given up at the deadline")
    func watching() async throws {
        controller.adopt(try confirmed(version()).plan)
        #expect(state == "uploaded")
        try await controller.start()
        var reported: [Double] = []
        let watched = Task {
            try await controller.watch(until: clock.now + .seconds(60), onProgress: { reported.append($0) })
        }
        await clock.run(for: .milliseconds(100))
        tell(index: 5)
        await clock.run(for: .milliseconds(100))
        tell()
        await clock.run(for: .milliseconds(100))
        guard case .stopped(let fraction) = try await watched.value else {
            Issue.record("what was stopped long before its end was not flown")
            return
        }
        #expect(fraction > 0 && fraction < 0.98)
        #expect(reported.contains { $0 > 0 })
        let silent = Task { try await controller.watch(until: clock.now + .seconds(2)) }
        await clock.run(for: .seconds(3))
        #expect(try await silent.value == .notEnded)
    }

    @Test("what is flown to its end is distinguished from what is stopped, and from what is not followed")
    func endings() async throws {
        let plan = try confirmed(version()).plan
        controller.adopt(plan)
        try await controller.start()
        let flown = Task { try await controller.watch(until: clock.now + .seconds(60)) }
        await clock.run(for: .milliseconds(100))
        tell(index: plan.generated.trajectory.points.count - 1)
        await clock.run(for: .milliseconds(100))
        tell(at: Vector3(x: 10, y: 0, z: 5))
        await clock.run(for: .milliseconds(100))
        #expect(try await flown.value == .flown)
        tell()
        try await controller.start()
        let ignored = Task { try await controller.watch(until: clock.now + .seconds(60)) }
        for _ in 0..<70 {
            await clock.run(for: .milliseconds(100))
            tell()
        }
        await clock.run(for: .milliseconds(100))
        #expect(try await ignored.value == .notFollowed)
    }
    /// The vehicle was far from the last sample when the tracker passed it.
    @Test("past the last sample it still flies until it is at the end; one that ends elsewhere was stopped")
    func lateEnd() async throws {
        for (goal, place, expected) in [
            (false, Vector3(x: 10, y: 0.5, z: 5), "flown"), (false, Vector3(x: 4, y: 0, z: 5), "stopped"),
            (true, Vector3(x: 7, y: 0, z: 5), "flying"),
        ] {
            tell()
            try await controller.send(try confirmed(version()))
            try await controller.start()
            clock.advance(by: .milliseconds(100))
            let last = (controller.held?.plan.generated.trajectory.points.count ?? 1) - 1
            tell(index: last, at: Vector3(x: 3, y: 0, z: 5))
            clock.advance(by: .milliseconds(100))
            tell(goal: true, at: Vector3(x: 4, y: 0, z: 5))
            #expect(state == "flying")
            clock.advance(by: .seconds(2))
            tell(goal: goal, at: place)
            #expect(state == expected, "\(place)")
        }
        // A goal of long after is another one.
        clock.advance(by: .seconds(60))
        tell(goal: true, at: Vector3(x: 6, y: 0, z: 5))
        #expect(state == "stopped")
    }
}
