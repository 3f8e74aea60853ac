import Testing
import UAVLink

@testable import VehicleAccess

@Suite struct DeployCommandTests {
    private func profile(_ name: String, _ change: (inout VehicleProfile) -> Void = { _ in }) -> VehicleProfile {
        var profile = VehicleProfile(name: name)
        profile.host = "10.0.0.7"
        change(&profile)
        return profile
    }

    @Test func `the command names a vehicle of the configuration, or how to reach the host`() {
        #expect(profile("hexa1").deployCommand == "uavlink deploy hexa1")
        #expect(profile("my hexa's").deployCommand == #"uavlink deploy 'my hexa'\''s'"#)
        #expect(profile("10.0.0.7").deployCommand == "uavlink deploy 10.0.0.7")
        let whole = profile("10.0.0.7") {
            $0.user = "mrs"
            $0.port = 2222
            $0.vehicle = "uav7"
            $0.identities = ["~/.ssh/key"]
        }
        #expect(
            whole.deployCommand
                == "uavlink deploy 10.0.0.7 --user mrs --port 2222 --uav uav7 --identity '~/.ssh/key'")
        #expect(VehicleProfile(name: "local").deployCommand == "uavlink deploy HOST")
    }

    @Test func `a program that is missing or cannot run is installed by it`() {
        let missing = CompanionProgram.failure(
            "uavlink-companion", 127, errors: "sh: not found", output: "", command: "c", install: "uavlink deploy hexa1"
        )
        #expect(missing.code == .companionMissing && missing.hint.hasPrefix("'uavlink deploy hexa1' installs it"))
        let broken = CompanionProgram.failure(
            "uavlink-companion", 126, errors: "sh: Exec format error", output: "", command: "c",
            install: "uavlink deploy hexa1")
        #expect(broken.hint.hasSuffix("uavlink deploy hexa1"))
    }

    @Test func `a path of the profile is run as it is`() {
        let own = profile("hexa1") { $0.companion = "~/uavlink-companion" }.companionCommand(["--version"])
        #expect(own.program == "~/uavlink-companion" && own.arguments == ["--version"])
        let usual = profile("hexa1").companionCommand(["--version"])
        #expect(usual.program == "/bin/sh" && usual.arguments.first == "-c" && usual.arguments.last == "--version")
    }
}
