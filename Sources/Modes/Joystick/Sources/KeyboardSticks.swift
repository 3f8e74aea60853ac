internal import FlightControl
internal import UAVLink

/// The keyboard as sticks: held keys where the terminal tells key-ups, steps elsewhere.
struct KeyboardSticks {
    /// Whether the terminal tells when a key comes up.
    var tellsReleases = false {
        didSet { if tellsReleases != oldValue { letGo() } }
    }
    private var held = HeldKeys()
    private var steps: StepKeys

    init(_ settings: JoystickSettings) {
        steps = StepKeys(limits: settings.shaping.limits, slew: settings.slew, lengths: settings.steps)
    }

    /// What it asks for, as the steering thread reads it.
    var source: any StickSource { tellsReleases ? held : steps }

    /// Whether a step is under way.
    func isStepping(at now: MonotonicTime) -> Bool { !tellsReleases && steps.isMoving(at: now) }

    /// A key went down. A step begins only while somebody steers; a held key is remembered always, so that taking
    /// control with a key down is noticed.
    mutating func press(_ key: StickKey, steers: Bool, at now: MonotonicTime) {
        if tellsReleases {
            held.press(key)
        } else if steers {
            steps.press(key.move, at: now)
        }
    }

    mutating func repeats(_ key: StickKey, at now: MonotonicTime) {
        if tellsReleases { held.repeats(key, at: now) }
    }

    mutating func release(_ key: StickKey) { held.release(key) }

    mutating func otherKey() { held.otherKey() }

    mutating func letGo() {
        held.releaseAll()
        steps.cancel()
    }

    mutating func set(_ limits: SpeedLimits) { steps.set(limits) }
}
