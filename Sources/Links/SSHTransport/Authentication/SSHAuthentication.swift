/// An authentication method; a session tries the given methods in order.
package enum SSHAuthentication: Sendable {
    /// The keys of the agent at this socket, by default the one at `SSH_AUTH_SOCK`.
    case agent(socketPath: String? = nil)
    /// A private key file in OpenSSH or PEM format. The passphrase of an encrypted one, if it is not given or is wrong, is
    /// asked for.
    case keyFile(path: String, passphrase: SSHSecret? = nil, asking: SSHSecretSource? = nil)
    /// `~/.ssh/id_ed25519`, `id_ecdsa` and `id_rsa`, where they exist; the passphrase is used for encrypted ones, or asked
    /// for.
    case standardKeyFiles(passphrase: SSHSecret? = nil, asking: SSHSecretSource? = nil)
    /// A password.
    case password(SSHSecret)
    /// A password that is asked for: at most ``SecretAttempts/most`` times, together with ``askedPrompts``.
    case askedPassword(SSHSecretSource)
    /// Prompts of the server, answered by this function; `nil` cancels the method.
    case keyboardInteractive(@Sendable (SSHPromptRequest) async -> [SSHSecret]?)
    /// Prompts of the server, answered by a user, who may try again.
    case askedPrompts(@Sendable (SSHPromptRequest) async -> [SSHSecret]?)

    /// The default: the agent, then the standard key files.
    package static let standard: [SSHAuthentication] = [.agent(), .standardKeyFiles()]

    /// A password, for both methods by which servers request one.
    package static func anyPassword(_ password: SSHSecret) -> [SSHAuthentication] {
        [.password(password), .keyboardInteractive { $0.answers(withPassword: password) }]
    }
}

extension SSHAuthentication {
    /// The name of the method in the protocol.
    var method: String {
        switch self {
        case .agent, .keyFile, .standardKeyFiles: "publickey"
        case .password, .askedPassword: "password"
        case .keyboardInteractive, .askedPrompts: "keyboard-interactive"
        }
    }

    /// What is tried, for the error message.
    var label: String {
        switch self {
        case .agent: "the SSH agent"
        case .keyFile(let path, _, _): path
        case .standardKeyFiles: "key files"
        case .password, .askedPassword, .keyboardInteractive, .askedPrompts: method
        }
    }
}

/// Gets a secret from the user; `nil`, or an empty one, when none is given.
package typealias SSHSecretSource = @Sendable (SSHSecretRequest) async -> SSHSecret?

/// A secret that is needed from the user while a log-in is under way.
package enum SSHSecretRequest: Hashable, Sendable {
    /// The password of the user who logs in.
    case password
    /// The passphrase of the key file at this path.
    case passphrase(path: String)
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
    /// Which run of the method it belongs to, from 1: a server begins again after a wrong answer.
    package var attempt = 1

    /// Answers every prompt with the password; `nil` when a prompt echoes its answer and so asks for something else.
    package func answers(withPassword password: SSHSecret) -> [SSHSecret]? {
        prompts.contains { $0.echoes } ? nil : prompts.map { _ in password }
    }
}
