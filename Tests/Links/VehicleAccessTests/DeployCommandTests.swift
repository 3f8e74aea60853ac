import MRS
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
        // The command line may differ from the configuration.
        let other = profile("hexa1") {
            $0.user = "root"
            $0.port = 2222
            $0.vehicle = "uav7"
            $0.identities = ["~/.ssh/key"]
        }
        #expect(other.deployCommand == "uavlink deploy hexa1 --user root --port 2222 --uav uav7")
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

    @Test func `where the profile names another program the advice says so, since that one would be used on`() {
        let own = profile("hexa1") { $0.companion = "/opt/companion" }
        let advice = "remove 'companion: /opt/companion' from the profile, then: uavlink deploy hexa1"
        #expect(own.namedCompanion == "/opt/companion" && own.deployAdvice == advice)
        for companion in [VehicleProfile.usualCompanion, VehicleProfile.deployedCompanion] {
            let usual = profile("hexa1") { $0.companion = companion }
            #expect(usual.namedCompanion == nil && usual.deployAdvice == "uavlink deploy hexa1")
        }
        let failures = [
            (127, "sh: not found"), (126, "sh: Exec format error"),
            (127, "c: error while loading shared libraries: libsodium.so.23: cannot open shared object file"),
        ]
        for (status, errors) in failures {
            let error = CompanionProgram.failure(
                own.companion, status, errors: errors, output: "", command: "c", install: own.deployCommand)
            #expect(error.code == .companionMissing && error.hint.hasSuffix(advice), "\(error.hint)")
        }
    }

    @Test func `a path of the profile is run as it is`() {
        let own = profile("hexa1") { $0.companion = "~/uavlink-companion" }.companionCommand(["--version"])
        #expect(own.program == "~/uavlink-companion" && own.arguments == ["--version"])
        let usual = profile("hexa1").companionCommand(["--version"])
        #expect(usual.program == "/bin/sh" && usual.arguments.first == "-c" && usual.arguments.last == "--version")
    }

    @Test(arguments: ["uavlink", "/usr/local/bin/uavlink"])
    func `a bridge is no companion that is deployed, and no command over SSH goes around it`(_ program: String) {
        let drone = profile("drone") {
            $0.companion = program
            $0.vehicle = "ardrone"
        }
        #expect(drone.isBridged)
        #expect(!profile("hexa1").isBridged && !VehicleProfile(name: "local").isBridged)
        #expect(
            drone.deployAdvice
                == "install this version of uavlink there, and start the bridge anew: "
                + "\(program) --link MACHINE://ADDRESS --uav ardrone bridge")
        let absent = CompanionProgram.failure(
            program, 127, errors: "sh: not found", output: "", command: "c", install: drone.deployCommand)
        #expect(absent.code == .companionMissing && absent.hint.hasSuffix("install uavlink there"))
        #expect(!absent.hint.contains("deploy"))
        let ended = CompanionProgram.failure(
            program, 3, errors: "uavlink: no bridge for ardrone runs on this computer; start it there: x", output: "",
            command: "c", install: drone.deployCommand)
        #expect(ended.code == .companionUnavailable)
        #expect(
            ended.what == "no session with a bridge: no bridge for ardrone runs on this computer; start it there: x")
        let connector = VehicleConnector(profile: drone, credentials: Credentials(), environment: [:])
        #expect(connector.topicWatch(over: .udp).obstacle?.code == .unsupported)
    }
}
