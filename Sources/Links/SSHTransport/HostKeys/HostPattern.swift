internal import Digests
internal import ReportKit

/// One name in the first column of a `known_hosts` line.
enum HostPattern: Hashable, Sendable {
    /// A name with `*` and `?` as wildcards; a match with a negated one excludes the line.
    case plain(name: [UInt8], isNegated: Bool)
    /// HMAC-SHA1 of the name, keyed with the salt.
    case hashed(salt: [UInt8], digest: [UInt8])

    /// The patterns of a line's first column; `nil` when it is malformed.
    static func parse(_ column: some Collection<UInt8>) -> [HostPattern]? {
        if column.starts(with: Self.hashMark) {
            let parts = column.dropFirst(hashMark.count).split(
                separator: UInt8(ascii: "|"), omittingEmptySubsequences: false)
            guard parts.count == 2, let salt = Base64.decode(parts[0]), let digest = Base64.decode(parts[1]),
                salt.count == 20, digest.count == 20
            else { return nil }
            return [.hashed(salt: salt, digest: digest)]
        }
        var patterns: [HostPattern] = []
        for name in column.split(separator: UInt8(ascii: ",")) {
            let isNegated = name.first == UInt8(ascii: "!")
            let bare = isNegated ? name.dropFirst() : name[...]
            guard !bare.isEmpty else { return nil }
            patterns.append(.plain(name: bare.map(Self.lowercased), isNegated: isNegated))
        }
        return patterns.isEmpty ? nil : patterns
    }

    /// Whether a line with these patterns applies to `name`.
    static func match(_ patterns: [HostPattern], _ name: String) -> Bool {
        let name = name.utf8.map(lowercased)
        var matches = false
        for pattern in patterns {
            switch pattern {
            case .plain(let wanted, let isNegated) where Self.wildcard(wanted, name):
                if isNegated { return false }
                matches = true
            case .plain: break
            case .hashed(let salt, let digest):
                if SHA1.authentication(of: name, key: salt) == digest { matches = true }
            }
        }
        return matches
    }

    /// The hashed form of `name`, as `HashKnownHosts yes` writes it.
    static func hashedColumn(_ name: String, salt: [UInt8]) -> String {
        let digest = SHA1.authentication(of: name.utf8.map(lowercased), key: salt)
        return "|1|\(Base64.encode(salt, padded: true))|\(Base64.encode(digest, padded: true))"
    }

    /// Greedy matching with backtracking to the last `*`: linear in practice, never exponential.
    private static func wildcard(_ pattern: [UInt8], _ text: [UInt8]) -> Bool {
        var (at, in_) = (0, 0)
        var star: (pattern: Int, text: Int)?
        while in_ < text.count {
            if at < pattern.count, pattern[at] == UInt8(ascii: "*") {
                star = (at, in_)
                at += 1
            } else if at < pattern.count, pattern[at] == UInt8(ascii: "?") || pattern[at] == text[in_] {
                at += 1
                in_ += 1
            } else if let last = star {
                star = (last.pattern, last.text + 1)
                at = last.pattern + 1
                in_ = last.text + 1
            } else {
                return false
            }
        }
        return pattern[at...].allSatisfy { $0 == UInt8(ascii: "*") }
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 { (65...90).contains(byte) ? byte + 32 : byte }
    private static let hashMark = Array("|1|".utf8)
}
