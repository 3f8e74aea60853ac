import HostLookup
import IntegrationKit
import Synchronization
import SystemIO
import Testing
import UAVLink

@testable import ARDrone
@testable import ARDroneEmulator

/// The link against the emulated drone, over real sockets.
@Suite("AR.Drone over sockets", .serialized, .timeLimit(.minutes(MachinePace.minutes(2)))) struct ARDroneLoopbackTests {
    private func rig(
        _ change: (inout EmulatedARDrone.Settings) -> Void = { _ in }
    ) throws -> (link: ARDroneLink, emulator: ARDroneEmulator) {
        var emulated = ARDroneEmulator.Settings()
        (emulated.commandPort, emulated.navdataPort, emulated.controlPort) = (0, 0, 0)
        emulated.videoPort = 0
        emulated.drone.takeOffSeconds = 1
        change(&emulated.drone)
        let emulator = try ARDroneEmulator(emulated)
        var settings = ARDroneLink.Settings(host: "127.0.0.1", port: emulator.commandPort, vehicle: "d1")
        (settings.navdataPort, settings.controlPort) = (emulator.navdataPort, emulator.controlPort)
        settings.videoPort = emulator.videoPort
        return (ARDroneLink(settings), emulator)
    }

    private func awaits(_ state: FlightState, of link: ARDroneLink) async -> Bool {
        await eventually { link.latestTelemetry?.flight?.value.state == state }
    }

    @Test func `a flight, with its configuration read back over TCP`() async throws {
        let (link, emulator) = try rig { $0.hasUnknownOptions = true }
        try await link.connect(within: .patient(seconds: 10))
        #expect(await awaits(.disarmed, of: link))
        #expect(await eventually { link.configuration["general:navdata_options"] == "777060865" })
        let takeOff = try await link.perform(.takeoff, within: .patient(seconds: 10))
        #expect(takeOff.accepted, "\(takeOff)")
        #expect(await awaits(.flying, of: link))
        let hover = try await link.perform(.hover, within: .patient(seconds: 5))
        #expect(hover.accepted, "\(hover)")
        let landing = try await link.perform(.land, within: .patient(seconds: 20))
        #expect(landing.accepted, "\(landing)")
        #expect(await awaits(.disarmed, of: link))
        #expect(emulator.drone.activity == .landed)
        await link.close()
        await emulator.end()
    }

    @Test func `a link that is closed in flight leaves the drone hovering`() async throws {
        let (link, emulator) = try rig()
        try await link.connect(within: .patient(seconds: 10))
        _ = try await link.perform(.takeoff, within: .patient(seconds: 10))
        #expect(await awaits(.flying, of: link))
        await link.close()
        #expect(emulator.drone.activity == .flying || emulator.drone.activity == .landing)
        #expect(emulator.drone.sticks == nil)
        await emulator.end()
    }

    @Test func `its video comes from a picture on that can be decoded`() async throws {
        let (link, emulator) = try rig()
        await #expect(throws: LinkError.self) { try await link.receiveVideo(for: .seconds(1)) { _, _ in true } }
        try await link.connect(within: .patient(seconds: 10))
        let kept = Mutex<[UInt8]>([])
        let end = try await link.receiveVideo(for: .patient(seconds: 20)) { piece, progress in
            kept.withLock { $0 += piece }
            return progress.frames < 20
        }
        #expect(end.frames >= 20 && end.bytes == UInt64(kept.withLock(\.count)), "\(end)")
        #expect(kept.withLock { $0.prefix(5) } == [0, 0, 0, 1, 0x67])
        #expect(kept.withLock { $0.firstRange(of: Array("PaVE".utf8)) } == nil)
        await link.close()
        await emulator.end()
    }

    @Test func `video is asked for in vain, and cancelling ends it`() async throws {
        let (link, emulator) = try rig()
        try await link.connect(within: .patient(seconds: 10))
        emulator.mute()
        let video = Task { try await link.receiveVideo(for: .seconds(60)) { _, _ in true } }
        #expect(await eventually { emulator.viewers == 1 })
        video.cancel()
        #expect(try await video.value.frames == 0)
        let error = await #expect(throws: LinkError.self) {
            try await link.receiveVideo(for: .seconds(60)) { _, _ in true }
        }
        #expect(error?.code == .unreachable && error?.hint.contains("TCP") == true, "\(error as Any)")
        await link.close()
        await emulator.end()
    }

    @Test func `a name without an address is not waited for longer than the caller does`() async throws {
        #expect(try await HostLookup.address(of: "10.1.2.3", usually: "", within: .zero) == IPv4Address("10.1.2.3"))
        let error = await #expect(throws: LinkError.self) {
            try await HostLookup.address(of: "nowhere.invalid", usually: "192.168.1.1", within: .milliseconds(50))
        }
        #expect(error?.code == .unreachable && error?.what.contains("nowhere.invalid") == true)
        #expect(error?.hint == "use its address, usually 192.168.1.1")
    }

    @Test func `nobody is there, and connecting ends in time`() async throws {
        let free = try DatagramSocket(bound: .init(.loopback, port: 0)).port
        let link = ARDroneLink(.init(host: "127.0.0.1", port: free))
        let error = await #expect(throws: LinkError.self) { try await link.connect(within: .milliseconds(300)) }
        #expect(error?.code == .unreachable)
        await link.close()
    }
}
