import IntegrationKit
import SystemIO
import Testing
import UAVLink

@testable import FlightPlans
@testable import Tello
@testable import TelloEmulator

/// Plans flown by the emulated drone, over real sockets.
@Suite("Flight plans over sockets", .serialized, .timeLimit(.minutes(MachinePace.minutes(2))))
struct PlanLoopbackTests {
    private func rig(pads: [EmulatedTello.Pad] = []) async throws -> (link: TelloLink, emulator: TelloEmulator) {
        var emulated = TelloEmulator.Settings()
        emulated.port = 0
        emulated.statePort = try DatagramSocket(bound: .init(.loopback, port: 0)).port
        emulated.tello.takeOffSeconds = 1.5
        emulated.tello.pads = pads
        let emulator = try TelloEmulator(emulated)
        var settings = TelloLink.Settings(host: "127.0.0.1", port: emulator.port, vehicle: "t1")
        settings.statePort = emulated.statePort
        let link = TelloLink(settings)
        try await link.connect(within: .patient(seconds: 5))
        return (link, emulator)
    }

    private func plan(_ lines: String...) -> FlightPlan {
        PlanReader.read(Array(lines.joined(separator: "\n").utf8)).plan
    }

    @Test func `a plan with an arc, a flip and a pad ends where its dry run says`() async throws {
        let (link, emulator) = try await rig(pads: [.init(2, x: 1, y: -1)])
        let plan = plan(
            "pad m2 100 -100", "speed 100", "mon", "takeoff", "forward 100", "cw 90", "curve 50 50 0 100 0 0 60",
            "go 0 0 90 100 m2", "wait 0.5", "flip b", "stop", "ccw 90", "land")
        let check = PlanCheck(plan, for: link.version)
        #expect(check.problems.map(\.description) == [])
        let end = await PlanRunner(plan, on: link, clock: SystemMonotonicClock()).run()
        #expect(end == .flown)
        #expect(
            emulator.tello.commands == plan.steps.map(\.action.text).filter { !$0.hasPrefix("wait") },
            "\(emulator.tello.commands)")
        let place = try #require(check.run.moments.last?.place)
        let body = emulator.tello.body
        #expect(abs(body.x - place.x) < 0.2 && abs(body.y - place.y) < 0.2, "\(body) \(place)")
        #expect(emulator.tello.activity == .standing)
        await link.close()
        await emulator.end()
    }

    @Test func `a stop ends the move that is flown, and the next step is not sent`() async throws {
        let (link, emulator) = try await rig()
        let runner = PlanRunner(
            plan("takeoff", "forward 500", "back 500", "land"), on: link, clock: SystemMonotonicClock())
        let flight = Task { await runner.run() }
        #expect(await eventually { emulator.tello.commands.contains("forward 500") })
        let reply = try await runner.stop()
        #expect(reply.accepted, "\(reply)")
        #expect(await flight.value == .stopped)
        #expect(emulator.tello.activity == .hovering && !emulator.tello.commands.contains("back 500"))
        _ = try await runner.land()
        #expect(await eventually { emulator.tello.activity == .standing })
        await link.close()
        await emulator.end()
    }
}
