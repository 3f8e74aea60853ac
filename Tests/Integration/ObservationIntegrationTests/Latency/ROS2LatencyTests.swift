import Foundation
import IntegrationKit
import Testing

/// Why it cannot be measured here; `nil` if it can.
private let lack = ROS2Peer.missing ?? (BuiltPrograms.folder == nil ? "the programs are not built" : nil)

/// `uavlink latency` of a vehicle in ROS 2: the link `ros` through its Zenoh router, beside the channel.
@Suite(
    .enabled(if: lack == nil, "\(lack ?? "")"), .serialized, .timeLimit(.minutes(MachinePace.minutes(3))))
struct ROS2LatencyTests {
    @Test func `commands, steering and telemetry are measured through the router`() async throws {
        let folder = try TemporaryFolder()
        let peer = try await ROS2Peer.start()
        var children: [ChildProcess] = []
        let outcome: Result<Void, any Error>
        do {
            try await measure(folder, peer, &children)
            outcome = .success(())
        } catch { outcome = .failure(error) }
        for child in children.reversed() { await child.stop() }
        await peer.stop()
        try outcome.get()
    }

    private func measure(_ folder: TemporaryFolder, _ peer: ROS2Peer, _ children: inout [ChildProcess]) async throws {
        let environment = [
            "PATH": "/usr/bin:/bin", "HOME": folder.path, "XDG_RUNTIME_DIR": folder.path,
            "UAVLINK_RUNTIME_DIR": folder.path,
        ]
        let simulator = try ChildProcess(
            [BuiltPrograms.path("uavlink-sim"), "--ros", "2", "--router", peer.locator], environment: environment)
        children.append(simulator)
        try await simulator.line(ofErrorsContaining: "ready")
        let companion = try ChildProcess(
            [BuiltPrograms.path("uavlink-companion"), "run", "--router", peer.locator, "--bind", "127.0.0.1"],
            environment: environment)
        children.append(companion)
        try folder.write("vehicles:\n  hexa:\n    uav: uav1\n    router: \(peer.locator)\n", to: "config.yaml")
        let config = folder.file("config.yaml")
        // The companion answers before the vehicle is known to it.
        let isReady = try await eventually(within: .seconds(60)) {
            let status = try ChildProcess(
                [BuiltPrograms.path("uavlink"), "status", "--config", config, "--link", "tcp", "--quiet"],
                environment: environment)
            return try await status.exit(within: .seconds(30)) == 0
        }
        #expect(isReady, "\(companion.errors)")
        let measuring = try ChildProcess(
            [
                BuiltPrograms.path("uavlink"), "latency", "--config", config, "--links", "tcp,ros", "--rounds", "2",
                "--rate", "50", "--command-rate", "10", "--impair", "none", "--impair", "delay=5ms", "--json",
            ], environment: environment)
        children.append(measuring)
        let status = try await measuring.exit(within: .patient(seconds: 120))
        #expect(status == 0, "\(measuring.errors)")
        let line = try #require(measuring.output.split(separator: "\n").last)
        let report = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        let conditions = try #require(report["conditions"] as? [[String: Any]])
        #expect(conditions.map { $0["emulation"] as? String } == ["none", "relays"])
        for (condition, delay) in zip(conditions, [0.0, 5]) {
            let links = try #require(condition["links"] as? [[String: Any]])
            #expect(links.compactMap { $0["link"] as? String } == ["tcp", "ros"])
            try check(try #require(links.last), beside: links[0], delay: delay)
        }
    }

    private func check(_ link: [String: Any], beside channel: [String: Any], delay: Double) throws {
        #expect(link["failure"] is NSNull, "\(link["failure"] ?? "")")
        #expect((link["how"] as? String)?.contains("Zenoh") == true)
        let command = try #require(link["command"] as? [String: Any])
        #expect(try number(command, "count") >= 2 && number(command, "lost") == 0, "\(command)")
        #expect(try number(command, "min_ms") >= 2 * delay)
        let (steering, other) = (
            try #require(link["steering"] as? [String: Any]), try #require(channel["steering"] as? [String: Any])
        )
        #expect(try number(steering, "intended") == number(other, "intended"))
        // Each was seen by the companion under the number in its attachment: with another it would be lost, or a period late.
        #expect(try number(steering, "count") >= number(steering, "intended") * 0.8, "\(steering)")
        let bound = try number(try #require(steering["clock"] as? [String: Any]), "bound_ms")
        #expect(try number(steering, "min_ms") >= delay - bound, "\(steering)")
        #expect(try number(steering, "min_ms") < delay + 18, "\(steering)")
        let telemetry = try #require(link["telemetry"] as? [String: Any])
        #expect(try number(telemetry, "count") >= 20, "\(telemetry)")
        #expect(telemetry["from"] as? String == "stamp")
    }

    private func number(_ object: [String: Any], _ key: String) throws -> Double {
        try #require(object[key] as? Double ?? (object[key] as? Int).map(Double.init), "\(key): \(object)")
    }
}
