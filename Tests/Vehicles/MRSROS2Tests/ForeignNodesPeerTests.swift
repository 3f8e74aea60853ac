import FlightTestKit
import Foundation
import IntegrationKit
import MRS
import ROS2Node
import SimulatedVehicleNode
import Simulation
import Testing
import UAVLink
import Zenoh

@testable import MRSROS2

/// Programs of others on both sides: a vehicle in Python that we fly, and a client in Python that reads and calls our vehicle.
@Suite("nodes of others", .serialized, .timeLimit(.minutes(MachinePace.minutes(5))))
struct ForeignNodesPeerTests {
    private static func port(of peer: ROS2Peer) -> String {
        peer.locator.split(separator: ":").last.map(String.init) ?? ""
    }

    /// It ends when it receives what would end a node of the real flight stack.
    @Test func `a vehicle that was written from the facts alone is flown`() async throws {
        try await ROS2Peer.with { peer in
            let vehicle = try ChildProcess([
                ROS2Peer.python, BuiltPrograms.repository + "/Tests/Peers/mrs_node.py", Self.port(of: peer),
            ])
            let link = try ROS2Link(vehicle: "uav1", router: peer.locator, domain: 0, environment: [:])
            let result: Result<Void, any Error>
            do {
                try await vehicle.line(containing: "ready")
                result = .success(try await Self.fly(link, vehicle))
            } catch { result = .failure(error) }
            await link.close()
            await vehicle.stop()
            do { try result.get() } catch {
                Issue.record("\(error): \(vehicle.output) \(vehicle.errors.suffix(2000))")
            }
        }
    }

    private static func fly(_ link: ROS2Link, _ vehicle: ChildProcess) async throws {
        try await link.connect(within: .patient(seconds: 20))
        let early = try await link.perform(.takeoff, within: .patient(seconds: 10))
        #expect(early.message == "can not takeoff, UAV not armed!" && !early.accepted)
        let flight = Flight(link)
        try await flight.takeOff()
        let goal = Vector3(x: 3, y: -2, z: 2)
        try await flight.perform(.goTo(.init(.frame(.current), position: goal, headingRadians: 0)))
        try await flight.wait("at the goal") { telemetry in
            telemetry.pose.map { ($0.value.positionMetres - goal).length < 0.2 } ?? false
        }
        try await flight.steer(Vector3(x: 0, y: 1, z: 0)) { now, start in now.y > start.y + 1 }
        try await flight.wait("at rest") { ($0.velocityMetresPerSecond?.value.length ?? 9) < 0.15 }
        try await flight.land()
        // A service that it does not have is named, at once.
        let missing = await #expect(throws: LinkError.self) {
            try await link.perform(.emergencyLand, within: .patient(seconds: 10))
        }
        #expect(missing?.code == .serviceMissing)
        #expect(vehicle.exitStatus == nil && !vehicle.output.contains("killed"), "\(vehicle.output)")
        // What it prints comes by another way than its telemetry.
        #expect(await eventually { vehicle.output.contains("landed") })
    }

    /// Why the package cannot be run here; `nil` if it can.
    private static let missing: String? = {
        let folder = BuiltPrograms.repository + "/.build/peers/lib"
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let files = versions.map { "\(folder)/\($0)/site-packages/zenoh_ros2_sdk/__init__.py" }
        return files.contains { FileManager.default.fileExists(atPath: $0) }
            ? nil : "zenoh-ros2-sdk is missing: scripts/setup --tests gets it"
    }()

    @Test func `another client reads the graph and a topic of our vehicle, and calls its services`() async throws {
        if let missing = Self.missing { return print("skipped: \(missing)") }
        try await ROS2Peer.with { peer in
            let node = try SimulatedVehicleROS2Node(
                try HexacopterSimulator(SimulatorConfiguration()),
                configuration: ROS2Configuration(zenoh: try ZenohConfiguration(locator: peer.locator)))
            let living = Task { try await node.run() }
            // The client asks once.
            let names = [
                "estimation_manager/odom_main", "control_manager/velocity_reference", "uav_manager/takeoff",
                "control_manager/goto", "control_manager/current_constraints", "hw_api/arming",
            ].map { "/uav1/\($0)" }
            let isThere = await eventually {
                let graph = (try? await peer.run("graph")) ?? []
                return names.allSatisfy { name in graph.contains { $0.contains(name) } }
            }
            #expect(isThere)
            let client = try ChildProcess([
                ROS2Peer.python, BuiltPrograms.repository + "/Tests/Peers/ros2_sdk_peer.py", Self.port(of: peer),
                BuiltPrograms.repository + "/Sources/Vehicles/MRSMessages/Definitions",
            ])
            let isDone = await eventually(within: .seconds(90)) {
                client.exitStatus != nil || client.output.contains("done")
            }
            await client.stop()
            living.cancel()
            _ = await living.result
            let lines = client.output.split(separator: "\n").map(String.init)
            #expect(isDone && lines.last == "done", "\(client.output) \(client.errors.suffix(2000))")
            for line in [
                "topic /uav1/estimation_manager/odom_main nav_msgs/msg/Odometry",
                "topic /uav1/control_manager/velocity_reference mrs_msgs/msg/VelocityReferenceStamped",
                "service /uav1/uav_manager/takeoff std_srvs/srv/Trigger",
                "service /uav1/control_manager/goto mrs_msgs/srv/Vec4", "message 4.0 2.0",
            ] { #expect(lines.contains(line), "\(line)") }
            #expect(lines.count { $0.hasPrefix("answer (True, ") } == 2, "\(lines)")
            #expect(node.refused == [:])
        }
    }
}
