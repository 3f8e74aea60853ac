import Companion
import CompanionControl
import IntegrationKit
import Testing
import UAVLink
import UAVTestKit
import VehicleAccess

@testable import MachineBridge

/// Which machines are bridged, and what keeps two bridges apart.
@Suite struct MachineBridgeTests {
    @Test(arguments: ["ardrone://192.168.1.1", "tello://192.168.10.1:8889"])
    func `a drone is bridged`(_ text: String) throws {
        #expect(MachineBridge.refusal(of: try #require(MachineAddress(text))) == nil)
    }

    /// Its text and its tasks would not reach it.
    @Test func `a robot is not, with the reason, and nothing is opened for it`() async throws {
        let machine = try #require(MachineAddress("bluno:///dev/ttyACM0"))
        let folder = try TemporaryFolder()
        let runtime = try RuntimeDirectory(folder.path, environment: [:])
        let error = await #expect(throws: LinkError.self) {
            _ = try await MachineBridge(
                .init(to: machine, vehicle: "rover"), link: ToyLink(clock: FakeClock()), runtime: runtime,
                clock: FakeClock(), log: CompanionLog { _ in })
        }
        #expect(error?.code == .unsupported)
        #expect(
            error?.what == "bluno:///dev/ttyACM0 cannot be bridged: text and tasks do not go over the channel")
        #expect(try ControlClient(path: runtime.controlSocketPath(vehicle: "rover")).ask(.status) == nil)
    }

    @Test func `the lock is that of the machine`() throws {
        let (one, other) = (
            try #require(MachineAddress("tello://192.168.10.1")), try #require(MachineAddress("tello://192.168.10.2"))
        )
        let lock = MachineBridge.Settings(to: one, vehicle: "tello").hostLock
        #expect(lock == MachineBridge.Settings(to: one, vehicle: "tello").hostLock)
        #expect(lock != MachineBridge.Settings(to: other, vehicle: "tello").hostLock)
    }
}
