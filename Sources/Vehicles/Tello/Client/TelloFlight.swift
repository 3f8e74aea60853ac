package import UAVLink

/// What the drone is doing, which it does not say: derived from what was commanded, what it answered, and whether its motors run.
///
/// The only sign of the motors is the count of the seconds that they have run, in whole seconds: it shows within one and a half
/// of them that they are on, or off. A value with the time passed in.
package struct TelloFlight: Sendable {
    private enum Phase: Hashable {
        case unknown
        case grounded(since: MonotonicTime)
        case rising(since: MonotonicTime)
        case flying
        case sinking(since: MonotonicTime)
        case cut(since: MonotonicTime)
    }

    private var phase = Phase.unknown
    /// The newest count of the motors' seconds, and since when it is the same.
    private var motorSeconds: (count: Int, since: MonotonicTime)?
    private var motorsRun: Bool?
    private var newest: (state: TelloState, at: MonotonicTime)?
    /// Metres above ground when the landing was commanded.
    private var heightBefore: Double?

    /// Longer than a second, in which the count of running motors rises, by three of the state's datagrams.
    private static let motorsShow: Duration = .milliseconds(1300)
    /// Motors that stop have a second begun, which may still be counted.
    private static let lastSecond: Duration = .seconds(2)
    /// Motors start within a second of a take-off that was received; after this time it was not.
    private static let takeOffBegins: Duration = .seconds(5)
    /// The longest take-off that was reported, in poor light.
    package static let longestTakeOff: Duration = .seconds(25)
    /// The longest landing: from 10 m at 0.3 m/s, and some more.
    package static let longestLanding: Duration = .seconds(60)
    /// What a drone that lands has come down within a few seconds, metres; one that hovers does not.
    private static let landingShowsMetres = 0.3
    /// Up to this height a drone may stand, metres: the range finder shows 0.1 on the floor, and the barometer half a metre too much.
    private static let standingMetres = 0.5

    /// Of a drone that nothing was heard of.
    package init() {}

    /// The state in UAVLink's words.
    package var state: FlightState {
        switch phase {
        case .unknown: .unknown
        case .grounded: .disarmed
        case .rising: .takingOff
        case .flying: .flying
        case .sinking: .landing
        case .cut: .emergency
        }
    }

    // MARK: What happens

    /// A take-off was sent.
    package mutating func takeOffSent(now: MonotonicTime) {
        if !state.isAirborne { phase = .rising(since: now) }
    }

    /// A landing was sent; the drone is not taken to land where it stands.
    package mutating func landingSent(now: MonotonicTime) {
        guard state != .disarmed else { return }
        phase = .sinking(since: now)
        heightBefore = newest?.state.heightMetres
    }

    /// `emergency` was sent.
    package mutating func emergencySent(now: MonotonicTime) {
        if state != .disarmed { phase = .cut(since: now) }
    }

    /// The take-off has ended well.
    package mutating func tookOff() { phase = .flying }

    /// It stands with its motors off.
    package mutating func landed(now: MonotonicTime) {
        phase = .grounded(since: now)
        motorsRun = false
    }

    /// What was sent last has failed, or lost its effect: only the motors say what the drone does.
    package mutating func failed(now: MonotonicTime) {
        phase =
            switch motorsRun {
            case true?: .flying
            case false?: .grounded(since: now)
            case nil: .unknown
            }
    }

    /// The drone said that it lands by itself.
    package mutating func landsByItself(now: MonotonicTime) {
        if case .sinking = phase { return }
        phase = .sinking(since: now)
        heightBefore = nil
    }

    /// Nothing was heard for so long that the drone may have been switched off.
    package mutating func forget() { self = Self() }

    /// A state has arrived.
    package mutating func take(_ state: TelloState, at now: MonotonicTime) {
        newest = (state, now)
        if let count = state.motorSeconds { noteMotors(count, at: now) }
        settle(now: now)
    }

    private mutating func noteMotors(_ count: Int, at now: MonotonicTime) {
        guard let last = motorSeconds, count >= last.count else {
            // The first one, or of a drone that was switched off and on.
            motorSeconds = (count, now)
            motorsRun = nil
            return
        }
        if count > last.count {
            motorSeconds = (count, now)
            if case .grounded(let since) = phase, now - since < Self.lastSecond { return }
            motorsRun = true
        } else if now - last.since >= Self.motorsShow {
            motorsRun = false
        }
    }

    private mutating func settle(now: MonotonicTime) {
        switch (phase, motorsRun) {
        case (_, nil): break
        case (.unknown, let run?): phase = run ? .flying : .grounded(since: now)
        // Taken off by somebody else.
        case (.grounded, true?): phase = .flying
        case (.grounded, false?): break
        case (.rising(let since), true?): if now - since > Self.longestTakeOff { phase = .flying }
        case (.rising(let since), false?): if now - since > Self.takeOffBegins { phase = .grounded(since: now) }
        case (.flying, let run?): if !run { phase = .grounded(since: now) }
        case (.sinking(let since), true?): if now - since > Self.longestLanding { phase = .flying }
        case (.sinking(let since), false?), (.cut(let since), false?):
            // The count may have been the same for long when it was sent.
            if now - since >= Self.motorsShow { phase = .grounded(since: now) }
        case (.cut(let since), true?): if now - since > Self.lastSecond + Self.motorsShow { phase = .flying }
        }
    }

    // MARK: What shows that a command is obeyed

    /// Since when it stands; `nil` if it does not.
    package var groundedSince: MonotonicTime? { if case .grounded(let since) = phase { since } else { nil } }

    /// Whether the drone can be on the ground: its range finder, or the barometer, shows no height, or the state is not of now.
    package func mayStand(now: MonotonicTime) -> Bool {
        guard let newest, now - newest.at < Self.motorsShow, let height = newest.state.heightMetres else { return true }
        return height <= Self.standingMetres || motorsRun == false
    }

    /// Whether the state says if the motors run, so that nothing has to be concluded from a missing answer.
    package var isConfirmedByMotors: Bool { motorsRun != nil }

    /// Whether the motors have come on since the take-off was sent, which no answer says.
    package var showsTakeOff: Bool { if case .rising = phase { motorsRun == true } else { false } }

    /// Whether the drone has come down since the landing was sent, and still does.
    package var showsLanding: Bool {
        guard case .sinking = phase, let heightBefore, let state = newest?.state, let height = state.heightMetres else {
            return false
        }
        return heightBefore - height >= Self.landingShowsMetres && (state.speedZ ?? 0) > 0
    }
}
