/// The frames of an emulated camera: the units of an H.264 stream with nothing in them that could be shown.
enum EmulatedVideo {
    /// The longest datagram.
    static let pieceBytes = 1460
    /// Every so many frames is a key frame: one a second.
    private static let keyEvery = 30

    /// A frame; key frames begin with the parameter sets, as the drone repeats them.
    static func frame(_ number: Int) -> [UInt8] {
        let isKey = number % keyEvery == 0
        let sets: [[UInt8]] = isKey ? [[0x67, 0x4D, 0x40, 0x28, 0x95], [0x68, 0xEE, 0x38, 0x80]] : []
        let slice = [isKey ? 0x65 : 0x41] + [UInt8](repeating: 0x55, count: isKey ? 6000 : 2000)
        return (sets + [slice]).flatMap { [0, 0, 0, 1] + $0 }
    }
}
