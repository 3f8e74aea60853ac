import Foundation
import IntegrationKit
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A signal ends every command with the code of that signal, also one that goes on after a log-in that failed, or counts what failed.
@Suite(.enabled(if: BuiltPrograms.folder != nil), .timeLimit(.minutes(MachinePace.minutes(2))))
struct InterruptedCommandTests {
    private let home: TemporaryFolder

    init() throws { home = try TemporaryFolder() }

    /// A server that accepts a connection and never says that it is an SSH server.
    private func withSilentServer(_ body: (_ port: String, _ server: ChildProcess) async throws -> Void) async throws {
        let server = try ChildProcess([
            "/usr/bin/python3", "-c",
            """
            import socket, sys
            server = socket.socket()
            server.bind(('127.0.0.1', 0))
            server.listen(8)
            print('port %d' % server.getsockname()[1], flush=True)
            connection = server.accept()
            print('accepted', flush=True)
            sys.stdin.readline()
            """,
        ])
        try await body(String(try await server.line(containing: "port ").dropFirst(5)), server)
        await server.stop()
    }

    private func start(_ arguments: [String]) throws -> ChildProcess {
        try ChildProcess(
            [BuiltPrograms.path("uavlink")] + arguments,
            environment: ["PATH": "/usr/bin:/bin", "HOME": home.path, "XDG_RUNTIME_DIR": home.path])
    }

    private func object(_ child: ChildProcess) throws -> [String: Any] {
        let found = try JSONSerialization.jsonObject(with: Data(child.output.utf8)) as? [String: Any]
        return try #require(found, "\(child.output)")
    }

    @Test(arguments: [["doctor"], ["trajectory", "check"], ["trajectory", "preview"], ["status"], ["takeoff"]])
    func `during the log-in`(command: [String]) async throws {
        let words =
            command == ["takeoff"] ? "interrupted: nothing was sent" : "the log-in to 127.0.0.1 was interrupted"
        for (signal, code) in [(SIGTERM, 143), (SIGINT, 130)] {
            try await withSilentServer { port, server in
                let config = try home.write(
                    """
                    default: hexa1
                    vehicles:
                      hexa1:
                        host: 127.0.0.1
                        port: \(port)
                        user: mrs

                    """, to: "config.yaml")
                let route = try home.write("0,0,2\n10,0,2\n", to: "route.csv")
                let files = command[0] == "trajectory" ? [route, "--frame", "world_origin"] : []
                let child = try start(["--json", "--config", config, "--timeout", "30s"] + command + files)
                _ = try await server.line(containing: "accepted")
                child.signal(signal)
                #expect(try await child.exit(within: .seconds(20)) == Int32(code), "\(child.output) \(child.errors)")
                let answer = try object(child)
                #expect(answer["ok"] as? Bool == false)
                #expect(answer["exit_code"] as? Int == code, "\(child.output)")
                #expect(answer["error"] as? String == words, "\(child.output)")
                #expect((answer["target"] as? String)?.contains("hexa1") == true, "\(child.output)")
                #expect(child.errors.contains("hexa1: \(words)"), "\(child.errors)")
                #expect(!child.errors.contains("continuing without a vehicle"), "\(child.errors)")
            }
        }
    }

    @Test func `during a check of the doctor`() async throws {
        let child = try start(["--link", "sim", "doctor"])
        _ = try await child.line(containing: "vehicle: simulated")
        child.signal(SIGTERM)
        #expect(try await child.exit(within: .seconds(20)) == 143, "\(child.output) \(child.errors)")
        #expect(!child.output.contains("FAILED"), "\(child.output)")
        #expect(child.errors.contains("interrupted\n"), "\(child.errors)")
    }
}
