import Testing

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
}
