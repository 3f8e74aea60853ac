import MRS
import Testing
import UAVLink
import UAVTestKit

@testable import VehicleAccess

/// What the companion on a vehicle is asked with.
@Suite struct BootstrapArgumentsTests {
    @Test func `the address of the profile is handed on`() {
        var profile = VehicleProfile(name: "hexa1")
        profile.vehicle = "uav7"
        #expect(CompanionBootstrap.arguments(for: profile) == ["bootstrap", "--uav", "uav7"])
        profile.bindAddress = "192.168.69.101"
        #expect(
            CompanionBootstrap.arguments(for: profile) == [
                "bootstrap", "--uav", "uav7", "--bind", "192.168.69.101",
            ])
    }

    /// Two masters that have the vehicle.
    private var several: ROSEnvironment {
        ROSEnvironment(profileSetup: "").choosing(
            among: [.init("http://localhost:11311", identity: "a"), .init("http://localhost:11312", identity: "b")],
            vehicle: "uav1")
    }

    /// What becomes of a log-in; `nil` if it goes on.
    private func refusal(_ environment: ROSEnvironment, status: Int?) async -> LinkError? {
        do throws(LinkError) {
            try await CompanionBootstrap.checkMasters(within: .seconds(1), clock: FakeClock()) { _ in
                environment
            } status: { _ in
                status
            }
            return nil
        } catch {
            return error
        }
    }

    @Test func `of several ROS masters none is picked, unless the companion that is asked for a ticket runs`() async {
        #expect(await refusal(several, status: 3)?.what.hasPrefix("2 ROS masters") == true)
        #expect(await refusal(several, status: nil) != nil)
        #expect(await refusal(several, status: 0) == nil)
        let none = ROSEnvironment(profileSetup: "").choosing(among: [], vehicle: "uav1")
        #expect(await refusal(none, status: 3) == nil)
    }

    @Test func `the search for masters and the question to the companion have one timeout together`() async throws {
        let (clock, found) = (FakeClock(), several)
        var given: [Duration] = []
        func check(searching seconds: Double) async throws {
            given = []
            try await CompanionBootstrap.checkMasters(within: .seconds(10), clock: clock) { left in
                given.append(left)
                clock.advance(by: .seconds(seconds))
                return found
            } status: { left in
                given.append(left)
                return 0
            }
        }
        try await check(searching: 3)
        #expect(given == [.seconds(10), .seconds(7)])
        // What was found is said, not that the time is over.
        let ambiguity = try #require(found.ambiguity)
        await #expect(throws: ambiguity) { try await check(searching: 12) }
        #expect(given == [.seconds(10)])
    }

    @Test func `it is that companion which is asked, and none is started`() {
        var profile = VehicleProfile(name: "hexa1")
        profile.vehicle = "uav7"
        profile.bindAddress = "192.168.69.101"
        #expect(CompanionBootstrap.statusArguments(for: profile) == ["status", "--uav", "uav7"])
    }
}
