internal import Digests
internal import ReportKit

/// A server's public key as sent and stored: the length-prefixed name of its type, then the key data.
package struct HostKey: Hashable, Sendable {
    /// The key in SSH's wire format (RFC 4253, 6.6).
    let blob: [UInt8]

    init(blob: [UInt8]) { self.blob = blob }

    /// The key's type as in `known_hosts`, for example `ssh-ed25519`.
    package var type: String {
        guard blob.count >= 4 else { return "unknown" }
        let length = blob[0..<4].reduce(0) { $0 << 8 | Int($1) }
        guard length <= 64, blob.count >= 4 + length else { return "unknown" }
        return String(decoding: blob[4..<(4 + length)], as: UTF8.self)
    }

    /// The fingerprint as `ssh` prints it: `SHA256:` and base64 without padding.
    package var fingerprint: String { "SHA256:" + Base64.encode(SHA256.of(blob), padded: false) }
}
