internal import ReportKit

/// The parsed contents of a `known_hosts` file (sshd(8), "SSH_KNOWN_HOSTS FILE FORMAT").
package struct KnownHosts: Sendable {
    /// The marker at the beginning of a line.
    enum Marker: Hashable, Sendable {
        case none
        /// This key must not be accepted for these hosts.
        case revoked
        /// Signs host certificates; libssh2 does not support them, so such lines are skipped.
        case certificateAuthority
    }

    /// One usable line.
    struct Entry: Hashable, Sendable {
        let line: Int
        let marker: Marker
        let patterns: [HostPattern]
        let key: HostKey
    }

    /// A line that could not be used, and why.
    package struct Skipped: Hashable, Sendable {
        /// The line's number, from 1.
        package let line: Int
        /// Why it was skipped.
        package let reason: String
    }

    /// The result of looking up a host key in the file.
    enum Verdict: Equatable {
        /// The key is listed for this host.
        case known
        /// The key is revoked for this host.
        case revoked(line: Int)
        /// The host has another key of the same type.
        case changed(line: Int, known: HostKey)
        /// The host is known, but only by keys of other types.
        case knownByOtherTypes([Entry])
        /// The host is not listed.
        case unknown
    }

    /// The file's path, for messages.
    let file: String
    private(set) var entries: [Entry] = []
    /// Lines that were skipped.
    package private(set) var skipped: [Skipped] = []

    /// Longer lines are skipped, bytes; an RSA key of 16384 bits with many names takes about 4000.
    static let longestLine = 64 * 1024

    /// Parses the file's bytes; unusable lines are skipped and listed in ``skipped``.
    package init(parsing bytes: [UInt8], file: String) {
        self.file = file
        for (index, line) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
            parse(line, number: index + 1)
        }
    }

    private mutating func parse(_ line: ArraySlice<UInt8>, number: Int) {
        guard line.count <= Self.longestLine else { return skip(number, "longer than \(Self.longestLine) bytes") }
        var fields = line.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: "\r") }[...]
        guard let first = fields.first, first.first != UInt8(ascii: "#") else { return }
        var marker = Marker.none
        if first.first == UInt8(ascii: "@") {
            switch String(decoding: first, as: UTF8.self) {
            case "@revoked": marker = .revoked
            case "@cert-authority": marker = .certificateAuthority
            default: return skip(number, "unknown marker")
            }
            fields = fields.dropFirst()
        }
        guard let names = fields.popFirst(), let type = fields.popFirst(), let base64 = fields.popFirst() else {
            return skip(number, "fewer than three fields")
        }
        guard let patterns = HostPattern.parse(names) else { return skip(number, "malformed host names") }
        guard let blob = Base64.decode(base64) else { return skip(number, "the key is not valid base64") }
        let key = HostKey(blob: blob)
        guard key.type == String(decoding: type, as: UTF8.self) else {
            return skip(number, "the key's type differs from the line's")
        }
        if marker == .certificateAuthority { skip(number, "host certificates are not supported") }
        entries.append(Entry(line: number, marker: marker, patterns: patterns, key: key))
    }

    private mutating func skip(_ line: Int, _ reason: String) { skipped.append(Skipped(line: line, reason: reason)) }

    /// The types of the keys listed for a host, in the file's order.
    package func keyTypes(for name: String) -> [String] {
        var types: [String] = []
        for entry in entries where entry.marker == .none && HostPattern.match(entry.patterns, name) {
            if !types.contains(entry.key.type) { types.append(entry.key.type) }
        }
        return types
    }

    /// Looks up `key`, presented by the host `name` (``SSHEndpoint/knownHostsName``).
    func verdict(on key: HostKey, of name: String) -> Verdict {
        let about = entries.filter { $0.marker != .certificateAuthority && HostPattern.match($0.patterns, name) }
        if let entry = about.first(where: { $0.marker == .revoked && $0.key == key }) {
            return .revoked(line: entry.line)
        }
        let trusted = about.filter { $0.marker == .none }
        if trusted.contains(where: { $0.key == key }) { return .known }
        if let entry = trusted.first(where: { $0.key.type == key.type }) {
            return .changed(line: entry.line, known: entry.key)
        }
        return trusted.isEmpty ? .unknown : .knownByOtherTypes(trusted)
    }
}
