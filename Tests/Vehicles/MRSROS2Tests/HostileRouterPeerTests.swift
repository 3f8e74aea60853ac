import FlightTestKit
import IntegrationKit
import MRS
import ROS2
import ROS2Node
import SimulatedVehicleNode
import Simulation
import Testing
import UAVLink
import Zenoh

@testable import MRSROS2

/// A flight through a router that delays, doubles, renames and cuts in pieces, that sends nonsense, dies, forgets, or says nothing
/// any more.
///
/// The vehicle is behind the same router of eclipse-zenoh, and a second link, directly to that, watches it.
@Suite("a hostile router", .serialized, .timeLimit(.minutes(MachinePace.minutes(6))))
struct HostileRouterPeerTests {
    fileprivate struct Scene {
        let router: ZenohRelay
        let link: ROS2Link
        let observer: ROS2Link
        let flight: Flight

        /// How fast the vehicle is, as the observer sees it, m/s.
        var speed: Double { observer.latestTelemetry?.velocityMetresPerSecond?.value.length ?? 0 }

        /// Pushes the stick until the vehicle is under way, and goes on pushing until the task is cancelled.
        func push() async throws -> Task<Void, Never> {
            for _ in 0..<10 {
                let stick = Task { await flight.steerOn(Vector3(x: 1, y: 0, z: 0)) }
                if await eventually(within: .seconds(6), { speed > 0.5 }) { return stick }
                stick.cancel()
                await stick.value
            }
            throw ProcessFailure("the vehicle is not under way: \(link.quality)")
        }

        func release(_ stick: Task<Void, Never>) async {
            stick.cancel()
            await stick.value
        }
    }

    private func flying(_ body: (Scene) async throws -> Void) async throws {
        try await ROS2Peer.with { peer in
            let node = try SimulatedVehicleROS2Node(
                try HexacopterSimulator(SimulatorConfiguration()),
                configuration: ROS2Configuration(zenoh: try ZenohConfiguration(locator: peer.locator)))
            let living = Task { try await node.run() }
            let router = try await ZenohRelay(before: peer)
            let link = try ROS2Link(vehicle: "uav1", router: router.locator, domain: 0, environment: [:])
            let observer = try ROS2Link(vehicle: "uav1", router: peer.locator, domain: 0, environment: [:])
            let outcome: Result<Void, any Error>
            do {
                for each in [link, observer] { try await each.connect(within: .patient(seconds: 20)) }
                let scene = Scene(router: router, link: link, observer: observer, flight: Flight(link))
                try await scene.flight.takeOff()
                try await body(scene)
                try await scene.flight.land()
                let report = try await router.report()
                // On the wire, and as the vehicle has received it.
                #expect(report.faults == 0, "\(report.lines)")
                #expect(report.publications > 20 && report.requests > 5)
                outcome = .success(())
            } catch { outcome = .failure(error) }
            await link.close()
            await observer.close()
            await router.stop()
            living.cancel()
            _ = await living.result
            #expect(node.refused == [:])
            try outcome.get()
        }
    }

    @Test func `what a session survives does not stop the flight`() async throws {
        try await flying { scene in
            for mode in ["delay", "duplicate", "alias", "fragment", "pass"] {
                try await scene.router.become(mode)
                let stick = try await scene.push()
                await scene.release(stick)
                try await scene.flight.perform(.hover)
                #expect(await eventually(within: .seconds(20)) { scene.speed < 0.15 }, "\(mode)")
                #expect(scene.link.quality.isConnected, "\(mode)")
                let seen = scene.link.latestTelemetry?.newest
                #expect(await eventually { (scene.link.latestTelemetry?.newest ?? seen) != seen }, "\(mode)")
            }
            #expect(try await scene.router.report().connections == 1)
        }
    }

    @Test(arguments: ["garbage", "cut", "dead", "frozen"])
    func `what ends a session stops the vehicle, until the stick is neutral in the next one`(
        _ mode: String
    ) async throws {
        try await flying { scene in
            let stick = try await scene.push()
            let before = try await scene.router.report().connections
            try await scene.router.become(mode)
            // The stick is still pushed.
            #expect(await eventually(within: .seconds(30)) { scene.speed < 0.15 })
            if mode == "frozen" {
                // It is left after its lease.
                #expect(await eventually(within: .seconds(60)) { !scene.link.quality.isConnected })
            }
            try await scene.router.become("pass")
            #expect(await eventually(within: .seconds(60)) { scene.link.quality.isConnected })
            #expect(await eventually(within: .seconds(30)) { scene.isRefusedUntilNeutral })
            // It may swing back once.
            #expect(await eventually(within: .seconds(20)) { scene.speed < 0.15 })
            await scene.release(stick)
            #expect(try await scene.router.report().connections > before)
            // Everything was declared again: setpoints, services and topics.
            let again = try await scene.push()
            await scene.release(again)
            try await scene.flight.perform(.hover)
            #expect(await eventually(within: .seconds(20)) { scene.speed < 0.15 })
        }
    }

    /// At once, or after what is declared anew has been lost for a while, too.
    @Test(arguments: [false, true])
    func `what an open router has forgotten is declared again`(_ isLasting: Bool) async throws {
        try await flying { scene in
            #expect(await eventually { scene.isInGraph })
            let stick = try await scene.push()
            let before = try await scene.router.report()
            if isLasting { try await scene.router.become("swallow") }
            try await scene.router.become("forget")
            if isLasting {
                // The stick is still pushed, and nothing is received.
                #expect(await eventually(within: .seconds(30)) { scene.speed < 0.15 })
                #expect(!scene.isInGraph)
                try await scene.router.become("pass")
                #expect(await eventually(within: .seconds(60)) { scene.isInGraph })
                #expect(await eventually(within: .seconds(30)) { scene.isRefusedUntilNeutral })
            } else {
                let isDeclared = try await eventually(within: .seconds(30)) {
                    try await scene.router.report().declarations >= before.declarations * 2
                }
                #expect(isDeclared)
                #expect(await eventually(within: .seconds(30)) { scene.isInGraph })
            }
            await scene.release(stick)
            // In the same session, and not all the time.
            let after = try await scene.router.report()
            #expect(after.connections == 1)
            #expect(after.declarations <= before.declarations * (isLasting ? 8 : 3))
            #expect(scene.link.quality.isConnected)
            let again = try await scene.push()
            await scene.release(again)
            try await scene.flight.perform(.hover)
            #expect(await eventually(within: .seconds(20)) { scene.speed < 0.15 })
        }
    }
}

extension HostileRouterPeerTests.Scene {
    /// Whether another session sees the link's node.
    fileprivate var isInGraph: Bool {
        guard let graph = try? observer.connectedGraph(), let name = try? ROS2NodeName(name: link.nodeName) else {
            return false
        }
        return !graph.session.graph.endpoints(of: name).isEmpty
    }

    /// Whether a deflected stick is refused since the session is another one.
    fileprivate var isRefusedUntilNeutral: Bool {
        do throws(LinkError) {
            try link.steer(
                VelocitySetpoint(
                    velocityMetresPerSecond: Vector3(x: 1, y: 0, z: 0), intendedAt: SystemMonotonicClock().now,
                    validFor: .milliseconds(200)))
            return false
        } catch { return error.what.contains("until one is neutral") }
    }
}
