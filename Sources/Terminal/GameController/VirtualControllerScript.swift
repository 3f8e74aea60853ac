/// A parser of the commands that control a virtual game controller, one per line:
///
/// ```
/// axis leftx 0.5       leftx, lefty, rightx, righty; -1 to 1, right and up positive
/// button a down        a, b, x, y, back, start, leftshoulder, rightshoulder; down, up or press (down, then up)
/// detach               unplugs it
/// attach               plugs it in (the initial state), sticks centred
/// ```
///
/// Bytes may arrive in any split.
struct VirtualControllerScript {
    /// The longest line in bytes; a longer one is truncated and reported as ``Event/unknown(_:)``.
    static let longestLine = 200

    /// A parsed line.
    enum Event: Hashable {
        case axis(Axis, Double)
        case button(GamepadButton, isDown: Bool)
        case attach
        case detach
        /// An invalid line.
        case unknown(String)
    }

    /// The axes, in the order of SDL's mapping of a virtual controller.
    enum Axis: Int, Hashable, CaseIterable {
        case leftX, leftY, rightX, rightY

        var word: String {
            switch self {
            case .leftX: "leftx"
            case .leftY: "lefty"
            case .rightX: "rightx"
            case .rightY: "righty"
            }
        }
    }

    private var line: [UInt8] = []
    private var isTooLong = false

    mutating func feed(_ bytes: some Sequence<UInt8>) -> [Event] {
        var events: [Event] = []
        for byte in bytes {
            guard byte == 0x0A else {
                if line.count < Self.longestLine { line.append(byte) } else { isTooLong = true }
                continue
            }
            let text = String(decoding: line, as: UTF8.self)
            events += isTooLong ? [.unknown(text)] : Self.events(text)
            line = []
            isTooLong = false
        }
        return events
    }

    private static func events(_ text: String) -> [Event] {
        let words = text.split { $0 == " " || $0 == "\t" || $0 == "\r" }.map { $0.lowercased() }
        switch words.count {
        case 0: return []
        case 1 where words[0] == "attach": return [.attach]
        case 1 where words[0] == "detach": return [.detach]
        case 3 where words[0] == "axis":
            guard let axis = Axis.allCases.first(where: { $0.word == words[1] }), let value = Double(words[2]),
                value.isFinite, (-1...1).contains(value)
            else { return [.unknown(text)] }
            return [.axis(axis, value)]
        case 3 where words[0] == "button":
            let button = GamepadButton.allCases.first { $0.rawValue.lowercased() == words[1] }
            switch (button, words[2]) {
            case (let button?, "down"): return [.button(button, isDown: true)]
            case (let button?, "up"): return [.button(button, isDown: false)]
            case (let button?, "press"): return [.button(button, isDown: true), .button(button, isDown: false)]
            default: return [.unknown(text)]
            }
        default: return [.unknown(text)]
        }
    }
}
