/// Reads the stream that a robot gets: characters, and values between `<` and `>`. Nothing ends a command.
struct RobotParser: Sendable {
    enum Word: Hashable, Sendable {
        /// A value.
        case value(Int)
        /// A character.
        case character(UInt8)
    }

    /// The most digits of a value; with more it is none.
    static let mostDigits = 5
    private var digits: [UInt8]?

    /// Takes a byte, and returns what it completes.
    mutating func take(_ byte: UInt8) -> Word? {
        guard let open = digits else {
            if byte == UInt8(ascii: "<") {
                digits = []
                return nil
            }
            return .character(byte)
        }
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9") where open.count < Self.mostDigits:
            digits = open + [byte]
            return nil
        case UInt8(ascii: ">"):
            digits = nil
            return open.isEmpty ? nil : .value(open.reduce(0) { $0 * 10 + Int($1 - 0x30) })
        case UInt8(ascii: "<"):
            digits = []
            return nil
        default:
            // No value after all: the byte stands for itself, so that a stop is one.
            digits = nil
            return .character(byte)
        }
    }
}
