import IntegrationKit
import Testing
import UAVLink

@testable import ARDrone
@testable import ARDroneEmulator

/// A peer in another language, written from the description of the protocol alone, is flown by our link, and flies our emulator.
@Suite("AR.Drone peer", .serialized, .timeLimit(.minutes(MachinePace.minutes(2)))) struct ARDronePeerTests {
    private func peer(_ arguments: String...) throws -> ChildProcess {
        try ChildProcess(["/usr/bin/python3", "\(BuiltPrograms.repository)/Tests/Peers/ardrone_peer.py"] + arguments)
    }

    /// The number after a name in a line of JSON.
    private func number(_ name: String, in line: String) throws -> UInt16 {
        let parts = line.split(separator: "\"\(name)\": ")
        return try #require(parts.count > 1 ? UInt16(parts[1].prefix { $0.isNumber }) : nil, "\(line)")
    }

    @Test func `it flies our emulator, and finds the signs of the description`() async throws {
        var emulated = ARDroneEmulator.Settings()
        (emulated.commandPort, emulated.navdataPort, emulated.controlPort) = (0, 0, 0)
        emulated.videoPort = 0
        emulated.drone.takeOffSeconds = 1
        let emulator = try ARDroneEmulator(emulated)
        let peer = try peer("ground", "\(emulator.commandPort)", "\(emulator.navdataPort)", "\(emulator.controlPort)")
        #expect(try await peer.exit(within: .seconds(60)) == 0, "\(peer.errors)")
        #expect(peer.output.contains(#""event": "config", "options": true"#), "\(peer.output)")
        #expect(peer.output.contains(#""forward_is_nose_down": true, "altitude": true"#), "\(peer.output)")
        #expect(peer.output.contains(#""event": "done""#))
        #expect(emulator.drone.activity == .landed)
        await emulator.end()
    }

    @Test func `our link flies it`() async throws {
        let peer = try peer("drone")
        try await peer.line(containing: #""event": "ports""#)
        let line = peer.output
        var settings = ARDroneLink.Settings(host: "127.0.0.1", port: try number("at", in: line), vehicle: "d1")
        settings.navdataPort = try number("navdata", in: line)
        settings.controlPort = try number("control", in: line)
        let link = ARDroneLink(settings)
        try await link.connect(within: .patient(seconds: 10))
        #expect(await eventually { link.configuration["general:navdata_demo"] == "FALSE" })
        let takeOff = try await link.perform(.takeoff, within: .patient(seconds: 10))
        #expect(takeOff.accepted, "\(takeOff)")
        #expect(await eventually { link.latestTelemetry?.flight?.value.state == .flying })
        #expect(link.latestTelemetry?.battery?.value.remaining == 0.77)
        let clock = SystemMonotonicClock()
        for index in 0..<10 {
            let speed = index < 2 ? 0 : 1.0
            try link.steer(
                VelocitySetpoint(
                    velocityMetresPerSecond: Vector3(x: speed, y: 0, z: 0), frame: .body, intendedAt: clock.now))
            try await Task.sleep(for: .milliseconds(40))
        }
        let landing = try await link.perform(.land, within: .patient(seconds: 10))
        #expect(landing.accepted, "\(landing)")
        #expect(try await peer.exit(within: .seconds(60)) == 0, "\(peer.errors)")
        let output = peer.output
        // Forward is nose down.
        #expect(output.contains(#""event": "sticks", "flag": 1, "sticks": [0.0, -0.5, 0.0, 0.0]"#), "\(output)")
        #expect(output.components("\"event\": \"takeoff\"") == 1 && output.components("\"event\": \"land\"") == 1)
        #expect(!output.contains("emergency"))
        await link.close()
    }
}

extension String {
    /// How often a text is in it.
    fileprivate func components(_ text: String) -> Int {
        split(separator: text, omittingEmptySubsequences: false).count - 1
    }
}
