import FlightTestKit
import IntegrationKit
import MRS
import MRSMessages
import MRSMessagesROS2
import ROS2
import ROS2Node
import SimulatedVehicleNode
import Simulation
import Testing
import UAVLink
import Zenoh

@testable import MRSROS2

/// The link in ROS 2 to the simulated vehicle, through a router of eclipse-zenoh whose client looks at every publication.
@Suite("the link in ROS 2", .serialized, .timeLimit(.minutes(MachinePace.minutes(5))))
struct ROS2LinkPeerTests {
    private static let steering = "/uav1/control_manager/velocity_reference"

    private static func link(
        _ peer: ROS2Peer, vehicle: String = "uav1", isCompanion: Bool = false
    ) throws -> ROS2Link {
        guard isCompanion else {
            return try ROS2Link(vehicle: vehicle, router: peer.locator, domain: 0, environment: [:])
        }
        return try ROS2Link(
            companionOf: vehicle,
            configuration: ROS2Configuration(zenoh: try ZenohConfiguration(locator: peer.locator)))
    }

    /// Runs `body` with a vehicle that is in the graph.
    private static func withVehicle(_ body: (ROS2Peer) async throws -> Void) async throws {
        try await ROS2Peer.with { peer in
            let node = try SimulatedVehicleROS2Node(
                try HexacopterSimulator(SimulatorConfiguration()),
                configuration: ROS2Configuration(zenoh: try ZenohConfiguration(locator: peer.locator)))
            let living = Task { try await node.run() }
            do { try await body(peer) } catch {
                living.cancel()
                _ = await living.result
                throw error
            }
            living.cancel()
            try await living.value
            // What the vehicle received of us was never refused.
            #expect(node.refused == [:])
        }
    }

    private static func with(_ link: ROS2Link, _ body: (ROS2Link) async throws -> Void) async throws {
        do {
            try await link.connect(within: .patient(seconds: 20))
            try await body(link)
        } catch {
            await link.close()
            throw error
        }
        await link.close()
    }

    private static func setpoint(_ metresPerSecond: Double) -> VelocitySetpoint {
        VelocitySetpoint(
            velocityMetresPerSecond: Vector3(x: metresPerSecond, y: 0, z: 0), intendedAt: SystemMonotonicClock().now,
            validFor: .milliseconds(200))
    }

    private static func failure(_ link: ROS2Link, within timeout: Duration = .patient(seconds: 10)) async -> LinkError?
    {
        defer { Task { await link.close() } }
        do throws(LinkError) {
            try await link.connect(within: timeout)
            return nil
        } catch { return error }
    }

    @Test func `it takes off, goes to a place, is steered and lands`() async throws {
        try await Self.withVehicle { peer in
            try await Self.with(try Self.link(peer)) { link in
                let isSubscribed = try await eventually {
                    try await peer.run("subscribe \(Self.steering)") == [["subscribed", Self.steering]]
                }
                #expect(isSubscribed)
                let refused = try await link.perform(.takeoff, within: .patient(seconds: 10))
                #expect(refused.message == "can not takeoff, UAV not armed!")
                let flight = Flight(link)
                try await flight.takeOff()
                try await flight.perform(
                    .goTo(.init(.frame(.current), position: Vector3(x: 2, y: 1, z: 2), headingRadians: 0)))
                let goal = Vector3(x: 2, y: 1, z: 2)
                try await flight.wait("at the goal") { telemetry in
                    telemetry.pose.map { ($0.value.positionMetres - goal).length < 0.3 } ?? false
                        && telemetry.tracker?.value.hasGoal == false
                }
                for step in 0..<60 {
                    try link.steer(Self.setpoint(step < 5 ? 0 : 1))
                    try await Task.sleep(for: .milliseconds(30))
                }
                try await flight.wait("moved by the stick") { ($0.pose?.value.positionMetres.x ?? 0) > 2.5 }
                // The peer's thread hears them when it gets to run.
                var heard: [String] = []
                let isHeard = try await eventually {
                    heard = try await peer.run("topic \(Self.steering)").first ?? []
                    return heard.dropFirst(2).first.flatMap { Int($0) } ?? 0 > 50
                }
                #expect(isHeard, "\(heard)")
                #expect(heard.dropFirst(3).first == "0", "\(heard)")
                try await flight.perform(.hover)
                let envelope = try await link.flightEnvelope(within: .patient(seconds: 10))
                #expect(envelope.limits?.horizontal.speed == 4)
                #expect(envelope.worldOrigin?.source == .transformer)
                try await flight.land()
                #expect(link.quality.isConnected)
            }
        }
    }

    @Test func `a lost router is a lost vehicle, and motion begins anew by a neutral setpoint`() async throws {
        try await Self.withVehicle { peer in
            try await Self.with(try Self.link(peer)) { link in
                let flight = Flight(link)
                try await flight.takeOff()
                for step in 0..<20 {
                    try link.steer(Self.setpoint(step < 5 ? 0 : 0.5))
                    try await Task.sleep(for: .milliseconds(20))
                }
                try await peer.run("stop")
                let isRefused = await eventually { (try? link.steer(Self.setpoint(0.5))) == nil }
                #expect(isRefused)
                #expect(await eventually { !link.quality.isConnected })
                try await peer.run("start")
                #expect(await eventually(within: .seconds(40)) { link.quality.isConnected })
                // The stick is still deflected.
                let words = await eventually {
                    do throws(LinkError) {
                        try link.steer(Self.setpoint(0.5))
                        return false
                    } catch { return error.what.contains("until one is neutral") }
                }
                #expect(words)
                #expect(await eventually { (try? link.steer(Self.setpoint(0))) != nil })
                try link.steer(Self.setpoint(0.5))
                try await flight.land()
            }
        }
    }

    @Test func `a vehicle with another type is refused by name, and nothing is sent`() async throws {
        try await ROS2Peer.with { peer in
            let hash = "RIHS01_" + String(repeating: "0", count: 64)
            let status = "mrs_msgs::msg::dds_::HwApiStatus_/\(hash)/::,10:,:,:,,"
            try await peer.run("token @ros2_lv/0/abc/1/2/MP/%/%uav2/hw_api/%uav2%hw_api%status/\(status)")
            let error = await Self.failure(try Self.link(peer, vehicle: "uav2"))
            #expect(error?.code == .typeMismatch)
            #expect(
                error?.what.contains("its mrs_msgs/msg/HwApiStatus (/uav2/hw_api/status) differs from ours") == true)
            let absent = await Self.failure(try Self.link(peer, vehicle: "uav3"))
            #expect(absent?.code == .serviceMissing)
        }
    }

    @Test func `a vehicle with an older rmw_zenoh is refused before anything is sent`() async throws {
        try await ROS2Peer.with { peer in
            let key = "nav_msgs::msg::dds_::Odometry_/\(NavMsgs.Odometry.ros2TypeHash)"
            let name = "uav2/estimation_manager/odom_main"
            let token = "%uav2/estimation_manager/%uav2%estimation_manager%odom_main/\(key)/::,10:,:,:,,"
            try await peer.run("token @ros2_lv/0/abc/1/2/MP/%/\(token)")
            var odometry = NavMsgs.Odometry()
            odometry.pose.pose.orientation.w = 1
            let payload = odometry.cdr.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            let link = try Self.link(peer, vehicle: "uav2")
            async let failure = Self.failure(link)
            var error: LinkError?
            let putting = Task {
                while !Task.isCancelled {
                    _ = try? await peer.run("put 0/\(name)/\(key) \(payload) old")
                    try? await Task.sleep(for: .milliseconds(50))
                }
            }
            error = await failure
            putting.cancel()
            await putting.value
            #expect(error?.code == .typeMismatch)
            #expect(error?.what.contains("rmw_zenoh before 0.2.4") == true)
        }
    }

    @Test func `there is one companion in a graph`() async throws {
        try await Self.withVehicle { peer in
            try await Self.with(try Self.link(peer, isCompanion: true)) { _ in
                let second = await Self.failure(try Self.link(peer, isCompanion: true))
                #expect(second?.code == .companionUnavailable)
            }
        }
    }
}
