import DBus
import IntegrationKit
import Testing
import UAVLink

@testable import Bluno
@testable import BlunoEmulator

#if os(Linux)
    /// Our link over a real D-Bus daemon to a fake of BlueZ that others' library (dbus-fast) makes.
    @Suite("Bluno over a fake BlueZ", .serialized, .timeLimit(.minutes(MachinePace.minutes(3))))
    struct BluetoothPeerTests {
        /// Runs a test on a bus of its own; says so if it cannot.
        private func with(
            _ faults: [String]? = [], denies: Bool = false, _ body: (FakeBlueZ) async throws -> Void
        ) async throws {
            if let missing = FakeBlueZ.missing { return print("skipped: \(missing)") }
            let fake = try await FakeBlueZ(faults, denies: denies)
            try await body(fake)
            await fake.end()
        }

        @Test func `a board is found, greeted, driven, heard and left`() async throws {
            try await with { fake in
                let link = fake.link()
                try await link.connect(within: .patient(seconds: 10))
                // What the fake says of it comes through a pipe of its own.
                #expect(await eventually { fake.asked.contains { $0.hasPrefix("notify") } }, "\(fake.asked)")
                #expect(
                    fake.asked.dropFirst().prefix(8).map { String($0.prefix(32)) } == [
                        "filter le", "scan", "scan ends", "connect AA:BB:CC:DD:EE:01 ", "read 2a24",
                        "write dfb2 request AT+PASSWOR=DF", "write dfb2 request AT+CURRUART=1", "notify dfb1",
                    ], "\(fake.asked)")
                link.release()
                #expect(try link.hold(.left, speed: 200))
                #expect(await eventually { fake.asked.suffix(4).contains("write dfb1 command l") })
                #expect(await eventually { link.robot.lastLine?.value == "echo l" })
                link.release()
                try link.send(Array("more than twenty bytes, in pieces of 20".utf8))
                // A stop drops what waits.
                #expect(
                    await eventually { fake.asked.contains("write dfb1 command es, in pieces of 20") }, "\(fake.asked)")
                let reply = try await link.perform(.hover, within: .patient(seconds: 5))
                #expect(reply.accepted)
                #expect(await eventually { fake.asked.contains("write dfb1 command s0") })
                #expect(fake.asked.contains("write dfb1 command more than twenty byt"), "\(fake.asked)")
                fake.tell("say battery 87 %")
                #expect(await eventually { link.latestTelemetry?.battery?.value.remaining == 0.87 })
                await link.close()
                #expect(await eventually { fake.asked.suffix(2) == ["write dfb1 command s", "disconnect"] })
            }
        }

        @Test func `a board that is lost comes back, is stopped, and moves by a new press only`() async throws {
            try await with(["request"]) { fake in
                let link = fake.link()
                try await link.connect(within: .patient(seconds: 10))
                link.release()
                #expect(try link.hold(.left, speed: 200))
                #expect(await eventually { fake.asked.contains("write dfb1 request l") })
                fake.tell("drop")
                #expect(await eventually { if case .lost = link.robot.phase { true } else { false } })
                #expect(await eventually { link.robot.phase == .ready })
                // The direction that was held is repeated until the board is lost.
                func again() -> [String] {
                    let parts = fake.asked.split { $0.hasPrefix("connect ") }
                    return parts.count > 2 ? Array(parts[parts.count - 1]) : []
                }
                #expect(await eventually { again().contains("write dfb1 request s") }, "\(fake.asked)")
                #expect(try link.hold(.left, speed: 200) == false)
                #expect(!again().contains("write dfb1 request l"), "\(fake.asked)")
                await link.close()
            }
        }

        /// A board that answers each packet has one at a time: the stop waits for the answer, and the farewell for the stop.
        @Test func `a board that is left while a packet waits for its answer is stopped before`() async throws {
            try await with(["request"]) { fake in
                let link = fake.link()
                try await link.connect(within: .patient(seconds: 10))
                link.release()
                #expect(try link.hold(.left, speed: 200))
                try link.leave()
                #expect(await eventually { fake.asked.last == "disconnect" }, "\(fake.asked)")
                #expect(fake.asked.dropLast().last == "write dfb1 request s", "\(fake.asked)")
                await link.close()
            }
        }

        /// BlueZ answers as soon as it has queued a packet: what it is given at once, a stop waits behind.
        @Test func `a stop waits behind a few packets of a long text only`() async throws {
            try await with { fake in
                let link = fake.link()
                try await link.connect(within: .patient(seconds: 10))
                try link.send([UInt8](repeating: UInt8(ascii: "x"), count: 1000))
                // The answers have come by then, and some packets have left.
                #expect(await eventually { fake.asked.contains { $0.hasPrefix("write dfb1 command xx") } })
                let reply = try await link.perform(.hover, within: .patient(seconds: 5))
                #expect(reply.accepted)
                #expect(await eventually { fake.asked.contains { $0.hasPrefix("write dfb1 command s") } })
                let packets = fake.asked.count { $0.hasPrefix("write dfb1 command xx") }
                #expect(packets < 25, "\(fake.asked)")
                await link.close()
            }
        }

        @Test(arguments: [
            (["no-adapter"], "has no Bluetooth adapter"), (["off"], "hci0 is switched off"),
            (["refused"], "no answer over the radio"), (["forbidden"], "may not use BlueZ"),
        ])
        func `what cannot be connected says why`(_ faults: [String], _ words: String) async throws {
            try await with(faults) { fake in try await refuses(fake, words) }
        }

        @Test func `no BlueZ, no permission and no bus are told apart`() async throws {
            try await with(nil) { fake in try await refuses(fake, "BlueZ is not running") }
            try await with([], denies: true) { fake in try await refuses(fake, "this user may not use BlueZ") }
            for (place, words) in [
                ("unix:path=/nonexistent/bus", "there is no system bus at"),
                ("nonsense", "there is no system bus at nonsense"),
            ] {
                let failure = #expect(throws: BusFailure.self) { try SystemBus(address: place) }
                #expect(failure?.what.contains(words) == true, "\(failure as Any)")
            }
        }

        private func refuses(_ fake: FakeBlueZ, _ words: String) async throws {
            let link = fake.link()
            let error = await #expect(throws: LinkError.self) { try await link.connect(within: .patient(seconds: 10)) }
            #expect(error?.what.contains(words) == true && error?.hint.isEmpty == false, "\(error as Any)")
            await link.close()
        }

        @Test func `a connection that never comes about ends with its time, or when it is cancelled`() async throws {
            try await with(["silent"]) { fake in
                let link = fake.link()
                let error = await #expect(throws: LinkError.self) { try await link.connect(within: .seconds(2)) }
                #expect(error?.code == .timedOut && error?.what.contains("connecting to") == true, "\(error as Any)")
                let task = Task { try await link.connect(within: .seconds(60)) }
                task.cancel()
                let other = await #expect(throws: LinkError.self) { try await task.value }
                #expect(other?.code == .cancelled)
                await link.close()
                #expect(await eventually { fake.asked.last == "disconnect" })
            }
        }

        @Test func `boards are scanned for, and another one is chosen`() async throws {
            try await with(["two", "plain"]) { fake in
                let link = fake.link()
                try await link.connect(within: .patient(seconds: 10))
                // No firmware of DFRobot: neither model nor commands.
                #expect(!fake.asked.contains { $0.contains("dfb2") })
                link.startScan()
                #expect(await eventually { link.radioState.boards.count == 2 })
                #expect(link.radioState.boards.map(\.rssi) == [-52, -71])
                #expect(link.radioState.boards.first?.isConnected == true && link.radioState.isScanning)
                try link.choose("aa:bb:cc:dd:ee:02")
                #expect(!link.radioState.isScanning)
                #expect(await eventually { link.robot.phase == .ready })
                #expect(fake.asked.contains("connect AA:BB:CC:DD:EE:02 "), "\(fake.asked)")
                #expect(fake.asked.contains("disconnect"))
                #expect(throws: LinkError.self) { try link.choose("/dev/ttyACM0") }
                try link.leave()
                #expect(await eventually { fake.asked.filter { $0 == "disconnect" }.count == 2 })
                #expect(link.robot.phase == .closed)
                await link.close()
            }
        }

        @Test func `of several boards none is taken, and they are named`() async throws {
            try await with(["two"]) { fake in
                let link = fake.link(nil)
                let error = await #expect(throws: LinkError.self) {
                    try await link.connect(within: .patient(seconds: 20))
                }
                #expect(error?.what.contains("2 boards are in range: AA:BB:CC:DD:EE:01 (BlunoV2.0, -52 dBm)") == true)
                await link.close()
            }
        }

        @Test func `the simulated robot is driven over the fake BlueZ`() async throws {
            if let missing = FakeBlueZ.missing { return print("skipped: \(missing)") }
            let emulator = try BlunoEmulator()
            try await with(["cached", "--pty", emulator.path]) { fake in
                let link = fake.link()
                try await link.connect(within: .patient(seconds: 10))
                #expect(!fake.asked.contains("scan"))
                link.release()
                #expect(try link.hold(.left, speed: 200))
                #expect(await eventually { emulator.robot.motors == Motors(-200, 200) })
                #expect(await eventually { link.latestTelemetry?.battery != nil })
                await link.close()
                #expect(await eventually { emulator.robot.motors == .off })
            }
            await emulator.end()
        }
    }
#endif
