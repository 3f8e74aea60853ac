import IntegrationKit
import Testing

/// The programs with a Zenoh router that listens over TLS for the ground, and over TCP beside the vehicle.
@Suite("a router over TLS", .serialized, .timeLimit(.minutes(MachinePace.minutes(5)))) struct TLSRouterTests {
    private struct Scene {
        let certificates: TestCertificates
        let locator: String
        let folder: TemporaryFolder

        /// Runs `uavlink` with the router to its end.
        func uavlink(
            _ words: [String], authority: String = "ca.pem", expecting code: Int32? = 0
        ) async throws -> ChildProcess {
            let options = ["--link", "ros", "--router", locator, "--router-ca", certificates.file(authority)]
            return try await run("uavlink", words + options, expecting: code)
        }

        func run(_ program: String, _ words: [String], expecting code: Int32?) async throws -> ChildProcess {
            let process = try ChildProcess(
                [try BuiltPrograms.path(program)] + words,
                environment: ["PATH": "/usr/bin:/bin", "HOME": folder.path, "LC_ALL": "C.UTF-8"])
            do {
                let status = try await process.exit(within: .patient(seconds: 90))
                #expect(status == code ?? status, "\(program) \(words): \(process.output) \(process.errors)")
            } catch {
                await process.stop()
                throw error
            }
            return process
        }
    }

    private static func with(_ body: (Scene) async throws -> Void) async throws {
        guard BuiltPrograms.folder != nil else { return print("skipped: the programs are not built") }
        let (certificates, port, folder) = (try await TestCertificates(), try freePort(), try TemporaryFolder())
        try await ROS2Peer.with(tls: certificates.arguments(port: port)) { peer in
            let simulator = try ChildProcess(
                [try BuiltPrograms.path("uavlink-sim"), "--ros", "2", "--router", peer.locator])
            do {
                try await simulator.line(ofErrorsContaining: "ready")
                try await body(
                    Scene(certificates: certificates, locator: "tls/127.0.0.1:\(port)", folder: folder))
            } catch {
                await simulator.stop()
                throw error
            }
            await simulator.stop()
        }
    }

    @Test func `the ground flies the vehicle behind it`() async throws {
        try await Self.with { scene in
            let status = try await scene.uavlink(["status", "--json"])
            #expect(status.output.contains(#""vehicle""#), "\(status.output)")
            _ = try await scene.uavlink(["takeoff", "--arm", "--wait"])
            _ = try await scene.uavlink(["goto", "2", "0", "2", "--wait"])
            _ = try await scene.uavlink(["steer", "--vx", "0.5", "--for", "1s"])
            _ = try await scene.uavlink(["land", "--wait"])
            // What else it finds on this machine is not of interest.
            let doctor = try await scene.uavlink(["doctor"], expecting: nil)
            #expect(doctor.output.contains("\(scene.locator) (domain 0) answers"), "\(doctor.output)")
        }
    }

    @Test func `what is wrong is said at once, and beside the vehicle there is no TLS`() async throws {
        try await Self.with { scene in
            let other = try await scene.uavlink(["status"], authority: "other-ca.pem", expecting: 3)
            #expect(other.errors.contains("its certificate is from an unknown authority"), "\(other.errors)")
            let missing = try await scene.uavlink(["hover"], authority: "none.pem", expecting: 3)
            #expect(missing.errors.contains("none.pem' cannot be read"), "\(missing.errors)")
            let plain = try await scene.run(
                "uavlink", ["status", "--router", "tcp/127.0.0.1:1", "--router-ca", "ca.pem"], expecting: 2)
            #expect(plain.errors.contains("certificates are for a router over TLS"), "\(plain.errors)")
            for (program, words, code) in [
                ("uavlink-companion", ["run"], 3 as Int32), ("uavlink-sim", ["--ros", "2"], 2),
            ] {
                let refused = try await scene.run(program, words + ["--router", scene.locator], expecting: code)
                #expect(refused.errors.contains("over TLS, which this program does not have"), "\(refused.errors)")
            }
        }
    }
}
