/// Tracks which sequence numbers have been received, so that no frame is accepted twice.
///
/// A ring of bits, one for each of the newest ``ChannelLimits/replayWindow`` numbers.
struct ReplayWindow {
    private(set) var newest: UInt64 = 0
    private var words: [UInt64]
    private static let size = ChannelLimits.replayWindow

    init() { words = [UInt64](repeating: 0, count: Int(Self.size / 64)) }

    enum Verdict: Equatable {
        case fresh
        case duplicate
        case tooOld
    }

    /// Checks a number without recording it: state must not change before the frame is authenticated.
    func judge(_ sequence: UInt64) -> Verdict {
        if sequence > newest { return .fresh }
        if newest - sequence >= Self.size { return .tooOld }
        return words[word(sequence)] & bit(sequence) == 0 ? .fresh : .duplicate
    }

    /// Records the number of an authenticated frame.
    mutating func remember(_ sequence: UInt64) {
        if sequence > newest {
            let distance = sequence - newest
            if distance >= Self.size {
                for index in words.indices { words[index] = 0 }
            } else {
                var passed = newest
                while passed < sequence {
                    passed += 1
                    words[word(passed)] &= ~bit(passed)
                }
            }
            newest = sequence
        }
        words[word(sequence)] |= bit(sequence)
    }

    private func word(_ sequence: UInt64) -> Int { Int(sequence % Self.size / 64) }
    private func bit(_ sequence: UInt64) -> UInt64 { 1 << (sequence % 64) }
}
