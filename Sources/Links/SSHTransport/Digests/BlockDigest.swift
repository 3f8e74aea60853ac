/// The frame that SHA-1 and SHA-256 share (FIPS 180-4): 64-byte blocks, then a one bit, zeros and the length in bits.
struct BlockDigest<Core: DigestCore> {
    private var core = Core()
    private var pending: [UInt8] = []
    private var length: UInt64 = 0

    init() {}

    mutating func update(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { update($0) }
    }

    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        length &+= UInt64(bytes.count)
        var rest = bytes[...]
        if !pending.isEmpty {
            let missing = min(64 - pending.count, rest.count)
            pending.append(contentsOf: rest.prefix(missing))
            rest = rest.dropFirst(missing)
            guard pending.count == 64 else { return }
            pending.withUnsafeBytes { core.compress($0) }
            pending.removeAll(keepingCapacity: true)
        }
        while rest.count >= 64 {
            core.compress(UnsafeRawBufferPointer(rebasing: rest.prefix(64)))
            rest = rest.dropFirst(64)
        }
        pending.append(contentsOf: rest)
    }

    mutating func finish() -> [UInt8] {
        let bits = length &* 8
        var padding: [UInt8] = [0x80]
        padding += [UInt8](repeating: 0, count: (119 - pending.count) % 64)
        padding += (0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * $0)) }
        update(padding)
        return core.words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * $0)) } }
    }

    /// The digest of these bytes.
    static func of(_ bytes: [UInt8]) -> [UInt8] {
        var digest = Self()
        digest.update(bytes)
        return digest.finish()
    }

    /// HMAC (RFC 2104) with this digest.
    static func authentication(of message: [UInt8], key: [UInt8]) -> [UInt8] {
        var block = key.count > 64 ? of(key) : key
        block += [UInt8](repeating: 0, count: 64 - block.count)
        let inner = of(block.map { $0 ^ 0x36 } + message)
        return of(block.map { $0 ^ 0x5c } + inner)
    }
}

/// What differs between the two digests: the state and what a block does to it.
protocol DigestCore {
    init()
    var words: [UInt32] { get }
    /// Works one block of exactly 64 bytes in.
    mutating func compress(_ block: UnsafeRawBufferPointer)
}

/// SHA-256: key fingerprints and the checksums of uploaded files.
typealias SHA256 = BlockDigest<SHA256Core>
/// SHA-1: only for the hashed names in `known_hosts`, whose format it is.
typealias SHA1 = BlockDigest<SHA1Core>
