package import UAVLink

/// What the drone is doing, from its navigation data.
package struct ARDroneFlight: Hashable, Sendable {
    /// The newest state bits; `nil` before the first.
    package private(set) var status: ARDroneStatus?
    /// The newest control state.
    package private(set) var control: ARDroneControlState?
    /// When it came.
    package private(set) var heardAt: MonotonicTime?
    /// Since when the emergency bit is set.
    package private(set) var emergencySince: MonotonicTime?
    /// Whether it was in this emergency already when it was heard for the first time: how long it had been is not known.
    package private(set) var isFoundInEmergency = false

    /// Nothing was heard.
    package init() {}

    /// Navigation data has come.
    package mutating func take(_ navdata: Navdata, now: MonotonicTime) {
        if status == nil, navdata.status.contains(.emergency) { isFoundInEmergency = true }
        (status, heardAt) = (navdata.status, now)
        // During the bootstrap only the bits are of now: what was shown before may be of another flight.
        if let demo = navdata.demo {
            control = demo.control
        } else if navdata.status.contains(.bootstrap) {
            control = nil
        }
        if !navdata.status.contains(.emergency) {
            (emergencySince, isFoundInEmergency) = (nil, false)
        } else if emergencySince == nil {
            emergencySince = now
        }
    }

    /// Whether something was heard within a time.
    package func isHeard(within time: Duration = ARDroneTimes.fresh, now: MonotonicTime) -> Bool {
        heardAt.map { now - $0 < time } ?? false
    }

    /// Whether it shows that the motors are cut.
    package var isEmergency: Bool { status?.contains(.emergency) ?? false }

    /// Whether it lies with its motors cut, as far as its state shows: it does not count as flying, and it was either cut long enough
    /// ago to have fallen, or before it was heard: then not by this program, which may have been started only to clear it.
    package func liesInEmergency(now: MonotonicTime) -> Bool {
        guard let emergencySince, status?.contains(.flying) == false else { return false }
        return isFoundInEmergency || now - emergencySince >= ARDroneTimes.lying
    }

    /// The state in UAVLink's words.
    package var state: FlightState {
        guard let status else { return .unknown }
        if status.contains(.emergency) { return .emergency }
        switch control?.state {
        case .takingOff?: return .takingOff
        case .landing?: return .landing
        case .landed?, .initialising?: return status.contains(.flying) ? .flying : .disarmed
        case .flying?, .hovering?, .testing?, .goingToFix?, .looping?: return .flying
        case .byDefault?, nil: return status.contains(.flying) ? .flying : .disarmed
        }
    }
}
