/// Which host keys are trusted, and who may trust a new one.
public struct HostKeyPolicy: Sendable {
    /// What to do when nothing is known of a host. A key that differs from the known one is refused in any case.
    public enum Unknown: Sendable {
        /// Fail with `hostKeyUnknown` and the fingerprint.
        case refuse
        /// Trust it and write it down: the person has said `--accept-new-host-key`.
        case acceptNew
        /// Ask the person; `true` trusts it and writes it down.
        case ask(@Sendable (HostKeyQuestion) async -> Bool)
    }

    /// The `known_hosts` files to look into; new keys are written to the first.
    public var files: [String]
    /// What to do with a host that is not in them.
    public var unknown: Unknown
    /// Whether names of new hosts are written as hashes, as with `HashKnownHosts yes`.
    public var hashesNewNames: Bool

    /// A policy.
    public init(files: [String], unknown: Unknown = .refuse, hashesNewNames: Bool = false) {
        self.files = files
        self.unknown = unknown
        self.hashesNewNames = hashesNewNames
    }

    /// The files that `ssh` itself uses for this user: `~/.ssh/known_hosts` and the machine's own.
    public static func standard(_ unknown: Unknown = .refuse) -> HostKeyPolicy {
        let home = HomeFolder.path
        return HostKeyPolicy(
            files: ["\(home)/.ssh/known_hosts", "\(home)/.ssh/known_hosts2", "/etc/ssh/ssh_known_hosts"],
            unknown: unknown)
    }
}

/// What a person must know to decide whether a host's key is to be trusted.
public struct HostKeyQuestion: Hashable, Sendable {
    /// The host as `known_hosts` will call it.
    public let host: String
    /// The key's type, for example `ssh-ed25519`.
    public let keyType: String
    /// The key's fingerprint as `ssh` prints it.
    public let fingerprint: String
    /// Keys of other types by which the host is known already: an honest host would have shown one of them. Each as
    /// `type fingerprint (file:line)`.
    public let otherKnownKeys: [String]

    /// What a person must know.
    public init(host: String, keyType: String, fingerprint: String, otherKnownKeys: [String] = []) {
        self.host = host
        self.keyType = keyType
        self.fingerprint = fingerprint
        self.otherKnownKeys = otherKnownKeys
    }
}
