import IntegrationKit
import Synchronization
import Testing
import UAVLink

@testable import Bluno
@testable import BlunoEmulator

/// The link against the emulated robot, over a real pseudo terminal.
@Suite("Bluno over a pseudo terminal", .serialized, .timeLimit(.minutes(MachinePace.minutes(2))))
struct BlunoLoopbackTests {
    private func rig() throws -> (link: BlunoLink, emulator: BlunoEmulator) {
        let emulator = try BlunoEmulator()
        return (link(to: emulator.path), emulator)
    }

    private func link(to path: String) -> BlunoLink {
        var settings = BlunoLink.Settings(transport: SerialTransport(path: path), vehicle: "r1")
        settings.settling = .milliseconds(50)
        return BlunoLink(settings)
    }

    @Test func `it is driven, released, stopped and heard`() async throws {
        let (link, emulator) = try rig()
        try await link.connect(within: .patient(seconds: 5))
        #expect(link.quality.isConnected)
        link.release()
        #expect(try link.hold(.left, speed: 200))
        #expect(await eventually { emulator.robot.motors == Motors(-200, 200) })
        link.release()
        #expect(await eventually { emulator.robot.motors == .off })
        // A program that hangs does not hold.
        #expect(try link.hold(.right, speed: 100))
        #expect(await eventually { emulator.robot.motors != .off })
        #expect(await eventually { emulator.robot.motors == .off })
        #expect(await eventually { link.latestTelemetry?.battery?.value.remaining != nil })
        try link.start(RobotTask(name: "Patrol", text: "2"))
        #expect(await eventually { emulator.robot.task == .patrol })
        #expect(await eventually { link.log(after: 0).contains { $0.text == "task 2 Patrol" } })
        let reply = try await link.perform(.hover, within: .patient(seconds: 5))
        #expect(reply.accepted)
        #expect(await eventually { emulator.robot.task == .status })
        await link.close()
        await emulator.end()
    }

    @Test func `setpoints drive it, and their end stops it`() async throws {
        let (link, emulator) = try rig()
        try await link.connect(within: .patient(seconds: 5))
        let clock = SystemMonotonicClock()
        func setpoint(_ rate: Double) -> VelocitySetpoint {
            VelocitySetpoint(
                velocityMetresPerSecond: .zero, headingRateRadiansPerSecond: rate, frame: .body,
                intendedAt: clock.now, validFor: .milliseconds(500))
        }
        // Steering begins neutral.
        #expect(try link.steer(setpoint(1)).sentAt == nil)
        try link.steer(setpoint(0))
        #expect(try link.steer(setpoint(1)).sentAt != nil)
        #expect(await eventually { emulator.robot.motors.left < 0 })
        #expect(await eventually { emulator.robot.motors == .off })
        let sideways = VelocitySetpoint(
            velocityMetresPerSecond: Vector3(x: 0, y: 1, z: 0), frame: .body, intendedAt: clock.now)
        #expect(throws: LinkError.self) { try link.steer(sideways) }
        await link.close()
        await emulator.end()
    }

    @Test func `a stop gets through a port that is full`() async throws {
        let (link, emulator) = try rig()
        try await link.connect(within: .patient(seconds: 5))
        emulator.deafen()
        // Until nothing more goes, again and again: the kernel moves what it has taken.
        var refused = 0
        for _ in 0..<400 where refused < 5 {
            do throws(LinkError) { try link.send([UInt8](repeating: 0x61, count: 1000)) } catch {
                refused += 1
                try await Task.sleep(for: .milliseconds(20))
            }
        }
        #expect(refused == 5)
        let reply = try await link.perform(.hover, within: .patient(seconds: 5))
        #expect(reply.accepted)
        emulator.deafen(false)
        #expect(await eventually { emulator.robot.words.last == "0" })
        await link.close()
        await emulator.end()
    }

    @Test func `one program has the port, and what cannot be opened says why`() async throws {
        let (link, emulator) = try rig()
        try await link.connect(within: .patient(seconds: 5))
        for (path, words) in [
            (emulator.path, "another program has"), ("/dev/there-is-none", "there is no board"),
            ("/dev/null", "is no serial port"), ("/dev", "is no serial port"),
        ] {
            let other = self.link(to: path)
            let error = await #expect(throws: LinkError.self) { try await other.connect(within: .patient(seconds: 5)) }
            #expect(error?.what.contains(words) == true && error?.code == .unreachable, "\(error as Any)")
            await other.close()
        }
        await link.close()
        // It is free again.
        let next = self.link(to: emulator.path)
        try await next.connect(within: .patient(seconds: 5))
        await next.close()
        await emulator.end()
    }

    @Test func `a board that is unplugged is lost, in words`() async throws {
        let (link, emulator) = try rig()
        try await link.connect(within: .patient(seconds: 5))
        await emulator.end()
        #expect(await eventually { if case .lost = link.robot.phase { true } else { false } })
        #expect(!link.quality.isConnected)
        let error = await #expect(throws: LinkError.self) { try await link.perform(.hover, within: .seconds(1)) }
        #expect(error?.code == .notConnected && error?.what.contains("unplugged") == true, "\(error as Any)")
        await link.close()
    }

    /// A port that takes bytes which never leave.
    private final class StuckPort: BlunoTransport, BlunoStream {
        private let events = Mutex<(all: [String], underWay: Int)>(([], 0))
        var name: String { "stuck" }
        var all: [String] { events.withLock { $0.all } }
        func open() throws(LinkError) -> any BlunoStream { self }
        var descriptor: Int32 { -1 }
        func read(into buffer: UnsafeMutableRawBufferPointer) -> BlunoMove { .nothing }
        func write(_ bytes: [UInt8]) -> BlunoMove {
            events.withLock { events in
                events.all.append(String(decoding: bytes, as: UTF8.self))
                events.underWay += bytes.count
            }
            return .moved(bytes.count)
        }
        var underWay: Int { events.withLock { $0.underWay } }
        func discard() {
            events.withLock { events in
                events.all.append("discard")
                events.underWay = 0
            }
        }
    }

    @Test func `a board that takes nothing more does not hold the closing of its port`() async throws {
        let port = StuckPort()
        var settings = BlunoLink.Settings(transport: port)
        settings.settling = .milliseconds(50)
        let link = BlunoLink(settings)
        try await link.connect(within: .patient(seconds: 5))
        await link.close()
        #expect(port.all.suffix(3) == ["discard", "s>s", "discard"], "\(port.all)")
    }

    /// A port whose board is another one after it was plugged in again.
    private final class Socket: BlunoTransport {
        private let path: Mutex<String>
        init(_ path: String) { self.path = Mutex(path) }
        var name: String { path.withLock { $0 } }
        func plug(_ other: String) { path.withLock { $0 = other } }
        func open() throws(LinkError) -> any BlunoStream { try SerialTransport(path: name).open() }
    }

    @Test func `a board that is plugged in again is found and stopped, and moves by a new press only`() async throws {
        let (first, second) = (try BlunoEmulator(), try BlunoEmulator())
        let socket = Socket(first.path)
        var settings = BlunoLink.Settings(transport: socket)
        settings.settling = .milliseconds(50)
        let link = BlunoLink(settings)
        try await link.connect(within: .patient(seconds: 5))
        link.release()
        try link.hold(.left, speed: 200)
        socket.plug(second.path)
        await first.end()
        #expect(await eventually { link.robot.phase == .ready && second.robot.words.count >= 2 })
        #expect(second.robot.words.allSatisfy { $0 == "s" })
        #expect(try link.hold(.left, speed: 200) == false)
        link.release()
        #expect(try link.hold(.left, speed: 200))
        #expect(await eventually { second.robot.motors != .off })
        await link.close()
        #expect(await eventually { second.robot.motors == .off })
        await second.end()
    }
}
