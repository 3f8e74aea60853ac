import CompanionControl
import IntegrationKit
import ChannelProtocol
import SocketTransport
import Testing
import UAVLink
import UAVTestKit

@testable import Companion

/// A companion's start and its end, with a control socket in a folder of each test's own and time that the test moves.
@Suite("Companion service", .timeLimit(.minutes(MachinePace.minutes(1)))) struct ServiceLoopbackTests {
    private let folder: TemporaryFolder
    private let runtime: RuntimeDirectory
    private let clock = FakeClock()
    private let lines = Lines()

    init() throws {
        folder = try TemporaryFolder()
        runtime = try RuntimeDirectory(folder.path, environment: [:])
    }

    private func service(
        idleExit: Duration? = nil, runtime other: RuntimeDirectory? = nil, hostLock: HostLock.Name? = nil
    ) async throws -> CompanionService {
        let (lines, runtime) = (lines, other ?? runtime)
        return try await CompanionService(
            Companion.Configuration(vehicle: "uav1"), channel: .init(vehicle: "uav1", bindAddress: "127.0.0.1"),
            backend: FakeLink(), runtime: runtime, hostLock: hostLock, idleExit: idleExit, clock: clock,
            log: CompanionLog { lines.add($0) })
    }

    private var client: ControlClient { ControlClient(path: runtime.controlSocketPath(vehicle: "uav1")) }

    /// Moves the clock a second at a time, and gives all threads the time to see it.
    private func pass(seconds: Int) async {
        for _ in 0..<seconds {
            clock.advance(by: .seconds(1))
            _ = await eventually { clock.sleeperCount > 0 || lines.all.contains { $0.contains("ending") } }
        }
    }

    @Test func `it does not end for want of guests while a ticket is out`() async throws {
        let service = try await service(idleExit: .seconds(10))
        let work = Task { await service.run() }
        #expect(await eventually { clock.sleeperCount > 0 })
        await pass(seconds: 8)
        #expect(try client.ask(.ticket) != nil)
        await pass(seconds: 30)
        #expect(!lines.all.contains { $0.contains("no session for") }, "\(lines.all)")
        #expect(try client.ask(.status) != nil)
        // The ticket is void after a minute.
        await pass(seconds: 40)
        // On a busy machine its own loop is behind the clock, and sleeps again.
        #expect(
            await eventually {
                clock.advance(by: .seconds(1))
                return lines.all.contains { $0.contains("no session for") }
            })
        _ = await work.value
        #expect(try client.ask(.ticket) == nil)
    }

    @Test func `one that is ending is waited for`() async throws {
        var ending = try InstanceLock(path: runtime.lockPath(vehicle: "uav1"))
        #expect(ending != nil)
        let start = Task { try await service() }
        #expect(await eventually { lines.all.contains { $0.contains("waiting for the previous companion to end") } })
        ending = nil
        #expect(
            await eventually {
                clock.advance(by: .milliseconds(20))
                return lines.all.contains { $0.contains("companion \(Version.text) for uav1") }
            })
        _ = try await start.value
    }

    @Test func `one that never ends is named in the end`() async throws {
        let ending = try InstanceLock(path: runtime.lockPath(vehicle: "uav1"))
        let start = Task { try await service() }
        #expect(await eventually { lines.all.contains { $0.contains("waiting for the previous companion to end") } })
        let advance = Task {
            while !Task.isCancelled {
                clock.advance(by: .milliseconds(500))
                try? await Task.sleep(for: .milliseconds(1))
            }
        }
        let error = await #expect(throws: LinkError.self) { try await start.value }
        advance.cancel()
        #expect(error?.description.contains("neither answers nor ends") == true)
        withExtendedLifetime(ending) {}
    }

    @Test func `beside one that answers there is no other`() async throws {
        let first = try await service()
        let error = await #expect(throws: LinkError.self) { try await service() }
        #expect(error?.description.contains("another companion for uav1 is already running") == true)
        withExtendedLifetime(first) {}
    }

    /// A name that nothing else on this machine has.
    private static func hostLock() -> HostLock.Name {
        HostLock.Name(vehicle: "uav1", graph: "test \(UInt64.random(in: 0 ... .max))")
    }

    @Test func `beside one with another runtime directory there is no other`() async throws {
        let name = Self.hostLock()
        let first = try await service(hostLock: name)
        let elsewhere = try TemporaryFolder()
        let other = try RuntimeDirectory(elsewhere.path, environment: [:])
        let error = await #expect(throws: LinkError.self) { try await service(runtime: other, hostLock: name) }
        #expect(error?.description.contains("runs on this host: process") == true, "\(error as Any)")
        #expect(error?.description.contains(runtime.controlSocketPath(vehicle: "uav1")) == true, "\(error as Any)")
        // Of another graph it is another vehicle.
        _ = try await service(runtime: other, hostLock: Self.hostLock())
        withExtendedLifetime(first) {}
    }

    @Test func `one with another runtime directory that is ending is waited for`() async throws {
        let name = Self.hostLock()
        var ending = try HostLock(name)
        try #require(ending != nil)
        ending?.conclude()
        let start = Task { try await service(hostLock: name) }
        #expect(await eventually { lines.all.contains { $0.contains("waiting for the previous companion to end") } })
        ending = nil
        #expect(
            await eventually {
                clock.advance(by: .milliseconds(20))
                return lines.all.contains { $0.contains("companion \(Version.text) for uav1") }
            })
        _ = try await start.value
    }
}
