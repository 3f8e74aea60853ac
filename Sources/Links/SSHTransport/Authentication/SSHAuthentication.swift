/// One way to prove who one is; a session tries the ways it is given in their order.
public enum SSHAuthentication: Sendable {
    /// The keys of the agent at this socket, or at `SSH_AUTH_SOCK`.
    case agent(socketPath: String? = nil)
    /// A private key file in OpenSSH's or PEM format.
    case keyFile(path: String, passphrase: SSHSecret? = nil)
    /// `~/.ssh/id_ed25519`, `id_ecdsa` and `id_rsa`: those that are there and need no passphrase, or this one.
    case standardKeyFiles(passphrase: SSHSecret? = nil)
    /// A password.
    case password(SSHSecret)
    /// Questions of the server, answered by a program or a person; `nil` gives up.
    case keyboardInteractive(@Sendable (SSHPromptRequest) async -> [SSHSecret]?)

    /// What a user who says nothing gets: the agent, then the usual key files.
    public static let standard: [SSHAuthentication] = [.agent(), .standardKeyFiles()]

    /// A password, offered in both ways in which servers ask for one.
    public static func anyPassword(_ password: SSHSecret) -> [SSHAuthentication] {
        [.password(password), .keyboardInteractive { $0.answers(withPassword: password) }]
    }
}

/// A server's questions, all to be answered at once.
public struct SSHPromptRequest: Sendable {
    /// One question.
    public struct Prompt: Hashable, Sendable {
        /// The question: untrusted text.
        public let text: String
        /// Whether the answer may be seen while it is typed.
        public let echoes: Bool
    }

    /// A title: untrusted text, often empty.
    public let name: String
    /// What to do: untrusted text, often empty.
    public let instruction: String
    /// The questions.
    public let prompts: [Prompt]

    /// Answers every hidden question with the password; `nil` when there is a question that asks for something else.
    public func answers(withPassword password: SSHSecret) -> [SSHSecret]? {
        prompts.contains { $0.echoes } ? nil : prompts.map { _ in password }
    }
}
