/// One datagram of the drone's state, sent ten times a second to UDP port 8890: `key:value;` pairs in text.
///
/// Units and signs are the protocol's. What a firmware does not send is `nil`; a value that is no number, or cannot be, too.
package struct TelloState: Hashable, Sendable {
    /// Degrees, nose up positive.
    package var pitch: Int?
    /// Degrees, right side down positive.
    package var roll: Int?
    /// Degrees, clockwise positive, 0 where it was switched on.
    package var yaw: Int?
    /// Decimetres per second along axes that were the body's when it was switched on; z is down.
    package var speedX: Int?
    package var speedY: Int?
    package var speedZ: Int?
    /// Degrees Celsius of the hottest part.
    package var highestTemperature: Int?
    /// Centimetres to the ground along the beam; 10 on the floor.
    package var rangeCentimetres: Int?
    /// Centimetres above the place of the take-off by air pressure, in steps of 10; half a metre wrong in some flights.
    package var heightCentimetres: Int?
    /// Percent.
    package var battery: Int?
    /// Seconds that the motors have run since it was switched on.
    package var motorSeconds: Int?
    /// What the drone says of mission pads: 1 to 8 for one that it sees; what other numbers mean depends on the firmware.
    package var pad: Int?
    /// Centimetres in the frame of the pad that it sees; without one numbers that are no places.
    package var padX: Int?
    package var padY: Int?
    package var padZ: Int?
    /// Degrees of the drone in that frame.
    package var padAngles: PadAngles?

    /// The drone's angles in a pad's frame, degrees.
    package struct PadAngles: Hashable, Sendable {
        package var pitch: Int
        package var roll: Int
        package var yaw: Int
    }

    /// A state without values.
    package init() {}

    /// The most bytes of a datagram that are looked at; the longest known one has 170.
    package static let mostBytes = 1024
    /// The most pairs of one datagram.
    private static let mostPairs = 64
    /// No value has more digits.
    private static let longestValue = 12

    /// Reads a datagram: by key, in any order, without those that it does not know. Spaces, a missing last `;` and other
    /// tails are accepted.
    ///
    /// - Returns: `nil` if not one known value is in it, as in the `ok` that some drones send to this port first.
    package init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count <= Self.mostBytes else { return nil }
        self.init()
        let pairs = bytes.split(separator: UInt8(ascii: ";"), maxSplits: Self.mostPairs)
        for pair in pairs.prefix(Self.mostPairs) {
            guard let colon = pair.firstIndex(of: UInt8(ascii: ":")) else { continue }
            let (key, text) = (Self.trimmed(pair[..<colon]), pair[pair.index(after: colon)...])
            if key == "mpry" {
                padAngles = Self.angles(text)
            } else if let value = Self.number(text) {
                take(key, value)
            }
        }
        guard self != Self() else { return nil }
    }

    private mutating func take(_ key: String, _ value: Double) {
        switch key {
        case "pitch": pitch = Self.whole(value, in: -360...360)
        case "roll": roll = Self.whole(value, in: -360...360)
        case "yaw": yaw = Self.whole(value, in: -360...360)
        case "vgx": speedX = Self.whole(value, in: Self.speeds)
        case "vgy": speedY = Self.whole(value, in: Self.speeds)
        case "vgz": speedZ = Self.whole(value, in: Self.speeds)
        case "temph": highestTemperature = Self.whole(value, in: -100...300)
        case "tof": rangeCentimetres = Self.whole(value, in: 0...100_000)
        case "h": heightCentimetres = Self.whole(value, in: -100_000...100_000)
        case "bat": battery = Self.whole(value, in: 0...100)
        case "mid": pad = Self.whole(value, in: Self.padWords)
        case "x": padX = Self.whole(value, in: Self.padPlaces)
        case "y": padY = Self.whole(value, in: Self.padPlaces)
        case "z": padZ = Self.whole(value, in: Self.padPlaces)
        case "time": motorSeconds = Self.whole(value, in: 0...10_000_000)
        default: break
        }
    }

    /// -2, -1 and 0 say that none is seen or looked for, and 64 was seen in place of a pad.
    private static let padWords = -2...64
    /// Centimetres: twice what it can fly at once.
    private static let padPlaces = -1000...1000

    private static func angles(_ bytes: some Collection<UInt8>) -> PadAngles? {
        let parts = bytes.split(separator: UInt8(ascii: ","), maxSplits: 3, omittingEmptySubsequences: false)
        let angles = parts.compactMap { number($0).flatMap { whole($0, in: -360...360) } }
        guard parts.count == 3, angles.count == 3 else { return nil }
        return PadAngles(pitch: angles[0], roll: angles[1], yaw: angles[2])
    }

    /// Decimetres per second: ten times what it can fly.
    private static let speeds = -1000...1000

    /// A number with or without decimals, which some editions print where others do not.
    private static func number(_ bytes: some Collection<UInt8>) -> Double? {
        let text = trimmed(bytes)
        guard !text.isEmpty, text.utf8.count <= longestValue,
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2D || $0 == 0x2E })
        else { return nil }
        return Double(text).flatMap { $0.isFinite ? $0 : nil }
    }

    private static func whole(_ value: Double, in range: ClosedRange<Int>) -> Int? {
        Int(exactly: value.rounded()).flatMap { range.contains($0) ? $0 : nil }
    }

    private static func trimmed(_ bytes: some Collection<UInt8>) -> String {
        let isBlank = { (byte: UInt8) in byte == 0 || byte == 0x20 || (0x09...0x0D).contains(byte) }
        var content = Array(bytes.drop(while: isBlank))
        while let last = content.last, isBlank(last) { content.removeLast() }
        return String(decoding: content, as: UTF8.self)
    }
}

extension TelloState {
    /// The range finder's values that mean a distance, centimetres: below it measures nothing, and 6553 stands for none.
    private static let possibleRange = 1...3000

    /// Metres to the ground along the beam of the range finder; `nil` where it sees none.
    package var rangeMetres: Double? {
        rangeCentimetres.flatMap { Self.possibleRange.contains($0) ? Double($0) / 100 : nil }
    }

    /// The mission pad that it sees; `nil` for none.
    package var padInSight: Int? { pad.flatMap { (1...8).contains($0) ? $0 : nil } }

    /// Metres above ground: those of the range finder, else by air pressure above the place of the take-off.
    package var heightMetres: Double? { rangeMetres ?? heightCentimetres.map { Double($0) / 100 } }
}
