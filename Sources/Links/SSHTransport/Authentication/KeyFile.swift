#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import ReportKit
package import UAVLink

/// A private key file, inspected before libssh2 uses it so that problems can be reported precisely.
package struct KeyFile: Sendable {
    enum Kind: Hashable, Sendable { case ed25519, ecdsa, rsa, other(String), unknown }

    let kind: Kind
    /// Whether the key needs a passphrase.
    package let isEncrypted: Bool
    let contents: SSHSecret

    /// Largest accepted file, bytes; a 16384-bit RSA key takes 13 kB.
    private static let largest = 256 * 1024

    /// Reads a key file.
    ///
    /// - Throws: ``LinkError`` with `authentication` that describes the problem with the file.
    package init(path: String) throws(LinkError) {
        let path = HomeFolder.expand(path)
        switch RegularFile.readSecret(path, limit: Self.largest) {
        case .failure(let failure):
            throw LinkError(.authentication, "cannot read the key file \(path) (\(failure.text))")
        case .success(let file):
            // As in OpenSSH: the mode is checked only for files owned by the user.
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
        try self.init(parsing: SSHSecret(bytes), path: path)
    }

    private init(parsing contents: SSHSecret, path: String) throws(LinkError) {
        self.contents = contents
        (kind, isEncrypted) = try contents.withBytes { bytes in
            Result { () throws(LinkError) in try Self.look(at: KeyText(bytes), path: path) }
        }.get()
        if case .other(let type) = kind {
            throw LinkError(
                .authentication, "the key file \(path) is of type \(type), which libssh2 cannot use",
                hint: "create another: ssh-keygen -t ed25519")
        }
    }

    private static func look(at text: borrowing KeyText, path: String) throws(LinkError) -> (Kind, Bool) {
        if text.contains("-----BEGIN OPENSSH PRIVATE KEY-----") { return try openSSH(text, path: path) }
        if text.contains("-----BEGIN RSA PRIVATE KEY-----") { return (.rsa, text.contains("ENCRYPTED")) }
        if text.contains("-----BEGIN EC PRIVATE KEY-----") { return (.ecdsa, text.contains("ENCRYPTED")) }
        if text.contains("-----BEGIN PRIVATE KEY-----") { return (.unknown, false) }
        if text.contains("-----BEGIN ENCRYPTED PRIVATE KEY-----") { return (.unknown, true) }
        if text.hasPrefix("PuTTY-User-Key-File") {
            throw LinkError(
                .authentication, "the key file \(path) is in PuTTY's format",
                hint: "convert it: puttygen '\(path)' -O private-openssh-new -o KEY")
        }
        if text.hasPrefix("ssh-") || text.hasPrefix("ecdsa-") {
            throw LinkError(
                .authentication, "the key file \(path) is a public key",
                hint: "give the private key, whose name does not end in .pub")
        }
        throw LinkError(
            .authentication, "the file \(path) is not a private key in OpenSSH's or PEM format",
            hint: "create one: ssh-keygen -t ed25519")
    }

    /// Cipher name and key type precede all secret data; only the part up to them is decoded.
    private static func openSSH(_ text: borrowing KeyText, path: String) throws(LinkError) -> (Kind, Bool) {
        guard let bytes = Base64.decode(text.body(of: "-----BEGIN OPENSSH PRIVATE KEY-----", atMost: headLength))
        else { throw damaged(path) }
        var reader = WireReader(bytes)
        guard reader.skip(Array("openssh-key-v1\0".utf8)), let cipher = reader.string(), reader.string() != nil,
            reader.string() != nil, reader.uint32() == 1, reader.uint32() != nil, let type = reader.string()
        else { throw damaged(path) }
        return (kind(String(decoding: type, as: UTF8.self)), cipher != Array("none".utf8))
    }

    /// Base64 characters decoded, 120 bytes: in the shortest key the private part starts at byte 161.
    private static let headLength = 160

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
