import IntegrationKit
import SSHTransport
import Synchronization
import UAVLink

/// Logs in and runs a command.
func logIn(_ server: SSHServer, _ ways: [SSHAuthentication], user: String? = nil) async throws(LinkError) {
    let endpoint = SSHEndpoint(host: "127.0.0.1", port: server.port, user: user ?? server.user)
    let session = try await SSHSession.connect(
        to: endpoint, authentication: ways, hostKeys: HostKeyPolicy(files: [server.knownHosts]),
        within: .patient(seconds: 20))
    let result: Result<SSHCommandResult, LinkError>
    do throws(LinkError) {
        result = .success(try await session.run("echo in", within: .patient(seconds: 10)))
    } catch {
        result = .failure(error)
    }
    await session.close()
    let output = try result.get().outputText
    guard output == "in\n" else { throw LinkError(.internalFault, "logged in, but not able to run: \(output)") }
}

/// The error with which a log-in ends; `nil` when it succeeds.
func refusal(_ server: SSHServer, _ ways: [SSHAuthentication], user: String? = nil) async -> LinkError? {
    do throws(LinkError) {
        try await logIn(server, ways, user: user)
        return nil
    } catch {
        return error
    }
}

/// A user who gives these answers in turn, and none after them.
final class Typist: Sendable {
    private let answers: Mutex<[String]>
    private let requests = Mutex<[SSHSecretRequest]>([])

    init(_ answers: String...) { self.answers = Mutex(answers) }

    var asked: [SSHSecretRequest] { requests.withLock { $0 } }

    var source: SSHSecretSource {
        { [self] request in
            requests.withLock { $0.append(request) }
            return answers.withLock { $0.isEmpty ? nil : SSHSecret($0.removeFirst()) }
        }
    }
}
