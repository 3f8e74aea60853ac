#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
public import UAVLink

/// A private key file, looked at before libssh2 gets it: what is wrong with it can then be said.
public struct KeyFile: Sendable {
    enum Kind: Hashable, Sendable { case ed25519, ecdsa, rsa, other(String), unknown }

    let kind: Kind
    /// Whether a passphrase is needed to use it.
    public let isEncrypted: Bool
    let contents: SSHSecret

    /// A key file of 16384 bits takes 13 kB.
    private static let largest = 256 * 1024

    /// Reads a key file.
    ///
    /// - Throws: ``LinkError`` with `authentication` that says what is wrong with the file.
    public init(path: String) throws(LinkError) {
        let path = HomeFolder.expand(path)
        switch SmallFile.read(path, limit: Self.largest) {
        case .failure(let failure):
            throw LinkError(.authentication, "cannot read the key file \(path) (\(failure.text))")
        case .success(let file):
            // As OpenSSH: only the user's own files are held to it, since others' are none of the user's making.
            if file.owner == getuid(), file.mode & 0o077 != 0 {
                throw LinkError(
                    .authentication,
                    "the key file \(path) can be read by others (mode 0\(String(file.mode, radix: 8)))",
                    hint: "chmod 600 '\(path)'")
            }
            try self.init(parsing: file.bytes, path: path)
        }
    }

    package init(parsing bytes: [UInt8], path: String) throws(LinkError) {
        let text = String(decoding: bytes, as: UTF8.self)
        contents = SSHSecret(bytes)
        if text.contains("-----BEGIN OPENSSH PRIVATE KEY-----") {
            (kind, isEncrypted) = try Self.openSSH(text, path: path)
        } else if text.contains("-----BEGIN RSA PRIVATE KEY-----") {
            (kind, isEncrypted) = (.rsa, text.contains("ENCRYPTED"))
        } else if text.contains("-----BEGIN EC PRIVATE KEY-----") {
            (kind, isEncrypted) = (.ecdsa, text.contains("ENCRYPTED"))
        } else if text.contains("-----BEGIN PRIVATE KEY-----") {
            (kind, isEncrypted) = (.unknown, false)
        } else if text.contains("-----BEGIN ENCRYPTED PRIVATE KEY-----") {
            (kind, isEncrypted) = (.unknown, true)
        } else if text.hasPrefix("PuTTY-User-Key-File") {
            throw LinkError(
                .authentication, "the key file \(path) is PuTTY's",
                hint: "convert it: puttygen '\(path)' -O private-openssh-new -o KEY")
        } else if text.hasPrefix("ssh-") || text.hasPrefix("ecdsa-") {
            throw LinkError(
                .authentication, "the key file \(path) is the public half of a key",
                hint: "name the private one, which has no .pub at its end")
        } else {
            throw LinkError(
                .authentication, "the file \(path) is not a private key in OpenSSH's or PEM format",
                hint: "ssh-keygen -t ed25519 makes one")
        }
        if case .other(let type) = kind {
            throw LinkError(
                .authentication, "the key file \(path) is of type \(type), which libssh2 cannot use",
                hint: "make another: ssh-keygen -t ed25519")
        }
    }

    private static func openSSH(_ text: String, path: String) throws(LinkError) -> (Kind, Bool) {
        let base64 = text.split(whereSeparator: \.isNewline).drop { !$0.hasPrefix("-----BEGIN") }.dropFirst()
            .prefix { !$0.hasPrefix("-----") }.joined()
        guard let bytes = Base64.decode(base64.utf8) else { throw damaged(path) }
        var reader = WireReader(bytes)
        guard reader.skip(Array("openssh-key-v1\0".utf8)), let cipher = reader.string(), reader.string() != nil,
            reader.string() != nil, reader.uint32() == 1, let publicKey = reader.string()
        else { throw damaged(path) }
        var key = WireReader(publicKey)
        guard let type = key.string() else { throw damaged(path) }
        return (kind(String(decoding: type, as: UTF8.self)), cipher != Array("none".utf8))
    }

    private static func kind(_ type: String) -> Kind {
        switch type {
        case "ssh-ed25519": .ed25519
        case "ssh-rsa": .rsa
        case "ecdsa-sha2-nistp256", "ecdsa-sha2-nistp384", "ecdsa-sha2-nistp521": .ecdsa
        default: .other(type)
        }
    }

    private static func damaged(_ path: String) -> LinkError {
        LinkError(.authentication, "the key file \(path) is damaged")
    }
}
