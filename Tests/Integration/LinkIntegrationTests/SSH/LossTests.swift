import Foundation
import IntegrationKit
import SSHTransport
import Testing
import UAVLink

/// How many file descriptors and threads this process has.
private func resources() throws -> (descriptors: Int, threads: Int) {
    (
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count,
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count
    )
}

/// What can be under way when the server dies.
enum Undertaking: String, CaseIterable, Sendable {
    case command, input, output, stream, shell, upload, tunnel, warmShell, opening, nothing

    func run(_ session: SSHSession, _ server: SSHServer) async throws(LinkError) {
        let long = Duration.patient(seconds: 60)
        switch self {
        case .command: _ = try await session.run("sleep 100", within: long)
        case .input:
            while true {
                _ = try await session.run(
                    "cat >/dev/null", input: [UInt8](repeating: 1, count: 1_000_000), within: long)
            }
        case .output:
            _ = try await session.run("cat /dev/zero", within: long, outputLimit: .max)
        case .stream:
            let channel = try await session.start("while true; do echo x; sleep 0.01; done", within: long)
            while try await channel.read(within: long) != nil {}
        case .shell:
            let shell = try await session.openShell(within: long)
            while try await shell.read(within: long) != nil {}
        case .upload:
            while true {
                try await session.upload(
                    [UInt8](repeating: 1, count: 500_000), to: server.folder.path + "/upload", within: long)
            }
        case .tunnel:
            let tunnel = try await session.openTunnel(toHost: "127.0.0.1", port: server.port, within: long)
            while try await tunnel.read(within: long) != nil {}
            _ = try await session.run("sleep 100", within: long)
        case .warmShell:
            let shell = SSHWarmShell(session)
            while true { _ = try await shell.run("sleep 0.01", within: long) }
        case .opening:
            while true { _ = try await session.run("true", within: long) }
        case .nothing:
            _ = await eventually { !session.isConnected }
            _ = try await session.run("true", within: long)
        }
    }
}

extension SSHTests {
    @Suite struct SSHLossTests {
        @Test(arguments: Undertaking.allCases)
        func `when the server is killed in the middle everything fails at once`(undertaking: Undertaking) async throws {
            try await withSession { server, session in
                let task = Task {
                    do throws(LinkError) {
                        try await undertaking.run(session, server)
                        return nil as LinkError?
                    } catch {
                        return error
                    }
                }
                try await Task.sleep(for: .milliseconds(400))
                let killed = ContinuousClock.now
                #expect(await server.killSessions() > 0)
                let error = await task.value
                #expect(error?.code == .notConnected, "\(String(describing: error))")
                #expect(ContinuousClock.now - killed < .patient(seconds: 30))
                #expect(!session.isConnected)
                let after = await linkError { _ = try await session.run("true", within: .seconds(5)) }
                #expect(after?.code == .notConnected)
            }
        }

        @Test func `a frozen server costs no more than the deadline`() async throws {
            try await withSession { server, session in
                _ = try await session.run("true", within: .patient(seconds: 10))
                await server.freezeSessions(true)
                let begun = ContinuousClock.now
                let error = await linkError { _ = try await session.run("true", within: .seconds(1)) }
                #expect(error?.code == .timedOut)
                let upload = await linkError { try await session.upload([1], to: "/tmp/x", within: .seconds(1)) }
                #expect(upload?.code == .timedOut)
                #expect(ContinuousClock.now - begun < .patient(seconds: 40))
                await session.close()
                await server.freezeSessions(false)
            }
        }

        @Test func `closing fails what waits and can be done twice`() async throws {
            try await withSession { _, session in
                let task = Task { try await session.run("sleep 100", within: .patient(seconds: 60)) }
                try await Task.sleep(for: .milliseconds(300))
                await session.close()
                await session.close()
                let error = await linkError { _ = try await task.value }
                #expect(error?.code == .closed)
                let after = await linkError { _ = try await session.run("true", within: .seconds(5)) }
                #expect(after?.code == .closed)
            }
        }
    }
}

extension SSHTests {
    @Suite struct SSHConnectTests {
        @Test func `a refused port is named at once`() async throws {
            let port = try freePort()
            let begun = ContinuousClock.now
            let error = await linkError { _ = try await connect(port: port, within: .patient(seconds: 60)) }
            #expect(error?.code == .unreachable)
            #expect(error?.what.contains("connection refused") == true, "\(String(describing: error))")
            #expect(error?.hint.isEmpty == false)
            #expect(ContinuousClock.now - begun < .patient(seconds: 20))
        }

        @Test func `all addresses of a name are tried`() async throws {
            try await withSSHServer { server in
                // localhost is ::1 too where the machine has IPv6; the server listens on 127.0.0.1 only.
                let endpoint = SSHEndpoint(host: "localhost", port: server.port, user: server.user)
                let session = try await SSHSession.connect(
                    to: endpoint, authentication: [.keyFile(path: server.userKey)],
                    hostKeys: HostKeyPolicy(files: [server.folder.path + "/new"], unknown: .acceptNew),
                    within: .patient(seconds: 10)
                )
                await session.close()
            }
        }

        @Test func `a name that does not exist is named`() async throws {
            let error = await linkError {
                _ = try await connect(host: "no-such-vehicle.invalid", port: 22, within: .patient(seconds: 20))
            }
            #expect(error?.code == .unreachable || error?.code == .timedOut)
            #expect(error?.what.contains("no-such-vehicle.invalid") == true, "\(String(describing: error))")
        }

        @Test func `a peer that takes the connection and says nothing costs no more than the deadline`() async throws {
            let hole = try ChildProcess([
                "/usr/bin/python3", "-c",
                "import socket, time; s = socket.socket(); s.bind(('127.0.0.1', 0)); s.listen(5); "
                    + "print('port', s.getsockname()[1], flush=True); time.sleep(1000)",
            ])
            let line = try await hole.line(containing: "port ")
            let port = try #require(UInt16(line.split(separator: " ").last ?? ""))
            let begun = ContinuousClock.now
            let error = await linkError { _ = try await connect(port: port, within: .seconds(1)) }
            #expect(error?.code == .timedOut)
            #expect(ContinuousClock.now - begun < .patient(seconds: 15))
            let task = Task { try await connect(port: port, within: .patient(seconds: 60)) }
            try await Task.sleep(for: .milliseconds(200))
            task.cancel()
            let cancelled = await linkError { _ = try await task.value }
            #expect(cancelled?.code == .cancelled)
            await hole.stop()
        }

        @Test func `a peer that speaks something else is named`() async throws {
            let other = try ChildProcess([
                "/usr/bin/python3", "-c",
                "import socket, time; s = socket.socket(); s.bind(('127.0.0.1', 0)); s.listen(5); "
                    + "print('port', s.getsockname()[1], flush=True); c = s.accept()[0]; "
                    + "c.sendall(b'HTTP/1.1 400 Bad Request\\r\\n\\r\\n' * 2000); c.close(); time.sleep(1000)",
            ])
            let line = try await other.line(containing: "port ")
            let port = try #require(UInt16(line.split(separator: " ").last ?? ""))
            let error = await linkError { _ = try await connect(port: port, within: .patient(seconds: 3)) }
            #expect(
                [.protocolViolation, .notConnected, .unreachable].contains(error?.code), "\(String(describing: error))")
            await other.stop()
        }

        /// In a process of its own, since it counts what the whole process has.
        @Test func `sessions leave no descriptor and no thread behind`() async throws {
            await #expect(processExitsWith: .success) {
                try await withSSHServer { server in
                    // The first session starts what stays for the whole process.
                    let first = try await server.session()
                    _ = try await first.run("true", within: .patient(seconds: 10))
                    await first.close()
                    let before = try resources()
                    for round in 0..<8 {
                        let session = try await server.session()
                        let task = Task { try? await session.run("sleep 100", within: .patient(seconds: 60)) }
                        _ = try await session.run("true", within: .patient(seconds: 10))
                        try await session.upload([1], to: server.folder.path + "/file", within: .patient(seconds: 10))
                        _ = await linkError {
                            _ = try await server.session(authentication: [.password(SSHSecret("x"))])
                        }
                        _ = await linkError { _ = try await server.session(hostKeys: HostKeyPolicy(files: [])) }
                        if round.isMultiple(of: 2) { await server.killSessions() } else { await session.close() }
                        _ = await task.value
                    }
                    var after = before
                    let isClean = try await eventually {
                        after = try resources()
                        return after.descriptors <= before.descriptors && after.threads <= before.threads
                    }
                    guard isClean else { throw ProcessFailure("before \(before), after \(after)") }
                }
            }
        }

        private func connect(host: String = "127.0.0.1", port: UInt16, within timeout: Duration) async throws
            -> SSHSession
        {
            try await SSHSession.connect(
                to: SSHEndpoint(host: host, port: port, user: "nobody"), authentication: [.password(SSHSecret("x"))],
                hostKeys: HostKeyPolicy(files: ["/dev/null/none"]), within: timeout)
        }
    }
}
