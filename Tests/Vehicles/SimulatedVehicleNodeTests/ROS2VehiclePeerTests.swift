import IntegrationKit
import ROS2Node
import SimulatedVehicleNode
import Simulation
import Synchronization
import Testing
import Zenoh

/// The simulated vehicle in ROS 2, read and flown by a client that has nothing but the written conventions.
@Suite("the simulated vehicle in ROS 2", .serialized, .timeLimit(.minutes(MachinePace.minutes(3))))
struct ROS2VehiclePeerTests {
    private final class Lines: Sendable {
        private let lines = Mutex<[String]>([])
        func add(_ line: String) { lines.withLock { $0.append(line) } }
        var all: [String] { lines.withLock { $0 } }
    }

    /// Runs `body` with a vehicle that is ready.
    private static func with(
        speed: Double = 1, _ body: (ROS2Peer, Lines) async throws -> Void
    ) async throws {
        try await ROS2Peer.with { peer in
            let lines = Lines()
            var settings = SimulatedVehicleNode.Settings()
            settings.speed = speed
            settings.log = { lines.add($0) }
            let node = try SimulatedVehicleROS2Node(
                try HexacopterSimulator(SimulatorConfiguration()),
                configuration: ROS2Configuration(zenoh: try ZenohConfiguration(locator: peer.locator)),
                settings: settings)
            let living = Task { try await node.run() }
            do {
                guard await eventually({ lines.all.contains { $0.contains("uav1 is ready") } }) else {
                    throw ProcessFailure("the simulated vehicle is not ready: \(lines.all)")
                }
                // What it declared last has reached the router.
                let isSeen = try await eventually {
                    try await peer.run("graph").contains { $0.contains("/uav1/uav_manager/diagnostics") }
                }
                #expect(isSeen)
                try await body(peer, lines)
            } catch {
                living.cancel()
                _ = await living.result
                throw error
            }
            living.cancel()
            try await living.value
            // It has said that it goes: nothing is left until a lease ends.
            let left = try await eventually { try await peer.run("graph").isEmpty }
            #expect(left)
        }
    }

    private static let odometry = "/uav1/estimation_manager/odom_main"

    private static func height(_ peer: ROS2Peer) async throws -> Double {
        let answer = try await peer.run("height \(odometry)")
        return answer.first.flatMap { Double($0[1]) } ?? -1
    }

    @Test func `it has a node for each manager, and the topics and services of the real stack`() async throws {
        try await Self.with { peer, _ in
            let graph = try await peer.run("graph")
            let nodes = graph.filter { $0[0] == "node" }.map { $0[1] }
            #expect(
                nodes
                    == [
                        "constraint_manager", "control_manager", "estimation_manager", "gain_manager", "hw_api",
                        "mrs_uav_status", "trajectory_generation", "uav_manager", "uavlink_sim",
                    ].map { "/uav1/\($0)" })
            func endpoint(_ kind: String, _ name: String) -> [String]? {
                graph.first { $0[1...].contains(kind) && $0[3] == name }
            }
            #expect(endpoint("MP", Self.odometry)?[2] == "/uav1/estimation_manager")
            #expect(
                endpoint("MP", Self.odometry)?[5]
                    == "RIHS01_3cc97dc7fb7502f8714462c526d369e35b603cfc34d946e3f2eda2766dfec6e0")
            #expect(endpoint("SS", "/uav1/uav_manager/takeoff")?[2] == "/uav1/uav_manager")
            #expect(
                endpoint("SS", "/uav1/control_manager/goto")?[5]
                    == "RIHS01_f5be046275a8c7c23ae92e229d8a80575cd7c52d3ada4bfc314ebc2a45bbc2f0")
            #expect(endpoint("MS", "/uav1/control_manager/velocity_reference")?[2] == "/uav1/control_manager")
            #expect(endpoint("MP", "/tf_static")?[6] == ":1:,1:,:,:,,")
            #expect(endpoint("MP", "/rosout")?[4] == "rcl_interfaces::msg::dds_::Log_")
            let described = try await peer.run(
                "describe /uav1/hw_api/get_type_description mrs_msgs/msg/HwApiStatus "
                    + "RIHS01_daf06f76c80fc88deabb89af07512495f4e378d3ca7f5545d43a14218575de1c")
            #expect(described == [["answer", "True"]])
            #expect(try await peer.run("late /tf_static").count == 1)
        }
    }

    @Test func `it takes off, and its odometry rises`() async throws {
        try await Self.with { peer, lines in
            for topic in [Self.odometry, "/uav1/hw_api/status"] { try await peer.run("subscribe \(topic)") }
            #expect(await eventually { (try? await Self.height(peer)) ?? -1 > -1 })
            #expect(try await Self.height(peer) < 0.5)
            let refused = try await peer.run("trigger /uav1/uav_manager/takeoff")
            #expect(refused.first?.joined(separator: " ") == "answer False can not takeoff, UAV not armed!")
            let armed = try await peer.run("switch /uav1/hw_api/arming 1")
            #expect(armed.first?[1] == "True")
            _ = try await peer.run("switch /uav1/control_manager/toggle_output 1")
            // Control output must have flowed for a second.
            let isOffboard = try await eventually {
                try await peer.run("trigger /uav1/hw_api/offboard").first?[1] == "True"
            }
            #expect(isOffboard)
            let isAccepted = try await eventually {
                try await peer.run("trigger /uav1/uav_manager/takeoff").first?[1] == "True"
            }
            #expect(isAccepted)
            let isUp = try await eventually(within: .seconds(60)) { try await Self.height(peer) > 1.3 }
            #expect(isUp)
            // No attachment was wrong, and none missing.
            for topic in [Self.odometry, "/uav1/hw_api/status"] {
                let heard = try #require(try await peer.run("topic \(topic)").first)
                #expect(heard[3] == "0")
                #expect(try #require(Int(heard[2])) > 100)
            }
            #expect(lines.all.contains { $0.contains("uav_manager/takeoff: taking off") })

            try await peer.run("stop")
            try await peer.run("start")
            let isLanding = try await eventually {
                try await peer.run("trigger /uav1/uav_manager/land").first?[1] == "True"
            }
            #expect(isLanding)
        }
    }

    @Test func `time that is not real is published on the clock`() async throws {
        try await Self.with(speed: 2) { peer, _ in
            try await peer.run("subscribe /clock")
            let isHeard = try await eventually {
                try await (peer.run("topic /clock").first.flatMap { Int($0[2]) } ?? 0) > 10
            }
            #expect(isHeard)
        }
    }
}
