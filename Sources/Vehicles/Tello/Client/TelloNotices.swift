internal import UAVLink

/// What the drone's state shows and its pilot should hear of, once: a mission pad comes into sight or is lost, the drone is hot.
struct TelloNotices: Sendable {
    /// Degrees Celsius from which it counts as hot, and below which no more. No document has a number, and 87 was logged of a
    /// healthy one that stood: our choice.
    static let hot = 95
    static let cool = 90
    /// A pad that was not seen for so long is lost; one that flickers is not.
    static let padLoss: Duration = .seconds(1)

    private var pad: (number: Int, at: MonotonicTime)?
    private var isHot = false

    /// Takes a state.
    ///
    /// - Returns: what is new.
    mutating func take(_ state: TelloState, now: MonotonicTime) -> [VehicleMessage] {
        var notices: [VehicleMessage] = []
        func tell(_ severity: VehicleMessage.Severity, _ text: String) {
            notices.append(VehicleMessage(severity: severity, text: text))
        }
        if let seen = state.padInSight {
            if pad?.number != seen { tell(.information, "mission pad \(seen) seen") }
            pad = (seen, now)
        } else if let last = pad, now - last.at >= Self.padLoss {
            tell(.information, "mission pad \(last.number) lost")
            pad = nil
        }
        if let degrees = state.highestTemperature {
            if degrees >= Self.hot, !isHot {
                tell(.warning, "\(degrees) °C: it is hot; land it, and let it cool")
                isHot = true
            } else if degrees < Self.cool {
                isHot = false
            }
        }
        return notices
    }
}
