import Foundation
import IntegrationKit
import SystemIO
import Testing

@testable import TelloEmulator

#if os(Linux)
    /// djitellopy, which others fly their drones with, flies the emulated one: with its own ports, in a network of its own.
    @Suite("djitellopy", .serialized, .timeLimit(.minutes(MachinePace.minutes(3)))) struct DjitellopyPeerTests {
        /// The Python with packages from PyPI, which scripts/setup --tests makes.
        static let python = BuiltPrograms.repository + "/.build/peers/bin/python3"

        /// Why it cannot be run here; `nil` if it can.
        private static let missing: String? = {
            if let reason = SeparateNetworks.missing { return reason }
            let folder = BuiltPrograms.repository + "/.build/peers/lib"
            let versions = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            let files = versions.map { "\(folder)/\($0)/site-packages/djitellopy/tello.py" }
            return files.contains { FileManager.default.fileExists(atPath: $0) }
                ? nil : "djitellopy is missing: scripts/setup --tests gets it"
        }()

        /// In a process of its own, since the emulator creates threads in a separate network.
        @Test func `it takes off, moves, reads the state and lands`() async {
            if let missing = Self.missing { return print("skipped: \(missing)") }
            await #expect(processExitsWith: .success) {
                try await SeparateNetworks.with(ownProcess: true) { networks in
                    var settings = TelloEmulator.Settings()
                    settings.address = .any
                    settings.tello.takeOffSeconds = 2
                    settings.tello.pads = [.init(1, x: 0, y: 0)]
                    let emulator = try await networks.inside(.far) { [settings] in try TelloEmulator(settings) }
                    let peer = try ChildProcess(
                        networks.entering(.near)
                            + [
                                DjitellopyPeerTests.python, "\(BuiltPrograms.repository)/Tests/Peers/tello_peer.py",
                                SeparateNetworks.farAddress,
                            ])
                    #expect(try await peer.exit(within: .seconds(90)) == 0, "\(peer.errors)")
                    let output = peer.output
                    #expect(output.contains(#""done": true"#), "\(output) \(peer.errors)")
                    #expect(
                        output.contains(#""sdk": "20""#) && output.contains(#""serial": "0TQZEMULATED01""#), "\(output)"
                    )
                    #expect(output.contains("out of range") && output.contains("error No valid marker"), "\(output)")
                    let flown = emulator.tello
                    #expect(
                        flown.commands == [
                            "mon", "mdirection 0", "speed 100", "takeoff", "forward 60", "cw 90", "go 50 0 20 100",
                            "curve 50 50 0 100 0 0 60", "flip l", "forward 10", "go 0 0 80 100 m1", "land",
                        ], "\(flown.commands)")
                    #expect(flown.activity == .standing)
                    // Ahead by 60 cm, and to the right by 50 cm and the 100 cm of the arc.
                    #expect(abs(flown.body.x - 0.6) < 0.2 && abs(flown.body.y + 1.5) < 0.3, "\(flown.body)")
                    await emulator.end()
                }
            }
        }
    }
#endif
