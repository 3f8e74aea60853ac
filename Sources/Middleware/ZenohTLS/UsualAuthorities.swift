internal import SystemKit

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// Where the certificates of the authorities are that a machine trusts.
///
/// OpenSSL by itself looks for the one that it needs in the middle of a handshake; here all are read before.
struct UsualAuthorities: Sendable {
    /// Files with any number of certificates.
    var files: [String] = []
    /// Folders of files that are named by a hash, as `openssl rehash` makes them: `1a2b3c4d.0`.
    var folders: [String] = []

    /// The files that there are; blocks.
    var found: [String] {
        files.filter(SmallFile.exists)
            + folders.flatMap { folder in
                (Folder.names(in: folder) ?? []).filter(Self.isHash).sorted().map { "\(folder)/\($0)" }
            }
    }

    /// Whether it is a name of a certificate: eight hexadecimal digits, a dot and a number. Lists of revoked ones have an `r`
    /// before the number.
    private static func isHash(_ name: String) -> Bool {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].utf8.count == 8, !parts[1].isEmpty else { return false }
        return parts[0].utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
            && parts[1].utf8.allSatisfy { (0x30...0x39).contains($0) }
    }
}

extension UsualAuthorities {
    /// Those of this machine's OpenSSL, and what the environment names in their place, as for any program with it.
    init(of library: OpenSSLLibrary) {
        files = [Self.variable("SSL_CERT_FILE") ?? Self.text(library.usualFile())]
        folders = (Self.variable("SSL_CERT_DIR") ?? Self.text(library.usualFolder()))
            .split(separator: ":").map(String.init)
    }

    private static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    private static func text(_ text: OpenSSLLibrary.Text?) -> String { text.map { String(cString: $0) } ?? "" }
}
