/// The drone's state, 32 bits in each packet of its navigation data, with the meanings that they have on an AR.Drone 2.
package struct ARDroneStatus: OptionSet, Hashable, Sendable {
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    private init(bit: UInt32) { rawValue = 1 << bit }

    package static let flying = Self(bit: 0)
    package static let videoOn = Self(bit: 1)
    package static let visionOn = Self(bit: 2)
    package static let angularRateControl = Self(bit: 3)
    package static let altitudeControl = Self(bit: 4)
    package static let startButton = Self(bit: 5)
    /// A configuration was accepted; set until ``ATControl/clearAcknowledgement``.
    package static let commandAcknowledged = Self(bit: 6)
    package static let cameraReady = Self(bit: 7)
    package static let travelling = Self(bit: 8)
    package static let usbReady = Self(bit: 9)
    package static let demo = Self(bit: 10)
    /// Only the state is sent, until the stream is configured.
    package static let bootstrap = Self(bit: 11)
    package static let motorProblem = Self(bit: 12)
    /// No command for 2 s.
    package static let communicationLost = Self(bit: 13)
    package static let softwareFault = Self(bit: 14)
    package static let batteryLow = Self(bit: 15)
    package static let userEmergencyLanding = Self(bit: 16)
    package static let timerElapsed = Self(bit: 17)
    package static let magnetometerUncalibrated = Self(bit: 18)
    package static let anglesOutOfRange = Self(bit: 19)
    package static let tooMuchWind = Self(bit: 20)
    package static let ultrasoundDeaf = Self(bit: 21)
    package static let cutOut = Self(bit: 22)
    package static let versionAccepted = Self(bit: 23)
    package static let commandThread = Self(bit: 24)
    package static let navdataThread = Self(bit: 25)
    package static let videoThread = Self(bit: 26)
    package static let acquisitionThread = Self(bit: 27)
    package static let controlLate = Self(bit: 28)
    package static let converterLate = Self(bit: 29)
    /// No command for 50 ms.
    package static let watchdog = Self(bit: 30)
    /// Motors cut; it takes nothing but the edge that clears it.
    package static let emergency = Self(bit: 31)

    /// What a pilot must know of, in words, the worst first.
    package static let warnings: [(bit: Self, words: String)] = [
        (.emergency, "emergency: its motors are cut"), (.motorProblem, "a motor is blocked or broken"),
        (.cutOut, "its motors were cut out"), (.userEmergencyLanding, "emergency landing by its user"),
        (.anglesOutOfRange, "tilted too far"), (.softwareFault, "software fault"),
        (.batteryLow, "battery too low to take off"), (.communicationLost, "it has lost its ground"),
        (.tooMuchWind, "too much wind"), (.ultrasoundDeaf, "its ultrasound hears nothing: the height is not measured"),
        (.magnetometerUncalibrated, "its magnetometer is not calibrated"), (.timerElapsed, "flight timer elapsed"),
        (.controlLate, "its control loop is late"), (.converterLate, "its sensors are late"),
    ]

    /// The warnings that are set, in words.
    package var words: [String] { Self.warnings.filter { contains($0.bit) }.map(\.words) }
}

/// What the drone's control is doing: the major state, with the minor one in its words.
package struct ARDroneControlState: Hashable, Sendable {
    package var major: UInt16
    package var minor: UInt16

    /// From the field of the option `demo`: the major state in the high half.
    package init(_ field: UInt32) {
        major = UInt16(truncatingIfNeeded: field >> 16)
        minor = UInt16(truncatingIfNeeded: field)
    }

    package enum Major: UInt16, Sendable, CaseIterable {
        case byDefault = 0
        case initialising, landed, flying, hovering, testing, takingOff, goingToFix, landing, looping
    }

    /// The major state; `nil` for one that is not known.
    package var state: Major? { Major(rawValue: major) }

    /// Whether a pilot wants to hear of it: not of each change between flying and hovering, with each touch of a stick,
    /// and not of the state that says nothing.
    package var isRemarkable: Bool {
        switch state {
        case .flying?, .hovering?, .byDefault?: minor != 0
        default: true
        }
    }

    /// Both in words.
    package var words: String {
        let name =
            switch state {
            case .byDefault?: "default"
            case .initialising?: "initialising"
            case .landed?: "landed"
            case .flying?: "flying"
            case .hovering?: "hovering"
            case .testing?: "testing"
            case .takingOff?: "taking off"
            case .goingToFix?: "going to a fix"
            case .landing?: "landing"
            case .looping?: "looping"
            case nil: "state \(major)"
            }
        return minorWords.map { "\(name): \($0)" } ?? name
    }

    /// The minor state in words; `nil` for the usual one.
    private var minorWords: String? {
        switch (state, minor) {
        case (_, 0): nil
        case (.flying?, 1): "altitude lost"
        case (.flying?, 2): "altitude lost, going down"
        case (.flying?, 3): "altitude out of its zone"
        case (.flying?, 4): "turning with its roll"
        case (.flying?, 5): "braking"
        case (.flying?, 6): "no vision"
        case (.hovering?, 1): "turning"
        case (.hovering?, 2), (.hovering?, 3): "turning, altitude lost"
        case (.hovering?, 4), (.hovering?, 5): "altitude out of its zone"
        case (.hovering?, 6), (.hovering?, 7): "altitude lost"
        case (.hovering?, 8): "ground lost"
        case (.hovering?, 9), (.hovering?, 10): "ground and altitude lost"
        case (.hovering?, 11): "ground lost, altitude known"
        case (.hovering?, 12): "calibrating its magnetometer"
        case (.hovering?, 13): "demonstration"
        default: "minor state \(minor)"
        }
    }
}
