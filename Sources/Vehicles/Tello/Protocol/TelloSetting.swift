internal import UAVLink

extension TelloCommand {
    /// What the third edition can be set to, which moves nothing: answered at once.
    package enum Setting: Hashable, Sendable {
        /// Frames of its video, a second: 30, 15 or 5.
        case frameRate(FrameRate)
        /// Megabits a second of its video, see ``bitrates``.
        case bitrate(Int)
        /// 720 lines of its video, or 480.
        case resolution(isHigh: Bool)
        /// The camera that looks down in the place of the one that looks ahead: grey, 320 x 240.
        case downwardCamera(Bool)
        /// The colour of the light on the expansion, see ``brightnesses``.
        case light(red: Int, green: Int, blue: Int)

        /// Frames a second, in the protocol's words.
        package enum FrameRate: String, Hashable, Sendable, CaseIterable {
            case high, middle, low
        }

        /// Megabits a second; 0 lets the drone choose.
        package static let bitrates = 0...5
        /// Of each colour.
        package static let brightnesses = 0...255

        /// The text of the command.
        package var text: String {
            switch self {
            case .frameRate(let rate): "setfps \(rate.rawValue)"
            case .bitrate(let megabits): "setbitrate \(megabits)"
            case .resolution(let isHigh): "setresolution \(isHigh ? "high" : "low")"
            case .downwardCamera(let isOn): "downvision \(isOn ? 1 : 0)"
            case .light(let red, let green, let blue): "EXT led \(red) \(green) \(blue)"
            }
        }

        func validate(for version: TelloVersion) throws(LinkError) {
            guard version >= .sdk30 else {
                let words = text.split(separator: " ")
                let name = words.prefix(words.first == "EXT" ? 2 : 1).joined(separator: " ")
                throw LinkError(.unsupported, "the Tello's SDK \(version.text) has no '\(name)'")
            }
            switch self {
            case .bitrate(let megabits):
                try TelloCommand.require(megabits, in: Self.bitrates, "the bitrate", "Mbit/s")
            case .light(let red, let green, let blue):
                for value in [red, green, blue] {
                    try TelloCommand.require(value, in: Self.brightnesses, "the colour", "of red, green or blue")
                }
            case .frameRate, .resolution, .downwardCamera: break
            }
        }
    }
}
