import IntegrationKit
import SystemIO
import Testing
import UAVLink

@testable import Tello
@testable import TelloEmulator

/// The link against the emulated drone, over real sockets.
@Suite("Tello over sockets", .serialized, .timeLimit(.minutes(MachinePace.minutes(2)))) struct TelloLoopbackTests {
    /// A port of this machine that is free now, of those that the system chooses.
    private static func freePort() throws -> UInt16 { try DatagramSocket(bound: .init(.loopback, port: 0)).port }

    private func rig(
        _ change: (inout EmulatedTello.Settings) -> Void = { _ in }
    ) throws -> (link: TelloLink, emulator: TelloEmulator) {
        let (settings, emulator) = try parts(change)
        return (TelloLink(settings), emulator)
    }

    private func parts(
        _ change: (inout EmulatedTello.Settings) -> Void = { _ in }
    ) throws -> (settings: TelloLink.Settings, emulator: TelloEmulator) {
        var emulated = TelloEmulator.Settings()
        emulated.port = 0
        emulated.statePort = try Self.freePort()
        emulated.tello.takeOffSeconds = 1.5
        change(&emulated.tello)
        let emulator = try TelloEmulator(emulated)
        var settings = TelloLink.Settings(host: "127.0.0.1", port: emulator.port, vehicle: "t1")
        settings.statePort = emulated.statePort
        return (settings, emulator)
    }

    private func awaits(_ state: FlightState, of link: TelloLink) async -> Bool {
        await eventually { link.latestTelemetry?.flight?.value.state == state }
    }

    @Test(arguments: EmulatedTello.Edition.allCases)
    func `a flight with each edition`(_ edition: EmulatedTello.Edition) async throws {
        let (link, emulator) = try rig {
            $0.edition = edition
            $0.isChatty = true
        }
        try await link.connect(within: .patient(seconds: 5))
        #expect(link.version.text == edition.rawValue)
        #expect(await awaits(.disarmed, of: link))
        let takeOff = try await link.perform(.takeoff, within: .patient(seconds: 10))
        #expect(takeOff.accepted, "\(takeOff)")
        #expect(await awaits(.flying, of: link))
        let move = try await link.perform(.ahead(0.5), within: .patient(seconds: 20))
        #expect(move.accepted, "\(move)")
        let hover = try await link.perform(.hover, within: .patient(seconds: 5))
        #expect(hover.accepted, "\(hover)")
        let landing = try await link.perform(.land, within: .patient(seconds: 20))
        #expect(landing.accepted, "\(landing)")
        #expect(await awaits(.disarmed, of: link))
        #expect(emulator.tello.activity == .standing)
        await link.close()
        await emulator.end()
    }

    @Test func `a move is stopped, and the drone landed, without a further word of the move`() async throws {
        let (link, emulator) = try rig()
        try await link.connect(within: .patient(seconds: 5))
        _ = try await link.perform(.takeoff, within: .patient(seconds: 10))
        #expect(await awaits(.flying, of: link))
        let move = Task { try await link.perform(.ahead(5), within: .patient(seconds: 30)) }
        #expect(await eventually { emulator.tello.commands.contains("forward 500") })
        let landing = try await link.perform(.land, within: .patient(seconds: 20))
        #expect(landing.accepted, "\(landing)")
        #expect(try await move.value.message == "forced stop")
        #expect(await awaits(.disarmed, of: link))
        await link.close()
        await emulator.end()
    }

    @Test func `two links cannot have one port, and the second one says so`() async throws {
        let (settings, emulator) = try parts()
        let (link, second) = (TelloLink(settings), TelloLink(settings))
        try await link.connect(within: .patient(seconds: 5))
        let error = await #expect(throws: LinkError.self) { try await second.connect(within: .patient(seconds: 5)) }
        #expect(error?.code == .unreachable && error?.what.contains("\(settings.statePort)") == true)
        await second.close()
        await link.close()
        await emulator.end()
    }

    @Test func `nobody is there, and connecting ends in time`() async throws {
        var settings = TelloLink.Settings(host: "127.0.0.1", port: try Self.freePort())
        settings.statePort = try Self.freePort()
        let link = TelloLink(settings)
        let error = await #expect(throws: LinkError.self) { try await link.connect(within: .milliseconds(300)) }
        #expect(error?.code == .unreachable)
        await link.close()
    }
}
