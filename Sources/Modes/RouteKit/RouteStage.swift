package import RouteFlight
internal import UAVLink

/// The stage of a trajectory.
package enum RouteStage: String, Hashable, Sendable {
    /// There is no trajectory.
    case nothing = "no trajectory"
    /// It is being planned.
    case planning = "planning"
    /// It was planned and passed the checks.
    case ready = "ready to send"
    /// It was planned and passed the checks, and there is no vehicle to send it to.
    case checked = "checked, no vehicle"
    /// It was planned and passed the checks, and the vehicle takes it only in flight.
    case onGround = "checked; take off to send"
    /// The same where the vehicle does not take off, as after an emergency landing.
    case grounded = "checked; it cannot take off (e: why)"
    /// The same while the vehicle takes off or lands.
    case notInFlight = "checked; not in flight"
    /// The same while the vehicle takes no trajectory, as after an interrupted landing.
    case refused = "checked; not taken now (e: why)"
    /// The same while a pilot flies the vehicle by radio.
    case byRadio = "checked; flown by radio"
    /// The same while the vehicle is in an emergency.
    case inEmergency = "checked; in an emergency"
    /// The same while no command reaches the vehicle.
    case linkLost = "checked; link lost"
    /// The same while another pilot has control of the vehicle.
    case byOther = "checked; another pilot has control"
    /// The same of a vehicle that does not fly.
    case notFlyingByOther = "checked; another pilot has control; not in flight"
    /// It was planned, but a check failed.
    case failed = "a check failed"
    /// It is being sent to the vehicle.
    case sending = "sending"
    /// The vehicle has it.
    case sent = "on the vehicle"
    /// The vehicle flies to its first point.
    case toStart = "flying to the start"
    /// The vehicle follows it.
    case flying = "flying the trajectory"
    /// It was stopped.
    case stopped = "stopped"
    /// It was flown to its end.
    case flown = "flown"
    /// The vehicle came to the end of a trajectory, but did not fly along this one.
    case astray = "flown, but not along it"
    /// The vehicle has it, and its check fails: it was sent by force, or in another world or with more charge.
    case sentFailing = "on the vehicle; a check fails"
    /// The same of one that was stopped.
    case stoppedFailing = "stopped; a check fails"
    /// The same of one that was flown to its end.
    case flownFailing = "flown; a check fails"
}

extension RouteStage {
    /// The stage of the plan of a route.
    ///
    /// - Parameters:
    ///   - hasRoute: whether the route has at least two points.
    ///   - isCurrent: whether the plan is of the route as it is now, checked for the selected vehicle.
    ///   - isOK: whether it passed the checks; `nil` when there is no plan.
    package init(hasRoute: Bool, isCurrent: Bool, isOK: Bool?) {
        if hasRoute, !isCurrent {
            self = .planning
        } else {
            self = isOK.map { $0 ? .ready : .failed } ?? .nothing
        }
    }

    /// The stage in words where something was not checked; `nil` for a stage that says nothing about the checks.
    ///
    /// - Parameter exceptions: what was not checked or is in doubt.
    package func words(except exceptions: String) -> String? {
        if self == .ready { return "ready to send, except: \(exceptions)" }
        return missing.map { "ready, except: \(exceptions); \($0)" }
    }

    /// What is missing, of a stage that says what the vehicle would refuse; `nil` for the others.
    package var missing: String? {
        switch self {
        case .checked: "no vehicle"
        case .onGround: "take off to send"
        case .grounded: "it cannot take off (e: why)"
        case .notInFlight: "not in flight"
        case .refused: "not taken now (e: why)"
        case .byRadio: "flown by radio"
        case .inEmergency: "in an emergency"
        case .linkLost: "link lost"
        case .byOther: "another pilot has control"
        case .notFlyingByOther: "another pilot has control; not in flight"
        case .nothing, .planning, .ready, .failed, .sending, .sent, .toStart, .flying, .stopped, .flown, .astray: nil
        case .sentFailing, .stoppedFailing, .flownFailing: nil
        }
    }

    /// The stage of what the vehicle does with a route.
    ///
    /// - Parameters:
    ///   - plan: the stage of the plan of the edited route.
    ///   - isAstray: whether the vehicle flew along another trajectory than the one that it was believed to hold.
    ///   - isFailing: whether a check of what the vehicle holds fails, now or when it was sent by force.
    package init(_ state: RouteFlightState, plan: RouteStage, isAstray: Bool = false, isFailing: Bool = false) {
        // The findings that are shown are those of the edited route.
        let isFailing = isFailing && plan == .failed && state.held?.isOlder == false
        self =
            switch state {
            case .nothingSent, .failed: plan
            case .uploading: .sending
            case .uploaded(let held, _): held.isOlder ? plan : isFailing ? .sentFailing : .sent
            case .goingToStart: .toStart
            // An accepted start is shown as a flight as soon as the vehicle follows the trajectory.
            case .flying(_, _, let isUnderWay): isUnderWay ? .flying : .sent
            case .stopped: isFailing ? .stoppedFailing : .stopped
            case .flown(let held, _): held.isOlder ? plan : isAstray ? .astray : isFailing ? .flownFailing : .flown
            }
    }

    /// The stage of a plan that passed the checks, where the vehicle may refuse it.
    ///
    /// - Parameters:
    ///   - refusal: why it would.
    ///   - takesOff: whether it may take off, where it stands.
    ///   - isControlledByOther: whether another pilot has control of it.
    init(readyUnless refusal: TrajectoryFlightFailure?, takesOff: Bool, isControlledByOther: Bool) {
        self =
            switch refusal {
            case .linkLost: .linkLost
            case .notFlying(.emergency): .inEmergency
            case .notFlying where isControlledByOther: .notFlyingByOther
            case _ where isControlledByOther: .byOther
            case .flownByRadio: .byRadio
            case .takesNone: .refused
            case .notFlying(.disarmed), .notFlying(.armed): takesOff ? .onGround : .grounded
            case .notFlying: .notInFlight
            default: .ready
            }
    }
}
