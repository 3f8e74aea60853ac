#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import CLibSSH2
internal import UAVLink

/// Authenticates to the server, trying the given methods in order.
final class Authenticator {
    private let transport: SessionTransport
    private let clock: ConnectClock
    private var endpoint: SSHEndpoint { transport.endpoint }
    /// The methods tried so far with their results, for the error message.
    private var tried: [String] = []
    private var hints: [String] = []

    init(_ transport: SessionTransport, clock: ConnectClock) {
        self.transport = transport
        self.clock = clock
    }

    /// - Throws: ``LinkError``: `authentication` listing the methods tried and those the server offers; `timedOut`,
    ///   `notConnected`, `cancelled`.
    func logIn(_ ways: [SSHAuthentication]) throws(LinkError) {
        var offered = try methods()
        for way in ways {
            if offered == nil { return }
            if try attempt(way, offered: offered ?? []) { return }
            // After a partial success the server may offer other methods.
            offered = try methods()
        }
        guard let offered else { return }
        let attempts = tried.isEmpty ? "no method could be tried" : "tried " + tried.joined(separator: ", ")
        throw LinkError(
            .authentication,
            "\(endpoint) refused the log-in: \(attempts); the server offers \(offered.joined(separator: ", "))",
            hint: hints.isEmpty ? "is the user name right?" : hints.joined(separator: "; "))
    }

    /// The methods that the server offers, or `nil` when authentication is complete.
    private func methods() throws(LinkError) -> [String]? {
        var list: [String] = []
        let user = endpoint.user
        let code = try drive { handle in
            guard let text = libssh2_userauth_list(handle, user, UInt32(clamping: user.utf8.count)) else {
                return libssh2_userauth_authenticated(handle) == 1 ? 0 : libssh2_session_last_errno(handle)
            }
            list = String(cString: text).split(separator: ",").map(String.init)
            return 1
        }
        if code == 0 { return nil }
        guard code == 1 else { throw transport.lossError(code, doing: "logging in") }
        return list
    }

    private func attempt(_ way: SSHAuthentication, offered: [String]) throws(LinkError) -> Bool {
        switch way {
        case .agent(let path):
            guard offers("publickey", offered, "the SSH agent") else { return false }
            return try useAgent(path)
        case .keyFile(let path, let passphrase):
            guard offers("publickey", offered, path) else { return false }
            do throws(LinkError) {
                return try use(try KeyFile(path: path), path, passphrase)
            } catch {
                guard error.code == .authentication else { throw error }
                note(error.what, hint: error.hint)
                return false
            }
        case .standardKeyFiles(let passphrase):
            guard offers("publickey", offered, "key files") else { return false }
            return try useStandardKeyFiles(passphrase)
        case .password(let password):
            guard offers("password", offered, "password") else { return false }
            return try usePassword(password)
        case .keyboardInteractive(let responder):
            guard offers("keyboard-interactive", offered, "keyboard-interactive") else { return false }
            return try answerPrompts(responder)
        }
    }

    private func offers(_ method: String, _ offered: [String], _ what: String) -> Bool {
        if offered.contains(method) { return true }
        tried.append("\(what) (not offered)")
        return false
    }

    private func note(_ what: String, hint: String = "") {
        tried.append(what)
        if !hint.isEmpty, !hints.contains(hint) { hints.append(hint) }
    }

    private func drive(_ step: (OpaquePointer) -> Int32) throws(LinkError) -> Int32 {
        try transport.drive(until: clock.deadline, doing: "logging in", step)
    }

    // MARK: Passwords

    private func usePassword(_ password: SSHSecret) throws(LinkError) -> Bool {
        let user = endpoint.user
        let code = try drive { handle in
            password.withCString { text, length in
                libssh2_userauth_password_ex(
                    handle, user, UInt32(clamping: user.utf8.count), text, UInt32(clamping: length), nil)
            }
        }
        switch code {
        case 0: return true
        case LIBSSH2_ERROR_PASSWORD_EXPIRED:
            note("password (expired)", hint: "log in with ssh once and set a new one")
        default: note("password (refused)")
        }
        return false
    }

    private func answerPrompts(_ responder: @escaping @Sendable (SSHPromptRequest) async -> [SSHSecret]?)
        throws(LinkError) -> Bool
    {
        let clock = clock
        var gaveUp = false
        transport.session.promptResponder = { request in
            if request.prompts.isEmpty { return [] }
            if let answers = clock.ask({ await responder(request) }) ?? nil { return answers }
            gaveUp = true
            return []
        }
        defer { transport.session.promptResponder = nil }
        let user = endpoint.user
        let code = try drive { handle in
            libssh2_userauth_keyboard_interactive_ex(
                handle, user, UInt32(clamping: user.utf8.count), KeyboardInteractive.answer)
        }
        if code == 0 { return true }
        note("keyboard-interactive (\(gaveUp ? "not answered" : "refused"))")
        return false
    }

    // MARK: Keys

    private func useStandardKeyFiles(_ passphrase: SSHSecret?) throws(LinkError) -> Bool {
        var found = false
        for name in ["id_ed25519", "id_ecdsa", "id_rsa"] {
            let path = "\(HomeFolder.path)/.ssh/\(name)"
            guard access(path, F_OK) == 0 else { continue }
            found = true
            if try attempt(.keyFile(path: path, passphrase: passphrase), offered: ["publickey"]) { return true }
        }
        if !found { note("key files (none in ~/.ssh)", hint: Self.makeKey(endpoint)) }
        return false
    }

    private func use(_ key: KeyFile, _ path: String, _ passphrase: SSHSecret?) throws(LinkError) -> Bool {
        if key.isEncrypted, passphrase == nil {
            throw LinkError(
                .authentication, "\(path) (needs a passphrase)", hint: "enter its passphrase, or run ssh-add '\(path)'")
        }
        let phrase = key.isEncrypted ? passphrase ?? SSHSecret([]) : SSHSecret([])
        let user = endpoint.user
        let code = try drive { handle in
            key.contents.withCString { contents, length in
                phrase.withCString { phrase, _ in
                    libssh2_userauth_publickey_frommemory(
                        handle, user, user.utf8.count, nil, 0, contents, length, phrase)
                }
            }
        }
        switch code {
        case 0: return true
        case LIBSSH2_ERROR_AUTHENTICATION_FAILED, LIBSSH2_ERROR_PUBLICKEY_UNVERIFIED:
            let isSHA1 = key.kind == .rsa && !LibSSH2.signsRSAWithSHA2
            note(
                "\(path) (refused)",
                hint: isSHA1
                    ? Self.rsaHint(endpoint)
                    : "is the public key in ~/.ssh/authorized_keys on the vehicle? ssh-copy-id -i '\(path)' adds it")
        // All other errors come from parsing the key, before the server was contacted.
        default:
            if key.isEncrypted {
                note("\(path) (wrong passphrase)", hint: "check the passphrase: ssh-keygen -y -f '\(path)'")
            } else {
                note("\(path) (cannot be used: \(transport.session.lastError))")
            }
        }
        return false
    }

    private func useAgent(_ path: String?) throws(LinkError) -> Bool {
        let path = path ?? getenv("SSH_AUTH_SOCK").map { String(cString: $0) } ?? ""
        guard !path.isEmpty else {
            note("SSH agent (SSH_AUTH_SOCK is not set)")
            return false
        }
        do throws(LinkError) {
            let agent = try AgentClient(path: path, deadline: min(clock.deadline, Deadline(in: SSHTimeouts.agent)))
            let identities = try agent.identities()
            if identities.isEmpty { note("SSH agent (holds no keys)", hint: "ssh-add adds one") }
            for identity in identities {
                if try AgentAuthentication(agent, identity).run(user: endpoint.user, drive: drive) { return true }
                note("agent key '\(identity.comment)' (refused)")
            }
        } catch {
            guard error.code == .authentication else { throw error }
            note(error.what, hint: error.hint)
        }
        return false
    }

    private static func makeKey(_ endpoint: SSHEndpoint) -> String {
        "create a key with ssh-keygen -t ed25519 and install it with ssh-copy-id -p \(endpoint.port) "
            + "\(endpoint.user)@\(endpoint.host)"
    }

    private static func rsaHint(_ endpoint: SSHEndpoint) -> String {
        "this libssh2 signs RSA only with SHA-1, which current servers refuse: \(makeKey(endpoint)), or add the RSA key "
            + "to an agent (ssh-add), or allow it on the server with PubkeyAcceptedAlgorithms +ssh-rsa"
    }
}
