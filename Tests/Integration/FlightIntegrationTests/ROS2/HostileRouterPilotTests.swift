import FlightTestKit
import IntegrationKit
import SocketTransport
import Testing
import UAVLink

/// What a vehicle in ROS 2 does when the way between its companion and its router makes trouble while a ground steers over UDP.
@Suite(
    "a hostile router under a pilot's hand",
    .enabled(if: PilotBehindRouter.missing == nil, "\(PilotBehindRouter.missing ?? "")"), .serialized,
    .timeLimit(.minutes(MachinePace.minutes(5))))
struct HostileRouterPilotTests {
    /// The lease, and as much as `FlightStack.expectHover` allows besides.
    private static let brake: Int64 = 400
    /// The tracker's half a second, and braking from 1 m/s.
    private static let rest: Int64 = 2000

    /// What is late on both ends is late by the same: the time from the last setpoint to the brake stays the lease's.
    @Test func `a ground that is silent: the companion brakes within its lease, whatever the router does`() async throws
    {
        try await PilotBehindRouter.flying { scene in
            for mode in ["pass", "delay", "late", "duplicate", "fragment"] {
                try await scene.relay.become(mode)
                let stick = try await scene.push()
                let watch = scene.watch
                stick.cancel()
                await stick.value
                let rested = try await scene.rested()
                watch.settle()
                let end = max(rested.motionAt, rested.brakedAt)
                let late = watch.longestWait(from: rested.motionAt, to: end) / 1_000_000
                let braked = (rested.brakedAt - rested.motionAt) / 1_000_000
                let account = "\(mode): \(watch.account(from: rested.motionAt, to: end))"
                print("\(mode): a neutral setpoint \(braked) ms after the last one; \(account)")
                #expect(rested.brakedAt > rested.motionAt, "\(mode): no neutral setpoint came")
                #expect(braked - 2 * late < Self.brake, "\(account)")
                #expect(await eventually { scene.hasNoAuthority }, "\(mode)")
                try await scene.relay.become("pass")
            }
            #expect(await eventually { scene.companion.errors.contains("no fresh setpoint") })
        }
    }

    @Test func `a companion that loses its router: the vehicle stops, and the stick moves nothing when it is back`()
        async throws
    {
        try await PilotBehindRouter.flying { scene in
            for mode in ["cut", "dead", "frozen", "garbage"] {
                let stick = try await scene.push()
                let watch = scene.watch
                try await scene.relay.become(mode)
                let rested = try await scene.rested()
                watch.settle()
                let late = watch.longestWait(from: rested.motionAt, to: rested.restedAt) / 1_000_000
                let milliseconds = (rested.restedAt - rested.motionAt) / 1_000_000
                print("\(mode): at rest \(milliseconds) ms after the last setpoint")
                #expect(milliseconds - 2 * late < Self.rest, "\(mode)")
                #expect(await eventually { scene.hasNoAuthority }, "\(mode)")
                try await scene.relay.become("pass")
                try await scene.fliesAgain(stick, after: rested)
            }
        }
    }

    @Test func `a router that restarts: the vehicle stops, and the stick moves nothing when it is back`() async throws {
        try await PilotBehindRouter.flying { scene in
            let stick = try await scene.push()
            try await scene.peer.run("stop")
            let last = scene.witness.account
            #expect(await eventually { scene.hasNoAuthority })
            try await scene.peer.run("start")
            #expect(await eventually(within: .seconds(60)) { scene.witness.account.odometry > last.odometry })
            // Nobody watched it meanwhile: half a second at 1 m/s, braking, and what the vehicle needs besides.
            let rested = try await scene.rested()
            #expect(abs(rested.x - last.x) < 2, "\(last) \(rested)")
            try await scene.fliesAgain(stick, after: rested)
        }
    }

    @Test func `a router that forgets: the pilot steers on`() async throws {
        try await PilotBehindRouter.flying { scene in
            let stick = try await scene.push()
            let before = try await scene.relay.report()
            let (watch, began) = (scene.watch, scene.witness.account.motionAt)
            try await scene.relay.become("forget")
            let isDeclared = try await eventually {
                try await scene.relay.report().declarations > before.declarations
            }
            #expect(isDeclared)
            // Of a machine that kept a process waiting for as long as the lease it may have ended.
            let isSteered = await eventually(within: .seconds(5)) { scene.witness.account.isUnderWay }
            watch.settle()
            let late = watch.longestWait(from: began, to: scene.witness.account.motionAt) / 1_000_000
            #expect(isSteered || late > Self.brake / 2, "\(late) ms; \(scene.companion.errors)")
            stick.cancel()
            await stick.value
            #expect(try await scene.relay.report().connections == before.connections)
            let again = try await scene.push()
            again.cancel()
            await again.value
            _ = try await scene.rested()
        }
    }
}

extension PilotBehindRouter {
    /// Whether the ground is notified that nobody, or another, has control authority.
    fileprivate var hasNoAuthority: Bool { link.latestTelemetry?.control?.value.isYours == false }

    /// Expects that a stick that is still pushed moves nothing once commands work again, and that the pilot can steer anew.
    fileprivate func fliesAgain(
        _ stick: Task<Void, Never>, after rested: RouterWitness.Account,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let answers = await eventually(within: .seconds(60)) {
            (try? await link.perform(.hover, within: .seconds(5)).accepted) == true
        }
        #expect(answers, "\(companion.errors)", sourceLocation: sourceLocation)
        let before = witness.account
        #expect(await eventually { witness.account.odometry >= before.odometry + 100 }, sourceLocation: sourceLocation)
        #expect(witness.account.motions == rested.motions, "motion came back", sourceLocation: sourceLocation)
        stick.cancel()
        await stick.value
        let again = try await push()
        again.cancel()
        await again.value
        _ = try await self.rested()
    }
}
