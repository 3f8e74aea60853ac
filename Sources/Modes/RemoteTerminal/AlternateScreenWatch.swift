/// Follows in a shell's output whether a program there has switched the terminal to its alternate screen.
///
/// Leaving that screen without having entered it would move the cursor to where it was saved at some time before.
package struct AlternateScreenWatch: Sendable {
    /// Whether the alternate screen is shown.
    package private(set) var isShown = false
    /// The beginning of a sequence at the end of what was fed so far.
    private var rest: [UInt8] = []

    /// The main screen is shown.
    package init() {}

    /// The DEC private modes that switch to the alternate screen.
    private static let modes: Set<[UInt8]> = [Array("47".utf8), Array("1047".utf8), Array("1049".utf8)]
    /// Longer than the sequences that programs send.
    private static let longest = 64

    /// Takes the next piece of output; sequences may lie across pieces.
    package mutating func feed(_ bytes: [UInt8]) {
        let all = rest + bytes
        rest = []
        var index = all.startIndex
        while let escape = all[index...].firstIndex(of: 0x1B) {
            var end = escape + 1
            // CSI ? numbers and semicolons, and a letter.
            let intro: [UInt8] = [0x5B, 0x3F]
            var matched = 0
            while matched < intro.count, end < all.endIndex, all[end] == intro[matched] {
                (matched, end) = (matched + 1, end + 1)
            }
            if matched == intro.count {
                let start = end
                while end < all.endIndex, all[end] == 0x3B || (0x30...0x39).contains(all[end]) { end += 1 }
                if end < all.endIndex { take(all[start..<end], all[end]) }
            }
            guard end < all.endIndex else {
                if all.endIndex - escape <= Self.longest { rest = Array(all[escape...]) }
                return
            }
            index = matched == intro.count ? end : escape + 1
        }
    }

    private mutating func take(_ numbers: ArraySlice<UInt8>, _ final: UInt8) {
        guard final == 0x68 || final == 0x6C else { return }
        if numbers.split(separator: 0x3B).contains(where: { Self.modes.contains(Array($0)) }) {
            isShown = final == 0x68
        }
    }
}
