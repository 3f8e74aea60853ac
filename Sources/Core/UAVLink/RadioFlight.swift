/// Whether a pilot flies the vehicle by radio, as far as telemetry shows.
package enum RadioFlight: Hashable, Sendable {
    /// It is disarmed, flown by its flight stack in offboard mode, or stands on the ground.
    case no
    /// It is armed, not in offboard mode, and nothing shows it on the ground.
    case possible
    /// It is in the air, and not in offboard mode or not flown by a tracker of its flight stack.
    case certain
}

extension Telemetry {
    /// Whether a pilot flies the vehicle by radio, as far as this shows.
    package func radioFlight(now: MonotonicTime) -> RadioFlight {
        isFlownByRadio(now: now) ? .certain : mayBeFlownByRadio(now: now) ? .possible : .no
    }

    /// Whether height or speed show that the vehicle is in the air; `nil` if they do not show where it is.
    ///
    /// A low speed alone shows nothing: a vehicle that hovers has none.
    package func showsFlight(now: MonotonicTime) -> Bool? {
        func fresh<Value>(_ sample: Sample<Value>?) -> Value? {
            sample.flatMap { $0.age(now: now) < .seconds(2) ? $0.value : nil }
        }
        let (height, speed) = (fresh(heightAboveGroundMetres), fresh(velocityMetresPerSecond)?.length)
        // A sensor on a landed vehicle measures up to half a metre; an estimate on the ground drifts less than half a metre per second.
        if let speed, speed > 1 { return true }
        return height.map { $0 > 1 }
    }

    /// Whether the vehicle stands on the ground, when its flight status was received: it is disarmed, or armed and nothing shows it in
    /// the air. The state alone does not say so: a vehicle that is flown by radio is armed.
    package var standsOnGround: Bool {
        guard let flight else { return false }
        switch flight.value.state {
        case .disarmed: return true
        case .armed: return showsFlight(now: flight.at) != true
        case .unknown, .takingOff, .flying, .landing, .emergency: return false
        }
    }

    /// Whether the vehicle was flown by radio when its flight status was received; see ``isFlownByRadio(now:)``.
    package var wasFlownByRadio: Bool { flight.map { isFlownByRadio(now: $0.at) } ?? false }

    /// Whether the vehicle is in the air and not in offboard mode, or no tracker of its flight stack is active: a pilot flies it by radio.
    ///
    /// Without a tracker it is that also if telemetry says offboard mode: some autopilots report their mode once a second only.
    package func isFlownByRadio(now: MonotonicTime) -> Bool {
        guard let status = flight?.value, status.state == .armed || status.isArmed && !status.isOffboard else {
            return false
        }
        return showsFlight(now: now) == true
    }

    /// Whether the vehicle is armed, not in offboard mode, and nothing shows it on the ground: a pilot may fly it by radio.
    package func mayBeFlownByRadio(now: MonotonicTime) -> Bool {
        guard let status = flight?.value, status.isArmed, !status.isOffboard else { return false }
        return showsFlight(now: now) != false
    }
}
