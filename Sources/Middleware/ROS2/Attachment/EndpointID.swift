internal import Digests

/// The identity of a publisher, client or server in attachments: 16 bytes.
public struct EndpointID: Hashable, Sendable {
    /// The bytes as two little-endian numbers: no storage of its own, as every publication has one.
    private let first: UInt64
    private let second: UInt64

    /// The size in bytes.
    public static let size = 16

    /// Creates an identity from its bytes; `nil` unless there are 16.
    public init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == Self.size else { return nil }
        func word(_ bytes: some Collection<UInt8>) -> UInt64 {
            bytes.enumerated().reduce(0) { $0 | UInt64($1.element) << ($1.offset * 8) }
        }
        first = word(bytes.prefix(8))
        second = word(bytes.dropFirst(8))
    }

    /// The identity of an endpoint of ours: unique as its token is. (`rmw_zenoh` takes another hash of the token; no receiver
    /// computes it.)
    public init(of token: LivelinessToken) {
        let digest = SHA256.of(Array(token.text.utf8))
        // A digest has 32 bytes.
        self = Self(digest.prefix(Self.size)) ?? Self(first: 0, second: 0)
    }

    private init(first: UInt64, second: UInt64) {
        self.first = first
        self.second = second
    }

    /// The bytes.
    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return bytes
    }

    func append(to bytes: inout [UInt8]) {
        withUnsafeBytes(of: first.littleEndian) { bytes.append(contentsOf: $0) }
        withUnsafeBytes(of: second.littleEndian) { bytes.append(contentsOf: $0) }
    }
}
