/// Which host keys are trusted, and how a new one is accepted.
package struct HostKeyPolicy: Sendable {
    /// What to do with an unknown host. A key that differs from the known one is always refused.
    package enum Unknown: Sendable {
        /// Fail with `hostKeyUnknown` and the fingerprint.
        case refuse
        /// Trust and store the key: the user gave `--accept-new-host-key`.
        case acceptNew
        /// Ask the user; `true` trusts and stores the key.
        case ask(@Sendable (HostKeyQuestion) async -> Bool)
    }

    /// The `known_hosts` files to read; new keys are added to the first.
    package var files: [String]
    /// What to do with an unknown host.
    package var unknown: Unknown
    /// Whether names of new hosts are written as hashes, as with `HashKnownHosts yes`.
    package var hashesNewNames: Bool

    package init(files: [String], unknown: Unknown = .refuse, hashesNewNames: Bool = false) {
        self.files = files
        self.unknown = unknown
        self.hashesNewNames = hashesNewNames
    }

    /// The files that `ssh` uses for this user: those in `~/.ssh` and the system's.
    package static func standard(_ unknown: Unknown = .refuse) -> HostKeyPolicy {
        let home = HomeFolder.path
        return HostKeyPolicy(
            files: ["\(home)/.ssh/known_hosts", "\(home)/.ssh/known_hosts2", "/etc/ssh/ssh_known_hosts"],
            unknown: unknown)
    }
}

/// The data by which the user decides whether to trust a host key.
package struct HostKeyQuestion: Hashable, Sendable {
    /// The host's name for `known_hosts`.
    package let host: String
    /// The key's type, for example `ssh-ed25519`.
    package let keyType: String
    /// The key's fingerprint as `ssh` prints it.
    package let fingerprint: String
    /// Known keys of other types for this host: the genuine host would have presented one of them. Each as
    /// `type fingerprint (file:line)`.
    package let otherKnownKeys: [String]

    package init(host: String, keyType: String, fingerprint: String, otherKnownKeys: [String] = []) {
        self.host = host
        self.keyType = keyType
        self.fingerprint = fingerprint
        self.otherKnownKeys = otherKnownKeys
    }
}
