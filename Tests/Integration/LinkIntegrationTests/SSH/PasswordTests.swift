import IntegrationKit
import SSHTransport
import Synchronization
import Testing
import UAVLink

extension SSHTests {
    /// Passwords need a user who has one: these tests make one, which only root can, and are skipped for others.
    @Suite(.enabled(if: TemporaryUser.canBeMade, "only root can make a user for them"))
    struct SSHPasswordTests {
        @Test func `the right password lets us in and a wrong one does not`() async throws {
            try await TemporaryUser.with { user in
                try await withSSHServer(options: ["PasswordAuthentication yes"]) { server in
                    try await logIn(server, [.password(SSHSecret(user.password))], user: user.name)
                    let error = await refusal(server, [.password(SSHSecret("wrong-word"))], user: user.name)
                    #expect(error?.code == .authentication)
                    #expect(error?.what.contains("password (refused)") == true, "\(String(describing: error))")
                    #expect(error?.what.contains("the server offers publickey, password") == true)
                    #expect(error?.description.contains("wrong-word") == false)
                }
            }
        }

        @Test func `a password is asked for until it is right, three times at most`() async throws {
            try await TemporaryUser.with { user in
                try await withSSHServer(options: ["PasswordAuthentication yes"]) { server in
                    let right = Typist("wrong-word", user.password)
                    try await logIn(server, [.askedPassword(right.source)], user: user.name)
                    #expect(right.asked == [.password, .password])
                    let wrong = Typist("a", "b", "c", user.password)
                    let error = await refusal(server, [.askedPassword(wrong.source)], user: user.name)
                    #expect(error?.code == .authentication)
                    #expect(error?.what.contains("tried password (refused)") == true, "\(String(describing: error))")
                    #expect(wrong.asked.count == 3)
                    let silent = Typist()
                    let none = await refusal(server, [.askedPassword(silent.source)], user: user.name)
                    #expect(none?.what.contains("password (not answered)") == true, "\(String(describing: none))")
                    #expect(silent.asked.count == 1)
                    let key = await refusal(server, [.keyFile(path: server.userKey)], user: user.name)
                    #expect(key?.hint.contains("the server takes a password") == true, "\(String(describing: key))")
                }
            }
        }

        @Test func `too many failures are a refused log-in, not a lost connection`() async throws {
            try await TemporaryUser.with { user in
                try await withSSHServer(options: ["PasswordAuthentication yes", "MaxAuthTries 2"]) { server in
                    let error = await refusal(
                        server, [.askedPassword(Typist("a", "b", "c").source)], user: user.name)
                    #expect(error?.code == .authentication, "\(String(describing: error))")
                    #expect(error?.what.contains("it ended the connection") == true)
                }
            }
        }

        @Test func `keyboard-interactive answers the server's questions`() async throws {
            try await TemporaryUser.with { user in
                try await withSSHServer(options: ["UsePAM yes", "KbdInteractiveAuthentication yes"]) { server in
                    let asked = Mutex<[SSHPromptRequest.Prompt]>([])
                    let right = SSHAuthentication.keyboardInteractive { request in
                        asked.withLock { $0 += request.prompts }
                        return request.answers(withPassword: SSHSecret(user.password))
                    }
                    try await logIn(server, [right], user: user.name)
                    let prompts = asked.withLock { $0 }
                    #expect(prompts.first?.text.contains("assword") == true)
                    #expect(prompts.first?.echoes == false)
                    try await logIn(server, SSHAuthentication.anyPassword(SSHSecret(user.password)), user: user.name)
                    let wrong = await refusal(server, SSHAuthentication.anyPassword(SSHSecret("no")), user: user.name)
                    #expect(wrong?.code == .authentication)
                    let silent = await refusal(server, [.keyboardInteractive { _ in nil }], user: user.name)
                    #expect(silent?.what.contains("not answered") == true, "\(String(describing: silent))")
                }
            }
        }

        @Test func `a password is asked for where the server refuses keyboard-interactive without a question`()
            async throws
        {
            try await TemporaryUser.with { user in
                // Without PAM it offers the method and has nothing to ask.
                let options = ["PasswordAuthentication yes", "KbdInteractiveAuthentication yes"]
                try await withSSHServer(options: options) { server in
                    let prompts = Mutex(0)
                    let interactive = SSHAuthentication.askedPrompts { request in
                        prompts.withLock { $0 += request.prompts.count }
                        return request.answers(withPassword: SSHSecret(user.password))
                    }
                    let right = Typist("wrong-word", user.password)
                    try await logIn(server, [interactive, .askedPassword(right.source)], user: user.name)
                    #expect(right.asked == [.password, .password])
                    #expect(prompts.withLock { $0 } == 0)
                    let silent = Typist()
                    let none = await refusal(
                        server, [interactive, .askedPassword(silent.source)], user: user.name)
                    #expect(silent.asked.count == 1)
                    #expect(
                        none?.what.contains("tried keyboard-interactive (refused), password (not answered)") == true,
                        "\(String(describing: none))")
                }
            }
        }
    }
}
