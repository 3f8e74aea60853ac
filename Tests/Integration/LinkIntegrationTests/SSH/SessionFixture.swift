import IntegrationKit
import SSHTransport
import UAVLink

extension SSHServer {
    /// Where it is, as our client names it.
    var endpoint: SSHEndpoint { SSHEndpoint(host: "127.0.0.1", port: port, user: user) }

    /// Logs in with the key that it knows.
    func session(authentication: [SSHAuthentication]? = nil, hostKeys: HostKeyPolicy? = nil) async throws -> SSHSession
    {
        try await SSHSession.connect(
            to: endpoint, authentication: authentication ?? [.keyFile(path: userKey)],
            hostKeys: hostKeys ?? HostKeyPolicy(files: [knownHosts]), within: .patient(seconds: 20))
    }
}

/// Runs `body` with a session to a real server of its own.
func withSession<Result: Sendable>(
    options: [String] = [], environment: [String: String] = [:],
    _ body: (SSHServer, SSHSession) async throws -> Result
) async throws -> Result {
    try await withSSHServer(options: options, environment: environment) { server in
        let session = try await server.session()
        do {
            let result = try await body(server, session)
            await session.close()
            return result
        } catch {
            await session.close()
            throw error
        }
    }
}

/// The error that `body` throws.
func linkError(_ body: () async throws -> Void) async -> LinkError? {
    do {
        try await body()
        return nil
    } catch {
        return error as? LinkError
    }
}
