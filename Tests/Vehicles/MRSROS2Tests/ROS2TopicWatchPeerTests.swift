import IntegrationKit
import MRS
import ROS2
import ROS2Node
import ROSMessages
import SimulatedVehicleNode
import Simulation
import Synchronization
import Testing
import UAVLink
import Zenoh

@testable import MRSROS2

/// A type that this project does not have.
private struct Oddity: ROS2Message {
    static let ros2TypeName = "other_msgs/msg/Oddity"
    static let ros2Definition = "string words\nuint8[] data\nfloat64[2] pair\n"
    static let ros2TypeHash: TypeHash = (try? Self.ros2Description().hash) ?? TypeHash(0, 0, 0, 0)

    init() {}

    init(from reader: inout CDRReader) throws(ROSDecodingError) {}

    func write(to writer: inout CDRWriter) {
        writer.write("odd")
        writer.write([UInt8](repeating: 7, count: 20))
        writer.write(fixed: [1.5, -2], count: 2)
    }
}

/// Topics by name, of the simulated vehicle and of a node with a type that nobody else knows.
@Suite("topics by name in ROS 2", .serialized, .timeLimit(.minutes(MachinePace.minutes(3))))
struct ROS2TopicWatchPeerTests {
    private func with(
        _ body: (ROS2TopicWatch, ROS2Configuration) async throws -> Void
    ) async throws {
        try await ROS2Peer.with { peer in
            let configuration = ROS2Configuration(zenoh: try ZenohConfiguration(locator: peer.locator))
            let node = try SimulatedVehicleROS2Node(
                try HexacopterSimulator(SimulatorConfiguration()), configuration: configuration)
            let living = Task { try await node.run() }
            let watch = ROS2TopicWatch(configuration: configuration)
            let result: Result<Void, any Error>
            do { result = .success(try await body(watch, configuration)) } catch { result = .failure(error) }
            await watch.close()
            living.cancel()
            _ = await living.result
            #expect(node.refused == [:])
            try result.get()
        }
    }

    /// The first update that is as wanted.
    private func update(
        of topic: String, _ watch: ROS2TopicWatch, _ isWanted: @escaping @Sendable (TopicUpdate) -> Bool
    ) async throws -> TopicUpdate {
        let seen = Mutex<[TopicUpdate]>([])
        let reader = Task {
            for await update in watch.updates(of: topic) { seen.withLock { $0.append(update) } }
        }
        _ = await eventually(within: .seconds(30)) { seen.withLock { $0.contains(where: isWanted) } }
        reader.cancel()
        await reader.value
        let all = seen.withLock { $0 }
        return try #require(all.first(where: isWanted), "\(all.suffix(3))")
    }

    @Test func `published topics are listed with their types`() async throws {
        try await with { watch, _ in
            let isListed = try await eventually(within: .seconds(20)) {
                try await watch.published(within: .patient(seconds: 5)).contains(
                    PublishedTopic(name: "/uav1/estimation_manager/odom_main", type: "nav_msgs/msg/Odometry"))
            }
            #expect(isListed)
            let names = try await watch.published(within: .patient(seconds: 5)).map(\.name)
            #expect(names == names.sorted())
            // Subscribed only.
            #expect(!names.contains("/uav1/control_manager/velocity_reference"))
        }
    }

    @Test func `messages are shown with their rate, and silence with its reason`() async throws {
        try await with { watch, _ in
            let update = try await update(of: "/uav1/hw_api/status", watch) {
                // The first messages may come with a pause of the machine between them.
                if case .reading(let reading) = $0 { (reading.hertz ?? 0) > 5 } else { false }
            }
            guard case .reading(let reading) = update else { return }
            #expect(reading.type == "mrs_msgs/msg/HwApiStatus")
            #expect(reading.fields.contains(TopicField(path: "armed", value: "false")))
            let silent = try await self.update(of: "/uav1/no/such/topic", watch) {
                if case .silent(let why, _) = $0 { why == "no such topic is published" } else { false }
            }
            #expect(silent == .silent("no such topic is published", hertz: nil))
            let subscribed = try await self.update(of: "/uav1/control_manager/velocity_reference", watch) {
                if case .silent(let why, _) = $0 { why == "not published" } else { false }
            }
            #expect(subscribed == .silent("not published", hertz: nil))
            let failed = try await self.update(of: "no name", watch) { if case .failed = $0 { true } else { false } }
            if case .failed(let error) = failed { #expect(error.code == .invalidInput) }
        }
    }

    @Test(arguments: [true, false])
    func `a type that is not known is asked from its node`(_ describes: Bool) async throws {
        try await with { watch, configuration in
            let session = try ROS2Session(configuration: configuration)
            let node = try session.node(try ROS2NodeName(namespace: "/uav1", name: "odd"))
            let server = describes ? try node.serveTypeDescriptions() : nil
            let publisher: ROS2Publisher<Oddity> = try node.publisher(of: "/uav1/odd")
            let publishing = Task {
                while !Task.isCancelled {
                    _ = publisher.publish(Oddity())
                    try? await Task.sleep(for: .milliseconds(50))
                }
            }
            let update = try await update(of: "/uav1/odd", watch) { update in
                switch update {
                case .reading: describes
                case .silent(let why, _): !describes && why.contains("its node does not describe it")
                case .failed: true
                }
            }
            publishing.cancel()
            await publishing.value
            await session.shutdown()
            withExtendedLifetime(server) {}
            guard case .reading(let reading) = update else { return }
            #expect(reading.type == "other_msgs/msg/Oddity" && reading.isShortened)
            #expect(reading.fields.prefix(3).map(\.value) == ["odd", "20 elements", "7"])
            #expect(reading.fields.last == TopicField(path: "pair[1]", value: "-2"))
        }
    }

    @Test func `the diagnosis of a vehicle that flies is in order, and sends nothing`() async throws {
        try await with { _, configuration in
            let diagnosis = try ROS2GraphDiagnosis(
                vehicle: "uav1", configuration: configuration, timeout: .patient(seconds: 5))
            var findings: [Finding] = []
            // The vehicle's tokens may not all be there yet.
            _ = await eventually(within: .seconds(20)) {
                findings = await diagnosis.findings()
                return findings.allSatisfy { $0.verdict == .good }
            }
            #expect(findings.map(\.check) == ["Zenoh router", "vehicle", "message types", "setpoints", "rmw_zenoh"])
            #expect(findings.allSatisfy { $0.verdict == .good }, "\(findings)")
        }
        var nowhere = ROS2Configuration(zenoh: try ZenohConfiguration(locator: "tcp/127.0.0.1:1"))
        nowhere.domain = 3
        let alone = try ROS2GraphDiagnosis(vehicle: "uav1", configuration: nowhere, timeout: .milliseconds(300))
        let findings = await alone.findings()
        #expect(findings.map(\.verdict) == [.bad] && findings[0].message.contains("domain 3"), "\(findings)")
    }
}
