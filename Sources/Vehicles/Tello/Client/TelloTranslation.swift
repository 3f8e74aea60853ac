internal import UAVLink

/// What a command of UAVLink is in the drone's protocol.
enum TelloTranslation {
    /// The speed of `go`, centimetres per second: half of what it may be.
    static let goSpeed = 50

    /// The command for a goto in the body frame or a turn.
    ///
    /// - Throws: ``UAVLink/LinkError`` with `invalidInput` for what the drone cannot be told, `unsupported` for another command.
    static func command(_ command: Command, for version: TelloVersion) throws(LinkError) -> TelloCommand {
        let translated: TelloCommand
        switch command {
        case .takeoff: translated = .takeoff
        case .land: translated = .land
        case .hover: translated = version.hasStop ? .stop : .sticks(.neutral)
        case .emergencyLand: translated = .emergency
        case .goTo(let destination): translated = try go(destination, for: version)
        case .turn(let radians): translated = try turn(radians)
        default: throw LinkError(.unsupported, "the Tello has no '\(command.name)'")
        }
        try translated.validate(for: version)
        return translated
    }

    private static func go(
        _ destination: Command.Destination, for version: TelloVersion
    ) throws(LinkError) -> TelloCommand {
        guard destination.headingRadians == 0 else {
            throw LinkError(
                .invalidInput, "the Tello does not turn while it flies to a place",
                hint: "leave the heading out, and turn by a command of its own")
        }
        let position = destination.position
        let (x, y, z) = (try centimetres(position.x), try centimetres(position.y), try centimetres(position.z))
        // `go` has a speed, but the first edition's takes hardly any place, and none takes one of 20 cm: along one axis these are
        // flown as moves, at the speed of the drone's own.
        let isFar = [x, y, z].contains { abs($0) > TelloCommand.leastGoCentimetres }
        if version > .sdk13, isFar { return .go(x: x, y: y, z: z, speed: goSpeed) }
        switch (x, y, z) {
        case (let x, 0, 0): return .move(x < 0 ? .back : .forward, centimetres: abs(x))
        case (0, let y, 0): return .move(y < 0 ? .right : .left, centimetres: abs(y))
        case (0, 0, let z): return .move(z < 0 ? .down : .up, centimetres: abs(z))
        default: return .go(x: x, y: y, z: z, speed: goSpeed)
        }
    }

    private static func centimetres(_ metres: Double) throws(LinkError) -> Int {
        // `abs` of it must not trap, and no number that a Tello flies is greater.
        guard let value = Int(exactly: (metres * 100).rounded()), (-100_000...100_000).contains(value) else {
            throw LinkError(.invalidInput, "\(metres) m is farther than the Tello flies at once: 5 m")
        }
        return value
    }

    private static func turn(_ radians: Double) throws(LinkError) -> TelloCommand {
        guard let degrees = Int(exactly: Heading.degrees(radians: radians).rounded()), (-360...360).contains(degrees),
            degrees != 0
        else {
            throw LinkError(.invalidInput, "the Tello turns by 1 to 360 whole degrees")
        }
        return .turn(clockwise: degrees < 0, degrees: abs(degrees))
    }
}
