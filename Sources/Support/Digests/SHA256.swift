internal import CSodium

/// SHA-256 (FIPS 180-4) by libsodium: key fingerprints and the checksums of uploaded files.
package struct SHA256 {
    private var state = crypto_hash_sha256_state()

    /// Begins a digest.
    package init() { crypto_hash_sha256_init(&state) }

    /// Adds bytes.
    package mutating func update(_ bytes: [UInt8]) { crypto_hash_sha256_update(&state, bytes, UInt64(bytes.count)) }

    /// The digest of all that was added; 32 bytes.
    package mutating func finish() -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: Int(crypto_hash_sha256_BYTES))
        crypto_hash_sha256_final(&state, &digest)
        return digest
    }

    /// The digest of these bytes.
    package static func of(_ bytes: [UInt8]) -> [UInt8] {
        var digest = Self()
        digest.update(bytes)
        return digest.finish()
    }
}

/// Checksums of files that are compared with those on a vehicle.
package enum Checksum {
    /// The SHA-256 checksum in hexadecimal, as `sha256sum` prints it.
    package static func sha256(_ bytes: [UInt8]) -> String {
        SHA256.of(bytes).map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }
}
