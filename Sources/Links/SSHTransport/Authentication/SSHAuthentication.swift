/// An authentication method; a session tries the given methods in order.
package enum SSHAuthentication: Sendable {
    /// The keys of the agent at this socket, by default the one at `SSH_AUTH_SOCK`.
    case agent(socketPath: String? = nil)
    /// A private key file in OpenSSH or PEM format.
    case keyFile(path: String, passphrase: SSHSecret? = nil)
    /// `~/.ssh/id_ed25519`, `id_ecdsa` and `id_rsa`, where they exist; the passphrase is used for encrypted ones.
    case standardKeyFiles(passphrase: SSHSecret? = nil)
    /// A password.
    case password(SSHSecret)
    /// Prompts of the server, answered by this function; `nil` cancels the method.
    case keyboardInteractive(@Sendable (SSHPromptRequest) async -> [SSHSecret]?)

    /// The default: the agent, then the standard key files.
    package static let standard: [SSHAuthentication] = [.agent(), .standardKeyFiles()]

    /// A password, for both methods by which servers request one.
    package static func anyPassword(_ password: SSHSecret) -> [SSHAuthentication] {
        [.password(password), .keyboardInteractive { $0.answers(withPassword: password) }]
    }
}

/// A keyboard-interactive request: prompts that are answered together.
package struct SSHPromptRequest: Sendable {
    /// One prompt.
    package struct Prompt: Hashable, Sendable {
        /// The prompt's text, untrusted.
        package let text: String
        /// Whether the answer is echoed while it is typed.
        package let echoes: Bool
    }

    /// The title, untrusted and often empty.
    package let name: String
    /// The instruction, untrusted and often empty.
    package let instruction: String
    package let prompts: [Prompt]

    /// Answers every prompt with the password; `nil` when a prompt echoes its answer and so asks for something else.
    package func answers(withPassword password: SSHSecret) -> [SSHSecret]? {
        prompts.contains { $0.echoes } ? nil : prompts.map { _ in password }
    }
}
