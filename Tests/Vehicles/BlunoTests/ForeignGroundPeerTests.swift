import DBus
import Foundation
import IntegrationKit
import Testing

@testable import BlunoEmulator

#if os(Linux)
    /// What others drive their robots with drives the simulated one: pyserial over its port, bleak over the fake BlueZ.
    @Suite("pyserial and bleak", .serialized, .timeLimit(.minutes(MachinePace.minutes(3))))
    struct ForeignGroundPeerTests {
        private static let python = BuiltPrograms.repository + "/.build/peers/bin/python3"
        private static let peers = BuiltPrograms.repository + "/Tests/Peers/"

        /// Once the peer says that it drives, the robot does; once it is told so, it stops.
        private func drives(_ peer: ChildProcess, _ emulator: BlunoEmulator) async throws -> String {
            _ = try await peer.line(containing: "driving")
            #expect(await eventually { emulator.robot.motors == Motors(-200, 200) }, "\(peer.errors)")
            peer.send(line: "stop")
            let answer = try await peer.line(containing: "done")
            #expect(await eventually { emulator.robot.motors == .off })
            #expect(answer.contains("battery "), "\(answer)")
            return answer
        }

        @Test func `pyserial drives it`() async throws {
            if let missing = FakeBlueZ.reason(without: ["serial"]) { return print("skipped: \(missing)") }
            let emulator = try BlunoEmulator()
            let peer = try ChildProcess([Self.python, Self.peers + "serial_peer.py", emulator.path])
            _ = try await drives(peer, emulator)
            await peer.stop()
            await emulator.end()
        }

        @Test func `bleak scans, connects, subscribes and drives it`() async throws {
            if let missing = FakeBlueZ.reason(without: ["dbus_fast", "bleak"]) { return print("skipped: \(missing)") }
            let emulator = try BlunoEmulator()
            let fake = try await FakeBlueZ(["--pty", emulator.path])
            var environment = ProcessInfo.processInfo.environment
            environment[SystemBus.variable] = fake.place
            let peer = try ChildProcess([Self.python, Self.peers + "bleak_peer.py"], environment: environment)
            let answer = try await drives(peer, emulator)
            #expect(answer.contains("DF BLUNO 1.0"), "\(answer)")
            #expect(await eventually { fake.asked.last == "disconnect" }, "\(fake.asked)")
            await peer.stop()
            await fake.end()
            await emulator.end()
        }
    }
#endif
