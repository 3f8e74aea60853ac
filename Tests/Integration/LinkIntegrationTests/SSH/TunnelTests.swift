import Foundation
import IntegrationKit
import SSHTransport
import Testing
import UAVLink

extension SSHTests {
    @Suite struct SSHTunnelTests {
        @Test func `a tunnel carries bytes both ways and ends at each end`() async throws {
            try await withSession { server, session in
                // The server's own port answers with its banner: a peer that is always there.
                let tunnel = try await session.openTunnel(
                    toHost: "127.0.0.1", port: server.port, within: .patient(seconds: 10))
                let banner = try #require(try await tunnel.read(within: .patient(seconds: 10)))
                #expect(String(decoding: banner.bytes, as: UTF8.self).hasPrefix("SSH-2.0-OpenSSH"))
                try await tunnel.write(Array("nonsense\r\n".utf8), within: .patient(seconds: 5))
                while try await tunnel.read(within: .patient(seconds: 10)) != nil {}
            }
        }

        @Test func `a tunnel to a port where nothing listens is refused`() async throws {
            try await withSession { _, session in
                let port = try freePort()
                let error = await linkError {
                    _ = try await session.openTunnel(toHost: "127.0.0.1", port: port, within: .patient(seconds: 10))
                }
                #expect(error?.code == .unreachable, "\(String(describing: error))")
                let answer2 = try await session.run("echo on", within: .patient(seconds: 10))
                #expect(answer2.outputText == "on\n")
            }
        }

        /// Without it each answer through a tunnel waited 40 ms for the acknowledgement of the one before it. What the server
        /// says of its sockets tells, where a time would only hint.
        @Test func `the server sends small packets at once before anything comes through a forwarded port`()
            async throws
        {
            try await withSession(options: ["LogLevel DEBUG2"]) { server, session in
                let forward = try SSHPortForward(session, toHost: "127.0.0.1", port: server.port)
                defer { forward.close() }
                #expect(try await firstLine(from: forward.port).hasPrefix("SSH-2.0-OpenSSH"))
                // The log comes by another way than the banner.
                #expect(await eventually { await server.log.contains("server_request_direct_tcpip") })
                let log = await server.log
                let tunnel = try #require(log.range(of: "server_request_direct_tcpip"))
                #expect(log[..<tunnel.lowerBound].contains("setting TCP_NODELAY"))
            }
        }

        @Test func `a port is forwarded at once where every command is another that does not end`() async throws {
            try await withSession(options: ["ForceCommand exec /bin/sleep 60"]) { server, session in
                let forward = try SSHPortForward(session, toHost: "127.0.0.1", port: server.port)
                defer { forward.close() }
                #expect(try await firstLine(from: forward.port).hasPrefix("SSH-2.0-OpenSSH"))
            }
        }

        @Test func `where forwarding is forbidden the error says so`() async throws {
            try await withSession(options: ["AllowTcpForwarding no"]) { server, session in
                let error = await linkError {
                    _ = try await session.openTunnel(
                        toHost: "127.0.0.1", port: server.port, within: .patient(seconds: 10))
                }
                #expect(error?.code == .unreachable)
                #expect(error?.hint.contains("forwarding") == true)
            }
        }

        /// Within 8 s, before the patience with a command that does not end is over.
        private func firstLine(from port: UInt16) async throws -> String {
            let reader = try ChildProcess(
                [
                    "/bin/bash", "-c",
                    "exec 3<>/dev/tcp/127.0.0.1/\(port); read -r -t 8 -u 3 line; echo \"$line\"",
                ], environment: ["PATH": "/usr/bin:/bin"])
            _ = try await reader.exit(within: .seconds(30))
            return reader.output
        }
    }
}
