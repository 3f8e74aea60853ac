internal import UAVLink

/// Checks a host key against the `known_hosts` files.
struct HostKeyCheck {
    let endpoint: SSHEndpoint
    let policy: HostKeyPolicy
    private let known: [KnownHosts]

    init(_ endpoint: SSHEndpoint, _ policy: HostKeyPolicy) throws(LinkError) {
        var known: [KnownHosts] = []
        for file in policy.files { known.append(try KnownHostsFile.read(HomeFolder.expand(file))) }
        self.init(endpoint, policy, known: known)
    }

    init(_ endpoint: SSHEndpoint, _ policy: HostKeyPolicy, known: [KnownHosts]) {
        self.endpoint = endpoint
        self.policy = policy
        self.known = known
    }

    /// The host key algorithms to request. The same RSA key signs with SHA-2 or, as its type's name says, with SHA-1; libssh2
    /// removes those it does not support (SHA-2 before 1.11).
    var preferredAlgorithms: [String] {
        preferredTypes.flatMap { $0 == "ssh-rsa" ? ["rsa-sha2-512", "rsa-sha2-256", "ssh-rsa"] : [$0] }
    }

    /// The key types to request: first those in `known_hosts` for this host, so that it does not present a key of another
    /// type.
    private var preferredTypes: [String] {
        var types: [String] = []
        for name in names {
            for file in known { types += file.keyTypes(for: name).filter { !types.contains($0) } }
        }
        return types.filter(Self.supported.contains) + Self.supported.filter { !types.contains($0) }
    }

    enum Outcome: Equatable {
        case trusted
        case ask(HostKeyQuestion)
    }

    /// - Throws: ``LinkError`` with `hostKeyChanged` for a key that differs or is revoked.
    func judge(_ key: HostKey) throws(LinkError) -> Outcome {
        let name = endpoint.knownHostsName
        // A revocation applies to all ports of the host and overrides trust in any file.
        for name in names { try refuseRevoked(key, of: name) }
        var others: [String] = []
        var isKnown = false
        var changed: LinkError?
        for file in known {
            switch file.verdict(on: key, of: name) {
            case .known: isKnown = true
            case .changed(let line, let knownKey):
                changed = changed ?? self.changed(key, knownKey, file: file.file, line: line)
            case .knownByOtherTypes(let entries):
                others += entries.map { "\($0.key.type) \($0.key.fingerprint) (\(file.file):\($0.line))" }
            case .unknown, .revoked: break
            }
        }
        if isKnown { return .trusted }
        if let changed { throw changed }
        // As in ssh: a key known for the host's standard port is trusted on its other ports.
        if names.count > 1, known.contains(where: { $0.verdict(on: key, of: names[1]) == .known }) { return .trusted }
        return .ask(
            HostKeyQuestion(host: name, keyType: key.type, fingerprint: key.fingerprint, otherKnownKeys: others))
    }

    private func refuseRevoked(_ key: HostKey, of name: String) throws(LinkError) {
        for file in known {
            guard case .revoked(let line) = file.verdict(on: key, of: name) else { continue }
            throw LinkError(
                .hostKeyChanged, "the host key of \(name) (\(key.fingerprint)) is marked as revoked",
                hint: "see \(file.file):\(line); if that is a mistake, remove the line")
        }
    }

    /// Adds an accepted key to the first `known_hosts` file.
    func remember(_ key: HostKey) throws(LinkError) {
        guard let file = policy.files.first else { return }
        try KnownHostsFile.add(
            key, of: endpoint.knownHostsName, hashed: policy.hashesNewNames, to: HomeFolder.expand(file))
    }

    /// The error for a key that was not accepted.
    static func refusal(_ question: HostKeyQuestion) -> LinkError {
        guard question.otherKnownKeys.isEmpty else {
            return LinkError(
                .hostKeyUnknown,
                "\(question.host) presented a \(question.keyType) key (\(question.fingerprint)), but is known with "
                    + question.otherKnownKeys.joined(separator: ", "),
                hint: "compare the fingerprint with the vehicle's, then accept it interactively")
        }
        return LinkError(
            .hostKeyUnknown,
            "\(question.host) is not a known host; its \(question.keyType) key is \(question.fingerprint)",
            hint: "if this is the vehicle's key, run again with --accept-new-host-key")
    }

    private func changed(_ key: HostKey, _ knownKey: HostKey, file: String, line: Int) -> LinkError {
        LinkError(
            .hostKeyChanged,
            "the host key of \(endpoint.knownHostsName) has changed: it is \(key.fingerprint), but \(file):\(line) has "
                + knownKey.fingerprint,
            hint: "possible man-in-the-middle attack; only if the change is expected: "
                + "ssh-keygen -f '\(file)' -R '\(endpoint.knownHostsName)'")
    }

    /// The names to look up: a host with a nonstandard port is also looked up without the port.
    private var names: [String] {
        endpoint.port == 22 ? [endpoint.knownHostsName] : [endpoint.knownHostsName, endpoint.host.lowercased()]
    }

    /// The key types that libssh2 1.10 can verify, strongest first; RSA only with SHA-1 signatures, `ssh-dss` not at all.
    private static let supported = [
        "ssh-ed25519", "ecdsa-sha2-nistp256", "ecdsa-sha2-nistp384", "ecdsa-sha2-nistp521", "ssh-rsa",
    ]
}
