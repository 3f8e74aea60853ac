internal import ReportKit
package import UAVLink

/// Whether the vehicle flies, as far as its telemetry shows.
package enum FlightCondition: Hashable, Sendable {
    /// It is on the ground with its motors off.
    case onGround
    /// It is on the ground with its motors on.
    case armed
    /// It is armed and not in offboard mode, and no height shows it on the ground.
    case mayBeFlownByRadio
    /// It is off the ground, in this state; unknown if only its height or speed shows that.
    case airborne(FlightState)
    /// It is off the ground, and a pilot flies it by radio.
    case flownByRadio
    /// It is not known, for this reason.
    case unknown(String)

    /// What was received longer ago than this does not show what the vehicle does now. As for a take-off and for disarming.
    static let freshness: Duration = .seconds(2)

    /// The condition by the newest telemetry.
    package init(_ telemetry: Telemetry, now: MonotonicTime) {
        guard let flight = telemetry.flight else {
            // Height or speed alone also show a flight.
            self =
                telemetry.showsFlight(now: now) == true ? .airborne(.unknown) : .unknown("its flight stack is silent")
            return
        }
        guard flight.age(now: now) < Self.freshness else {
            let seconds = Int(saturating: flight.age(now: now).inSeconds)
            self = .unknown("its last flight status is \(seconds) s old: \(flight.value.state.word)")
            return
        }
        self.init(flight.value, in: telemetry, now: now)
    }

    private init(_ status: FlightStatus, in telemetry: Telemetry, now: MonotonicTime) {
        let shownInTheAir = telemetry.showsFlight(now: now) == true
        if status.state.isAirborne {
            self = .airborne(status.state)
        } else if telemetry.isFlownByRadio(now: now) {
            self = .flownByRadio
        } else if status.isArmed || status.state == .armed {
            if shownInTheAir {
                self = .airborne(status.state)
            } else {
                self = telemetry.mayBeFlownByRadio(now: now) ? .mayBeFlownByRadio : .armed
            }
        } else if status.state == .disarmed {
            // As on a stand, or where arming is not reported.
            self =
                shownInTheAir
                ? .unknown("its height or speed shows it in the air, though it is reported as disarmed") : .onGround
        } else {
            self = shownInTheAir ? .airborne(status.state) : .unknown("its flight stack reports no state")
        }
    }

    /// Whether more telemetry may show more: state, height and speed come on topics of their own.
    var isUncertain: Bool {
        switch self {
        case .mayBeFlownByRadio, .unknown, .airborne(.unknown): true
        case .onGround, .armed, .airborne, .flownByRadio: false
        }
    }
}

extension FlightCondition {
    /// What keeps a deployment from going on.
    struct Obstacle: Hashable, Sendable {
        /// What is the case, as a clause.
        var what: String
        /// What to do about it.
        var hint: String
        /// Whether `--force` overrides it: never for a vehicle that flies.
        var canBeForced: Bool
    }

    /// What keeps a deployment from going on; `nil` where the vehicle is known to be on the ground with its motors off.
    ///
    /// An unknown condition counts if a companion is ended: its pilot would lose the vehicle. Else nothing acts on the vehicle.
    ///
    /// - Parameter endsCompanion: whether the deployment ends the companion that runs.
    func obstacle(of vehicle: String, endsCompanion: Bool) -> Obstacle? {
        switch self {
        case .onGround: nil
        case .unknown(let why):
            endsCompanion
                ? Obstacle(
                    what: "whether \(vehicle) flies is not known (\(why))",
                    hint: "look at it: if it flies, land it by radio; if it stands, start its flight stack, "
                        + "or repeat the command with --force",
                    canBeForced: true) : nil
        case .armed:
            Obstacle(
                what: "\(vehicle) is armed",
                hint: "look at it; repeat the command when it stands and is disarmed, or with --force",
                canBeForced: true)
        case .mayBeFlownByRadio:
            Obstacle(
                what: "\(vehicle) is armed, is not in offboard mode, and no height shows it on the ground",
                hint: "look at it: if it flies, land it by radio; if it stands, repeat the command with --force",
                canBeForced: true)
        case .airborne(let state):
            Obstacle(
                what: state == .unknown ? "\(vehicle) is in the air" : "\(vehicle) flies (\(state.word))",
                hint: "repeat the command when it has landed", canBeForced: false)
        case .flownByRadio:
            Obstacle(
                what: "\(vehicle) is in the air, flown by radio", hint: "repeat the command when it has landed",
                canBeForced: false)
        }
    }

    /// What is assumed where nothing keeps the deployment from going on; `nil` if nothing is.
    func assumption(of vehicle: String) -> String? {
        guard case .unknown(let why) = self else { return nil }
        return "whether \(vehicle) flies is not known (\(why)): assumed that it is on the ground"
    }
}
