import CompanionControl
import Dispatch
import Foundation
import IntegrationKit
import ChannelProtocol
import SocketTransport
import Synchronization
import Testing
import UAVLink
import UAVTestKit

@testable import Companion

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// What a service manager hears of a companion, and what happens when the channel's thread hangs: in a backend that does not return.
@Suite("Watchdog", .serialized, .timeLimit(.minutes(MachinePace.minutes(1)))) struct WatchdogLoopbackTests {
    private let folder: TemporaryFolder
    private let runtime: RuntimeDirectory

    init() throws {
        folder = try TemporaryFolder()
        runtime = try RuntimeDirectory(folder.path, environment: [:])
    }

    private func service(
        _ backend: any UAVLink, environment: [String: String] = [:], hangs: (@Sendable () -> Void)? = nil
    ) async throws -> CompanionService {
        try await CompanionService(
            Companion.Configuration(vehicle: "uav1"), channel: .init(vehicle: "uav1", bindAddress: "127.0.0.1"),
            backend: backend, runtime: runtime, manager: ServiceManager(environment: environment), hangs: hangs,
            log: CompanionLog { _ in })
    }

    /// Gives a command to the companion, whose channel's thread hands it to the backend.
    private func command() async throws -> SocketLink {
        let client = ControlClient(path: runtime.controlSocketPath(vehicle: "uav1"))
        let link = try SocketLink(
            host: "127.0.0.1", carrier: .udp,
            requestTicket: { (_: Duration) async throws(LinkError) in
                guard let line = try client.ask(.ticket) else {
                    throw LinkError(.companionUnavailable, "the companion has ended")
                }
                return try ChannelTicket(line: line)
            })
        try await link.connect(within: .patient(seconds: 5))
        Task { try? await link.perform(.hover, within: .seconds(1)) }
        return link
    }

    @Test func `a manager hears that it is there and works, until the channel's thread hangs`() async throws {
        let manager = try NotifySocket(folder.path + "/notify")
        let backend = HangingLink()
        let service = try await service(
            backend, environment: ["NOTIFY_SOCKET": manager.path, "WATCHDOG_USEC": "100000"])
        let work = Task { await service.run() }
        #expect(await eventually { manager.heard.count > 5 })
        #expect(manager.heard.contains("READY=1") && manager.heard.allSatisfy { $0 != "STOPPING=1" })
        let link = try await command()
        #expect(await eventually { backend.isHanging })
        // What was on its way may come late; then nothing more does, in twelve times the interval.
        var heard = manager.heard
        let isQuiet = try await eventually {
            heard = manager.heard
            try await Task.sleep(for: .milliseconds(600))
            return manager.heard == heard
        }
        #expect(isQuiet, "no other thread notifies for that one")
        backend.goOn()
        #expect(await eventually { manager.heard.count > heard.count + 2 })
        await link.close()
        work.cancel()
        _ = await work.value
        #expect(await eventually { manager.heard.contains("STOPPING=1") })
        #expect(manager.heard.filter { $0 == "READY=1" }.count == 1)
    }

    @Test func `without a manager it ends by itself when the channel's thread hangs`() async throws {
        let backend = HangingLink()
        let found = Flag()
        let service = try await service(backend) { found.set() }
        let work = Task { await service.run() }
        let link = try await command()
        #expect(await eventually { backend.isHanging })
        #expect(await eventually { found.isSet })
        backend.goOn()
        await link.close()
        work.cancel()
        _ = await work.value
    }

    /// The program itself, as systemd starts it; the name is of the kind that is no file.
    @Test(.enabled(if: NotifySocket.hasAbstractNames)) func `the program tells its manager`() async throws {
        let manager = try NotifySocket("@uavlink-test-\(UInt64.random(in: 0 ... .max))")
        var environment = ChildProcess.ownEnvironment
        environment["NOTIFY_SOCKET"] = manager.path
        environment["WATCHDOG_USEC"] = "200000"
        let program = try ChildProcess(
            [
                BuiltPrograms.path("uavlink-companion"), "run", "--runtime-dir", folder.path, "--backend", "simulated",
                "--bind", "127.0.0.1",
            ], environment: environment)
        #expect(await eventually { manager.heard.filter { $0 == "WATCHDOG=1" }.count > 2 }, "\(program.errors)")
        #expect(manager.heard.contains("READY=1"))
        program.signal(SIGTERM)
        #expect(try await program.exit() == 0, "\(program.errors)")
        #expect(await eventually { manager.heard.contains("STOPPING=1") })
    }
}

private final class Flag: Sendable {
    private let value = Atomic<Bool>(false)
    var isSet: Bool { value.load(ordering: .relaxed) }
    func set() { value.store(true, ordering: .relaxed) }
}

/// A backend that does not come back from a command until it is let.
private final class HangingLink: CallbackLink {
    private let link = FakeLink()
    private let gate = DispatchSemaphore(value: 0)
    private let hanging = Flag()

    var isHanging: Bool { hanging.isSet }
    func goOn() { gate.signal() }

    var kind: LinkKind { link.kind }
    var capabilities: LinkCapabilities { LinkCapabilities(callbacks: self) }
    var vehicleCapabilities: VehicleCapabilities { link.vehicleCapabilities }
    var quality: LinkQuality { link.quality }
    var latestTelemetry: Telemetry? { link.latestTelemetry }
    func connect(within timeout: Duration) async throws(LinkError) { try await link.connect(within: timeout) }
    func close() async { await link.close() }
    func telemetry() -> AsyncStream<Telemetry> { link.telemetry() }
    @discardableResult
    func steer(_ setpoint: VelocitySetpoint) throws(LinkError) -> SteeringReceipt { try link.steer(setpoint) }
    func perform(_ command: Command, within timeout: Duration) async throws(LinkError) -> CommandReply {
        try await link.perform(command, within: timeout)
    }

    func perform(
        _ command: Command, within timeout: Duration,
        answer: @escaping @Sendable (Result<CommandReply, LinkError>) -> Void
    ) {
        hanging.set()
        gate.wait()
        answer(.success(CommandReply(accepted: true, message: "")))
    }
}

/// The end of a service manager's socket, and what came there.
private final class NotifySocket: Sendable {
    #if os(Linux)
        static let hasAbstractNames = true
    #else
        static let hasAbstractNames = false
    #endif

    let path: String
    private let descriptor: Int32
    private let words = Mutex<[String]>([])

    var heard: [String] { words.withLock { $0 } }

    init(_ path: String) throws {
        self.path = path
        #if canImport(Glibc)
            descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        #else
            descriptor = socket(AF_UNIX, SOCK_DGRAM, 0)
        #endif
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = path.hasPrefix("@") ? [0] + Array(path.utf8.dropFirst()) : Array(path.utf8) + [0]
        let capacity = MemoryLayout.size(ofValue: address.sun_path)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let length = socklen_t(MemoryLayout<sockaddr_un>.size - capacity + bytes.count)
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
        }
        guard bound == 0 else { throw ProcessFailure("cannot bind \(path): errno \(errno)") }
        let thread = Thread { [weak self, descriptor] in
            var buffer = [UInt8](repeating: 0, count: 256)
            while true {
                let count = recv(descriptor, &buffer, buffer.count, 0)
                guard count > 0, let self else { break }
                words.withLock { $0.append(String(decoding: buffer[..<count], as: UTF8.self)) }
            }
            close(descriptor)
        }
        thread.start()
    }

    deinit { shutdown(descriptor, Int32(SHUT_RDWR)) }
}
