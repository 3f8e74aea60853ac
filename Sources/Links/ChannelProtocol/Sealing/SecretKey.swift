internal import CSodium
package import UAVLink

/// 32 secret bytes in memory that is locked, guarded and wiped on deinit (libsodium's `sodium_malloc`).
///
/// `@unchecked Sendable` because the bytes are written only in the initializers and never change afterwards.
package final class SecretKey: @unchecked Sendable {
    static let size = 32

    private let bytes: UnsafeMutablePointer<UInt8>

    /// The result of `sodium_init`, called once; negative when the library does not work on this machine.
    private static let libraryState = sodium_init()

    /// Creates a key; `fill` writes its 32 bytes.
    init(_ fill: (UnsafeMutablePointer<UInt8>) -> Void) throws(LinkError) {
        guard Self.libraryState >= 0, let memory = sodium_malloc(Self.size) else {
            throw LinkError(
                .internalFault, "cannot allocate locked memory for a key", hint: "raise the limit of 'ulimit -l'")
        }
        bytes = memory.bindMemory(to: UInt8.self, capacity: Self.size)
        fill(bytes)
    }

    /// A new random key.
    package static func random() throws(LinkError) -> SecretKey {
        try SecretKey { randombytes_buf($0, size) }
    }

    /// Derives a key for one purpose: BLAKE2b-256 under this key over a label of 16 bytes and a context.
    func derived(label: StaticString, context: [UInt8] = []) throws(LinkError) -> SecretKey {
        var message = [UInt8](repeating: 0, count: 16)
        label.withUTF8Buffer { utf8 in
            for (index, byte) in utf8.prefix(16).enumerated() { message[index] = byte }
        }
        message += context
        return try SecretKey { out in
            _ = crypto_generichash(out, Self.size, message, UInt64(message.count), bytes, Self.size)
        }
    }

    func withBytes<Result>(_ body: (UnsafePointer<UInt8>) -> Result) -> Result { body(bytes) }

    /// Compares in constant time.
    func equals(_ other: SecretKey) -> Bool { sodium_memcmp(bytes, other.bytes, Self.size) == 0 }

    deinit { sodium_free(bytes) }
}

/// Unpredictable bytes from the operating system.
package enum SecureRandom {
    static func fill(_ bytes: UnsafeMutableRawBufferPointer) {
        if let base = bytes.baseAddress { randombytes_buf(base, bytes.count) }
    }

    package static func bytes(_ count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        bytes.withUnsafeMutableBytes { fill($0) }
        return bytes
    }

    package static func integer() -> UInt64 {
        var value: UInt64 = 0
        withUnsafeMutableBytes(of: &value) { fill($0) }
        return value
    }
}
