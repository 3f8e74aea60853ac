/// The hash of an interface type in the first version of ROS 2 (REP 2016): SHA-256, written `RIHS01_` and 64 hexadecimal digits.
public struct TypeHash: Hashable, Sendable, CustomStringConvertible {
    /// The digest as four big-endian numbers: no storage of its own, as every message type has one.
    private let words: (UInt64, UInt64, UInt64, UInt64)

    private static let prefix = "RIHS01_"

    /// Creates a hash from the digits of its digest, 16 in each number.
    public init(_ first: UInt64, _ second: UInt64, _ third: UInt64, _ fourth: UInt64) {
        words = (first, second, third, fourth)
    }

    /// Creates a hash from a digest; `nil` unless it has 32 bytes.
    public init?(digest: [UInt8]) {
        guard digest.count == 32 else { return nil }
        func word(_ index: Int) -> UInt64 { digest[index * 8..<index * 8 + 8].reduce(0) { $0 << 8 | UInt64($1) } }
        self.init(word(0), word(1), word(2), word(3))
    }

    /// Parses `RIHS01_` and 64 lower-case digits; `nil` for anything else, among them versions that do not exist yet.
    public init?(_ text: String) {
        let digits = text.utf8.dropFirst(Self.prefix.utf8.count)
        guard text.hasPrefix(Self.prefix), digits.count == 64 else { return nil }
        var words: [UInt64] = [0, 0, 0, 0]
        for (index, digit) in digits.enumerated() {
            let value: UInt8
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = digit - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): value = digit - UInt8(ascii: "a") + 10
            default: return nil
            }
            words[index / 16] = words[index / 16] << 4 | UInt64(value)
        }
        self.init(words[0], words[1], words[2], words[3])
    }

    /// `RIHS01_` and 64 digits, as in keys and tokens.
    public var text: String {
        [words.0, words.1, words.2, words.3].reduce(into: Self.prefix) { text, word in
            let digits = String(word, radix: 16)
            text += String(repeating: "0", count: 16 - digits.count) + digits
        }
    }

    /// The text.
    public var description: String { text }

    /// Equal digests.
    public static func == (left: Self, right: Self) -> Bool { left.words == right.words }

    /// The digest.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(words.0)
        hasher.combine(words.1)
        hasher.combine(words.2)
        hasher.combine(words.3)
    }
}
