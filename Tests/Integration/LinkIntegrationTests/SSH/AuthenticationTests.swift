import IntegrationKit
import SSHTransport
import Testing
import UAVLink

/// A kind of key file.
struct KeyKind: Sendable, CustomTestStringConvertible {
    let type: String
    var options: [String] = []
    let format: String
    var testDescription: String { "\(type) \(options.joined(separator: " ")) \(format)" }
}

extension SSHTests {
    @Suite struct SSHKeyTests {
        static let kinds = [
            KeyKind(type: "ed25519", format: "OpenSSH"),
            KeyKind(type: "ecdsa", format: "OpenSSH"),
            KeyKind(type: "ecdsa", options: ["-b", "384"], format: "OpenSSH"),
            KeyKind(type: "ecdsa", options: ["-b", "521"], format: "OpenSSH"),
            KeyKind(type: "ecdsa", options: ["-m", "PEM"], format: "PEM"),
            KeyKind(type: "ecdsa", options: ["-m", "PKCS8"], format: "PKCS8"),
        ]

        @Test(arguments: kinds, ["", "open sesame"])
        func `a key file lets us in with and without a passphrase`(kind: KeyKind, passphrase: String) async throws {
            try await withSSHServer { server in
                let key = server.folder.path + "/key"
                try await SSHServer.makeKey(key, type: kind.type, passphrase: passphrase, options: kind.options)
                try server.authorize(key)
                let secret = passphrase.isEmpty ? nil : SSHSecret(passphrase)
                try await logIn(server, [.keyFile(path: key, passphrase: secret)])
                guard !passphrase.isEmpty else { return }
                #expect(try KeyFile(path: key).isEncrypted)
                let missing = await refusal(server, [.keyFile(path: key)])
                #expect(missing?.code == .authentication)
                #expect(missing?.what.contains("needs a passphrase") == true, "\(String(describing: missing))")
                let wrong = await refusal(server, [.keyFile(path: key, passphrase: SSHSecret("open barley"))])
                #expect(wrong?.code == .authentication)
                #expect(wrong?.what.contains("wrong passphrase") == true, "\(String(describing: wrong))")
                #expect(wrong?.description.contains("barley") == false)
            }
        }

        @Test func `a passphrase is asked for until it is right, three times at most`() async throws {
            try await withSSHServer { server in
                let key = server.folder.path + "/key"
                try await SSHServer.makeKey(key, type: "ed25519", passphrase: "open sesame")
                try server.authorize(key)
                let right = Typist("open barley", "open sesame")
                try await logIn(server, [.keyFile(path: key, asking: right.source)])
                #expect(right.asked == [.passphrase(path: key), .passphrase(path: key)])
                let wrong = Typist("a", "b", "c", "open sesame")
                let error = await refusal(server, [.keyFile(path: key, asking: wrong.source)])
                #expect(error?.what.contains("wrong passphrase") == true, "\(String(describing: error))")
                #expect(wrong.asked.count == 3)
                let silent = Typist()
                let none = await refusal(server, [.keyFile(path: key, asking: silent.source)])
                #expect(none?.what.contains("needs a passphrase") == true, "\(String(describing: none))")
                #expect(silent.asked.count == 1)
            }
        }

        @Test(arguments: [
            KeyKind(type: "rsa", format: "OpenSSH"), KeyKind(type: "rsa", options: ["-m", "PEM"], format: "PEM"),
        ])
        func `an RSA key is refused by servers of today and the error names the way out`(kind: KeyKind) async throws {
            try await withSSHServer { server in
                let key = server.folder.path + "/key"
                try await SSHServer.makeKey(key, type: "rsa", options: ["-b", "2048"] + kind.options)
                try server.authorize(key)
                let error = await refusal(server, [.keyFile(path: key)])
                #expect(error?.code == .authentication)
                #expect(error?.hint.contains("ssh-keygen -t ed25519") == true, "\(String(describing: error))")
                #expect(error?.hint.contains("PubkeyAcceptedAlgorithms +ssh-rsa") == true)
            }
        }

        @Test func `where the server still allows it an RSA key lets us in`() async throws {
            try await withSSHServer(options: ["PubkeyAcceptedAlgorithms +ssh-rsa"]) { server in
                let key = server.folder.path + "/key"
                try await SSHServer.makeKey(key, type: "rsa", passphrase: "open", options: ["-b", "2048"])
                try server.authorize(key)
                try await logIn(server, [.keyFile(path: key, passphrase: SSHSecret("open"))])
            }
        }

        @Test func `a key that others can read is refused with the way out`() async throws {
            try await withSSHServer { server in
                let exposed = await refusalOfMode(server, "644")
                #expect(exposed?.code == .authentication)
                #expect(exposed?.what.contains("can be read by others") == true, "\(String(describing: exposed))")
                #expect(exposed?.hint.contains("chmod 600") == true)
            }
        }

        private func refusalOfMode(_ server: SSHServer, _ mode: String) async -> LinkError? {
            guard let child = try? ChildProcess(["/bin/chmod", mode, server.userKey]) else { return nil }
            _ = try? await child.exit()
            return await refusal(server, [.keyFile(path: server.userKey)])
        }

        @Test func `what is no private key is named for what it is`() async throws {
            try await withSSHServer { server in
                let missing = await refusal(server, [.keyFile(path: server.folder.path + "/none")])
                #expect(missing?.what.contains("no such file") == true, "\(String(describing: missing))")
                let text = try server.folder.write("hello", to: "text")
                #expect(await refusal(server, [.keyFile(path: text)])?.what.contains("is not a private key") == true)
                let half = await refusal(server, [.keyFile(path: server.userKey + ".pub")])
                #expect(half?.code == .authentication)
            }
        }

        @Test func `an unknown key is refused and the error lists what was tried and what is offered`() async throws {
            try await withSSHServer { server in
                let key = server.folder.path + "/stranger"
                try await SSHServer.makeKey(key, type: "ed25519")
                let error = await refusal(server, [.keyFile(path: key), .password(SSHSecret("secret-word"))])
                #expect(error?.code == .authentication)
                #expect(error?.what.contains("\(key) (refused)") == true, "\(String(describing: error))")
                #expect(error?.what.contains("password (not offered)") == true)
                #expect(error?.what.contains("the server offers publickey") == true)
                #expect(error?.description.contains("secret-word") == false)
            }
        }

        @Test(arguments: ["ed25519", "ecdsa", "rsa"])
        func `an agent's key lets us in`(type: String) async throws {
            try await withSSHServer { server in
                let socket = server.folder.path + "/agent"
                let agent = try ChildProcess(["/usr/bin/ssh-agent", "-D", "-a", socket])
                try await agent.line(containing: "SSH_AUTH_SOCK")
                let key = server.folder.path + "/key"
                try await SSHServer.makeKey(key, type: type)
                try server.authorize(key)
                let empty = await refusal(server, [.agent(socketPath: socket)])
                #expect(empty?.what.contains("holds no keys") == true, "\(String(describing: empty))")
                let add = try ChildProcess(
                    ["/usr/bin/ssh-add", key], environment: ["SSH_AUTH_SOCK": socket, "HOME": server.folder.path])
                #expect(try await add.exit() == 0, "\(add.errors)")
                try await logIn(server, [.agent(socketPath: socket)])
                await agent.stop()
                let gone = await refusal(server, [.agent(socketPath: socket)])
                #expect(gone?.what.contains("cannot connect to the SSH agent") == true, "\(String(describing: gone))")
            }
        }

        @Test func `an agent that never answers does not hold the log-in up for ever`() async throws {
            try await withSSHServer { server in
                let silent = try ChildProcess([
                    "/usr/bin/python3", "-c",
                    """
                    import socket, sys, time
                    listener = socket.socket(socket.AF_UNIX)
                    listener.bind(sys.argv[1]); listener.listen(1)
                    print('ready', flush=True)
                    time.sleep(1000)
                    """, server.folder.path + "/agent",
                ])
                try await silent.line(containing: "ready")
                let begun = ContinuousClock.now
                let error = await linkError {
                    _ = try await SSHSession.connect(
                        to: server.endpoint, authentication: [.agent(socketPath: server.folder.path + "/agent")],
                        hostKeys: HostKeyPolicy(files: [server.knownHosts]), within: .seconds(2))
                }
                #expect(error != nil)
                #expect(ContinuousClock.now - begun < .patient(seconds: 15))
                await silent.stop()
            }
        }

        @Test func `two proofs are given where the server wants two`() async throws {
            try await withSSHServer(options: ["AuthenticationMethods publickey,publickey"]) { server in
                let second = server.folder.path + "/second"
                try await SSHServer.makeKey(second, type: "ecdsa")
                try server.authorize(second)
                try await logIn(server, [.keyFile(path: server.userKey), .keyFile(path: second)])
                let one = await refusal(server, [.keyFile(path: server.userKey)])
                #expect(one?.code == .authentication)
            }
        }
    }
}
