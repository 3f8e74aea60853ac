/// What is understood of a robot's lines. Its program may send anything; a battery gets a place in telemetry if it is told so:
///
///     battery 87
///     battery 87 %
package enum BlunoAnswer: Hashable, Sendable {
    /// The charge of the battery, 0 to 1.
    case battery(Double)
    /// Anything else.
    case text

    private static let word = Array("battery ".utf8)

    /// Reads a line.
    package init(_ line: [UInt8]) {
        guard line.starts(with: Self.word) else {
            self = .text
            return
        }
        var digits = line.dropFirst(Self.word.count)
        if digits.last == UInt8(ascii: "%") { digits.removeLast() }
        if digits.last == UInt8(ascii: " ") { digits.removeLast() }
        guard (1...3).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }) else {
            self = .text
            return
        }
        let percent = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        self = percent <= 100 ? .battery(Double(percent) / 100) : .text
    }
}
