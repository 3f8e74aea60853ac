import FlightTestKit
import Foundation
import IntegrationKit
import Testing

/// A small server of rosbridge's protocol, on tornado and rospy.
private enum ROSBridgeServer {
    /// Why it cannot be run here; `nil` if it can.
    static let missing: String? =
        FlightStack.missing
        ?? (FileManager.default.fileExists(atPath: "/usr/lib/python3/dist-packages/tornado")
            ? nil : "python3-tornado is not installed")

    /// Runs `body` with a server on the stack's master, and the server's address.
    static func with(_ stack: FlightStack, _ body: (String) async throws -> Void) async throws {
        let server = try ChildProcess(
            ["/usr/bin/python3", BuiltPrograms.repository + "/Tests/Peers/rosbridge_peer.py"],
            environment: stack.rosEnvironment)
        do {
            let line = try await server.line(containing: "listening on ")
            try await body("rosbridge://127.0.0.1:\(line.split(separator: " ").last ?? "")")
        } catch {
            await server.stop()
            throw error
        }
        await server.stop()
    }
}

/// `uavlink latency --peer rosbridge://...`
@Suite(
    .enabled(if: ROSBridgeServer.missing == nil, "\(ROSBridgeServer.missing ?? "")"), .serialized, .oneFlightStack,
    .timeLimit(.minutes(MachinePace.minutes(3))))
struct ROSBridgeLatencyTests {
    private static let delayMilliseconds = 5.0

    @Test func `a rosbridge server is measured beside a persistent process, from and to the same ends`() async throws {
        let stack = try await sharedStack()
        let csv = stack.folder.path + "/rosbridge.csv"
        try await ROSBridgeServer.with(stack) { address in
            // At rates that Python sustains on a busy machine.
            let outcome = try await stack.uavlink(
                "latency", "--links", "ssh-persistent,tcp", "--peer", address, "--rounds", "2", "--rate", "20",
                "--command-rate", "5", "--impair", "none", "--impair", "delay=5ms", "--json", "--csv", csv,
                environment: stack.rosEnvironment, within: .seconds(150))
            #expect(outcome.status == 0, "\(outcome)")
            let conditions = try #require(try json(outcome)["conditions"] as? [[String: Any]])
            #expect(conditions.map { $0["emulation"] as? String } == ["none", "relays"])
            for (condition, delay) in zip(conditions, [0, Self.delayMilliseconds]) {
                let links = try #require(condition["links"] as? [[String: Any]])
                #expect(links.compactMap { $0["link"] as? String } == ["ssh-persistent", "tcp", "rosbridge"])
                try check(try #require(links.last), beside: links[0], delay: delay)
            }
        }
        let rows = try String(contentsOfFile: csv, encoding: .utf8).split(separator: "\n")
        for kind in ["command", "steering", "telemetry"] {
            #expect(rows.contains { $0.contains(",rosbridge,\(kind),") }, "\(kind)")
        }
    }

    private func check(_ link: [String: Any], beside process: [String: Any], delay: Double) throws {
        #expect(link["failure"] is NSNull, "\(link["failure"] ?? "")")
        #expect((link["how"] as? String)?.contains("127.0.0.1:") == true)
        let command = try #require(link["command"] as? [String: Any])
        #expect(try number(command, "count") >= 2 && number(command, "lost") == 0, "\(command)")
        #expect(try number(command, "min_ms") >= 2 * delay)
        // What cannot be told apart is network.
        let stages = try #require(command["stages_mean_ms"] as? [String: Double])
        #expect(Set(stages.keys).isSubset(of: ["queue", "network"]), "\(stages)")
        let (steering, other) = (
            try #require(link["steering"] as? [String: Any]), try #require(process["steering"] as? [String: Any])
        )
        #expect(try number(steering, "intended") == number(other, "intended"))
        // Of each the companion saw what it had been numbered as: with another number it would be lost, or a period late.
        #expect(try number(steering, "count") >= number(steering, "intended") * 0.8, "\(steering)")
        let bound = try number(try #require(steering["clock"] as? [String: Any]), "bound_ms")
        let least = try number(steering, "min_ms")
        #expect(least >= delay - bound && least < delay + 45, "\(steering)")
        let telemetry = try #require(link["telemetry"] as? [String: Any])
        #expect(try number(telemetry, "count") >= 20, "\(telemetry)")
        #expect(telemetry["from"] as? String == "stamp")
        #expect(
            try number(telemetry, "min_ms") >= delay
                - number(try #require(telemetry["clock"] as? [String: Any]), "bound_ms"))
        let cost = try #require(link["cost"] as? [String: Any])
        #expect(try number(cost, "bytes_up") > 0 && number(cost, "bytes_down") > number(cost, "bytes_up"), "\(cost)")
        #expect(cost["vehicle_cpu_s"] is NSNull)
        #expect(link["motion"] is NSNull || (link["motion"] as? [String: Any])?["count"] as? Int == 0)
    }

    @Test func `nothing that listens, another server, and a vehicle that is not there are said in one line`()
        async throws
    {
        let stack = try await sharedStack()
        func outcome(_ arguments: String...) async throws -> FlightStack.Outcome {
            try await stack.uavlink(["latency", "--links", "rosbridge", "--rounds", "1", "--quiet"] + arguments)
        }
        let free = "rosbridge://127.0.0.1:\(try freePort())"
        for condition in ["none", "delay=1ms"] {
            expectFailure(
                try await outcome("--peer", free, "--impair", condition), code: 3,
                saying: ["cannot reach the rosbridge server at 127.0.0.1:", "roslaunch rosbridge_server"])
        }
        expectFailure(
            try await outcome("--peer", "rosbridge://127.0.0.1:\(stack.ssh.port)"), code: 3,
            saying: ["is no WebSocket server"])
        expectFailure(
            try await stack.uavlink("latency", "--links", "rosbridge"), code: 2, saying: ["--peer rosbridge://HOST"])
        expectFailure(
            try await outcome("--peer", "rosbridge://me:word@uav1"), code: 2, saying: ["--peer", "rosbridge://"])
        try await ROSBridgeServer.with(stack) { address in
            let unknown = try await outcome("--peer", address, "--uav", "nobody")
            #expect(unknown.status != 0, "\(unknown)")
            #expect(unknown.errors.contains("/nobody/control_manager/hover does not exist"), "\(unknown)")
            #expect(unknown.errors.contains("(--uav)") && unknown.output.isEmpty, "\(unknown)")
        }
    }

    private func number(_ object: [String: Any], _ key: String) throws -> Double {
        try #require(object[key] as? Double ?? (object[key] as? Int).map(Double.init), "\(key): \(object)")
    }
}
