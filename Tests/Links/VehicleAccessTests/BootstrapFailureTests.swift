import CompanionControl
import Testing
import UAVLink

@testable import VehicleAccess

/// What a bootstrap that gave no ticket tells of the companion.
@Suite struct BootstrapFailureTests {
    private func code(_ status: Int?, _ errors: String) -> LinkError.Code {
        let profile = VehicleProfile(name: "hexa1")
        let session = SharedSession(profile: profile, credentials: Credentials(), environment: [:])
        return CompanionBootstrap(profile: profile, environment: [:], session: session).failure(status, errors).code
    }

    @Test(
        "a program that never ran says that there is none",
        arguments: [
            (127, "bash: line 3: /opt/uavlink-companion: No such file or directory"),
            (126, "bash: line 3: /opt/uavlink-companion: Permission denied"),
            (126, "bash: line 3: /opt/uavlink-companion: cannot execute binary file: Exec format error"),
            (127, "/opt/uavlink-companion: error while loading shared libraries: libsodium.so.23: cannot open"),
            (
                1,
                "/opt/uavlink-companion: libc.so.6: version `GLIBC_2.38' not found (required by /opt/uavlink-companion)"
            ),
        ])
    func missing(_ status: Int, _ errors: String) {
        #expect(code(status, errors) == .companionMissing)
    }

    @Test(
        "whatever else happens, there may be one",
        arguments: [
            (3, "uavlink-companion: the companion ended at once: another companion for uav1 runs on this host"),
            (3, "uavlink-companion: the companion at /run/uavlink/uav1.sock does not answer"),
            (127, "uavlink-companion: the companion ended at once: sh: no such file"),
            (70, "uavlink-companion: x"), (1, "no disk left"), (2, ""), (nil, ""),
        ] as [(Int?, String)])
    func unavailable(_ status: Int?, _ errors: String) {
        #expect(code(status, errors) == .companionUnavailable)
    }

    @Test func `a companion that runs is found by its lock, in any ROS graph`() {
        let name = HostLock.Name(vehicle: "uav1", graph: "http://10.0.0.1:11311/").description
        let listing = "0000000000000000: 00000002 00000000 00010000 0001 01 35361 \(name)\n"
        #expect(CompanionBootstrap.hasCompanion(for: "uav1", among: listing))
        #expect(!CompanionBootstrap.hasCompanion(for: "uav11", among: listing))
        #expect(!CompanionBootstrap.hasCompanion(for: "uav1", among: ""))
    }
}
