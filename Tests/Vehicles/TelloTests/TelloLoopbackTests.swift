import IntegrationKit
import Synchronization
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
        emulated.videoPort = try Self.freePort()
        emulated.tello.takeOffSeconds = 1.5
        change(&emulated.tello)
        let emulator = try TelloEmulator(emulated)
        var settings = TelloLink.Settings(host: "127.0.0.1", port: emulator.port, vehicle: "t1")
        settings.statePort = emulated.statePort
        settings.videoPort = emulated.videoPort
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
        #expect(await eventually { emulator.tello.commands.contains("go 500 0 0 50") })
        let landing = try await link.perform(.land, within: .patient(seconds: 20))
        #expect(landing.accepted, "\(landing)")
        #expect(try await move.value.message == "forced stop")
        #expect(await awaits(.disarmed, of: link))
        await link.close()
        await emulator.end()
    }

    @Test func `a second ground, which gets no state, stops and lands the drone and does nothing else`() async throws {
        let (settings, emulator) = try parts()
        let (link, second) = (TelloLink(settings), TelloLink(settings))
        try await link.connect(within: .patient(seconds: 5))
        _ = try await link.perform(.takeoff, within: .patient(seconds: 10))
        #expect(await awaits(.flying, of: link))
        try await second.connect(within: .patient(seconds: 5))
        let warning = second.latestTelemetry?.messages.first { $0.value.severity == .warning }?.value.text
        #expect(warning?.contains("\(settings.statePort)") == true)
        let refusal = await #expect(throws: LinkError.self) {
            try await second.perform(.ahead(1), within: .patient(seconds: 5))
        }
        #expect(refusal?.code == .notInCommand)
        let hover = try await second.perform(.hover, within: .patient(seconds: 5))
        #expect(hover.accepted, "\(hover)")
        // While the first one moves it, which a drone answers with a refusal of everything but a stop.
        let move = Task { try await link.perform(.ahead(5), within: .patient(seconds: 30)) }
        #expect(await eventually { emulator.tello.commands.contains("go 500 0 0 50") })
        let landing = try await second.perform(.land, within: .patient(seconds: 20))
        #expect(landing.accepted, "\(landing)")
        #expect(emulator.tello.activity == .standing && !emulator.tello.commands.contains("go 100 0 0 50"))
        #expect(try await move.value.message == "forced stop")
        await second.close()
        await link.close()
        await emulator.end()
    }

    #if os(Linux)
        /// All of 127/8 is this machine only there.
        @Test func `several drones share the port of their state, and each link gets that of its own`() async throws {
            let statePort = try Self.freePort()
            let drones = try ["127.0.0.2", "127.0.0.3"].map { address in
                var emulated = TelloEmulator.Settings()
                emulated.address = try #require(IPv4Address(address))
                (emulated.port, emulated.statePort) = (0, statePort)
                emulated.tello.takeOffSeconds = 1
                emulated.tello.battery = address.hasSuffix("2") ? 80 : 60
                let emulator = try TelloEmulator(emulated)
                var settings = TelloLink.Settings(host: address, port: emulator.port)
                settings.statePort = statePort
                return (settings: settings, emulator: emulator)
            }
            let links = drones.map { TelloLink($0.settings) }
            for link in links { try await link.connect(within: .patient(seconds: 5)) }
            for (link, percent) in zip(links, [80, 60]) {
                #expect(await awaits(.disarmed, of: link))
                #expect(
                    link.latestTelemetry?.battery?.value.remaining.map { Int(($0 * 100).rounded()) } == percent)
            }
            // One flies, and the other one's link shows no flight.
            _ = try await links[0].perform(.takeoff, within: .patient(seconds: 10))
            #expect(await awaits(.flying, of: links[0]))
            #expect(links[1].latestTelemetry?.flight?.value.state == .disarmed)
            // The port stays open for the one that is left.
            await links[1].close()
            let landing = try await links[0].perform(.land, within: .patient(seconds: 20))
            #expect(landing.accepted, "\(landing)")
            #expect(await awaits(.disarmed, of: links[0]))
            await links[0].close()
            // And is closed with the last link.
            _ = try DatagramSocket(bound: .init(.any, port: statePort))
            for drone in drones { await drone.emulator.end() }
        }
    #endif

    @Test func `its video is turned on, comes from a picture on that can be decoded, and is turned off`() async throws {
        let (link, emulator) = try rig()
        try await link.connect(within: .patient(seconds: 5))
        let beginning = Mutex<[UInt8]>([])
        let end = try await link.receiveVideo(for: .patient(seconds: 20)) { piece, progress in
            beginning.withLock { if $0.isEmpty { $0 = Array(piece.prefix(5)) } }
            return progress.frames < 20
        }
        #expect(end.frames == 20 && end.bytes > 20_000, "\(end)")
        #expect(beginning.withLock { $0 } == [0, 0, 0, 1, 0x67])
        #expect(!emulator.tello.sendsVideo, "the link may be closed at once")
        await link.close()
        await emulator.end()
    }

    @Test func `an answer to its beginning that is lost is asked for again`() async throws {
        let (link, emulator) = try rig()
        try await link.connect(within: .patient(seconds: 5))
        emulator.mute()
        let video = Task { try await link.receiveVideo(for: .patient(seconds: 20)) { _, _ in false } }
        // Its answer is due after 40 ms, and is kept back then.
        let isKeptBack = await eventually {
            let tello = emulator.tello
            return tello.commands.contains("streamon") && tello.answers.isEmpty
        }
        #expect(isKeptBack)
        emulator.unmute()
        let end = try await video.value
        #expect(end.bytes > 0 && emulator.tello.commands == ["streamon", "streamon", "streamoff"])
        await link.close()
        await emulator.end()
    }

    @Test func `a video whose beginning was never answered is turned off`() async throws {
        let (link, emulator) = try rig()
        try await link.connect(within: .patient(seconds: 5))
        emulator.mute()
        let error = await #expect(throws: LinkError.self) {
            try await link.receiveVideo(for: .seconds(5)) { _, _ in true }
        }
        #expect(error?.code == .timedOut && emulator.tello.commands.prefix(2) == ["streamon", "streamon"])
        #expect(!emulator.tello.sendsVideo && emulator.tello.commands.contains("streamoff"))
        await link.close()
        await emulator.end()
    }

    @Test func `a stream that no decoder can begin with is no video`() async throws {
        var (settings, emulator) = try parts()
        // The emulated drone's own goes elsewhere.
        settings.videoPort = try Self.freePort()
        let (link, port) = (TelloLink(settings), settings.videoPort)
        try await link.connect(within: .patient(seconds: 5))
        let sender = Task {
            let socket = try DatagramSocket(bound: .init(.loopback, port: 0))
            while !Task.isCancelled {
                _ = socket.send([0, 0, 0, 1, 0x41, 0x9A, 1, 2, 3], to: .init(.loopback, port: port))
                try await Task.sleep(for: .milliseconds(20))
            }
        }
        let error = await #expect(throws: LinkError.self) {
            try await link.receiveVideo(for: .seconds(1)) { _, _ in true }
        }
        #expect(error?.what.contains("no picture to begin with") == true, "\(String(describing: error))")
        sender.cancel()
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
