#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import CLibSSH2
internal import UAVLink

/// Public keys: of files, whose passphrases the user may be asked for, and of the agent.
extension Authenticator {
    func useStandardKeyFiles(_ passphrase: SSHSecret?, _ source: SSHSecretSource?) throws(LinkError) -> Bool {
        var found = false
        for name in ["id_ed25519", "id_ecdsa", "id_rsa"] {
            let path = "\(HomeFolder.path)/.ssh/\(name)"
            guard access(path, F_OK) == 0 else { continue }
            found = true
            if try useKeyFile(path, passphrase, source) { return true }
        }
        if !found { note("key files (none in ~/.ssh)", hint: Self.makeKey(endpoint)) }
        return false
    }

    func useKeyFile(
        _ path: String, _ passphrase: SSHSecret?, _ source: SSHSecretSource?
    ) throws(LinkError) -> Bool {
        let key: KeyFile
        do throws(LinkError) {
            key = try KeyFile(path: path)
        } catch {
            guard error.code == .authentication else { throw error }
            note(error.what, hint: error.hint)
            return false
        }
        guard key.isEncrypted else { return try use(key, path, SSHSecret([])) == .accepted }
        var outcome = SecretAttempts.Outcome.notGiven
        if let passphrase { outcome = try use(key, path, passphrase) }
        if let source, outcome == .notGiven || outcome == .refused {
            outcome = try SecretAttempts.run { (number) throws(LinkError) in
                if number > 1 { clock.grant(allowance) }
                guard let phrase = try answer(.passphrase(path: path), source) else { return .notGiven }
                return try use(key, path, phrase)
            }
        }
        switch outcome {
        case .accepted: return true
        case .over: break
        case .refused: note("\(path) (wrong passphrase)", hint: "check the passphrase: ssh-keygen -y -f '\(path)'")
        case .notGiven:
            note("\(path) (needs a passphrase)", hint: "enter its passphrase, or run ssh-add '\(path)'")
        }
        return false
    }

    /// - Returns: `refused` for a wrong passphrase, of which the server learns nothing; `over` for a key that is refused or
    ///   cannot be used, which is noted.
    private func use(
        _ key: KeyFile, _ path: String, _ phrase: SSHSecret
    ) throws(LinkError) -> SecretAttempts.Outcome {
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
        case 0: return .accepted
        case LIBSSH2_ERROR_AUTHENTICATION_FAILED, LIBSSH2_ERROR_PUBLICKEY_UNVERIFIED:
            isOfferStale = true
            let isSHA1 = key.kind == .rsa && !LibSSH2.hasRSAWithSHA2
            note(
                "\(path) (refused)",
                hint: isSHA1
                    ? Self.rsaHint(endpoint)
                    : "is the public key in ~/.ssh/authorized_keys on the vehicle? ssh-copy-id -i '\(path)' adds it")
            return .over
        // All other errors come from parsing the key, before the server was contacted.
        default:
            if key.isEncrypted { return .refused }
            note("\(path) (cannot be used: \(transport.session.lastError))")
            return .over
        }
    }

    func useAgent(_ path: String?) throws(LinkError) -> Bool {
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
                isOfferStale = true
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
