internal import FlightControl
internal import UAVLink

/// The keyboard as sticks: held keys on a terminal that reports key releases, steps otherwise.
struct KeyboardSticks {
    /// Whether the terminal reports key releases.
    var reportsReleases = false {
        didSet { if reportsReleases != oldValue { letGo() } }
    }
    private var held = HeldKeys()
    private var steps: StepKeys

    init(_ settings: JoystickSettings) {
        steps = StepKeys(limits: settings.shaping.limits, slew: settings.slew, lengths: settings.steps)
    }

    /// The source that the steering thread reads.
    var source: any StickSource { reportsReleases ? held : steps }

    /// A key was pressed. A step begins only while steering; a held key is always recorded, so that a request for control with a
    /// key down is noticed.
    mutating func press(_ key: StickKey, steers: Bool, at now: MonotonicTime) {
        if reportsReleases {
            held.press(key)
        } else if steers {
            steps.press(key.move, at: now)
        }
    }

    mutating func repeats(_ key: StickKey, at now: MonotonicTime) {
        if reportsReleases { held.repeats(key, at: now) }
    }

    mutating func release(_ key: StickKey) { held.release(key) }

    mutating func otherKey() { held.otherKey() }

    mutating func letGo() {
        held.releaseAll()
        steps.cancel()
    }

    mutating func set(_ limits: SpeedLimits) { steps.set(limits) }
}
