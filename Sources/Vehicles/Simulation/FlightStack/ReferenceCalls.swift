internal import FlightVolume
internal import Geodesy
public import UAVLink

extension HexacopterSimulator {
    /// The reference in the control frame.
    func resolved(_ place: PlaceReference) -> Trajectory.Point? {
        frames.resolve(
            place.position, headingRadians: place.headingRadians, frame: place.frame, body: airborneBody)
    }

    /// Metres: farther references are refused, with or without a safety area; beyond the size of the earth the
    /// arithmetic would lose the precision that the tracker needs.
    static var reach: Double { 1e7 }
    /// m/s: far above the limits of every constraint set.
    static var fastest: Double { 1000 }

    /// Whether the position is allowed.
    func isAllowed(_ position: Vector3) -> Bool {
        guard abs(position.x) <= Self.reach, abs(position.y) <= Self.reach, abs(position.z) <= Self.reach else {
            return false
        }
        guard let safety, safety.isEnabled else { return true }
        return safety.contains(position) && position.z <= stack.ceiling
    }

    mutating func go(to place: PlaceReference) -> ServiceAnswer {
        guard stack.callbacksEnabled else { return .no(Refusal.callbacksDisabled) }
        guard place.isFinite else { return .no(Refusal.notFinite) }
        guard let point = resolved(place) else { return .no(Refusal.unknownFrame) }
        guard isAllowed(point.position) else { return .no(Refusal.outside) }
        guard stack.phase == .flying else {
            return .no(Refusal.trackerLacks("setReference", tracker: stack.trackerName))
        }
        let now = seconds
        tracker?.go(to: point, now: now)
        return .yes("reference set")
    }

    /// References relative to the tracker's own.
    mutating func goFromReference(_ request: ServiceCall) -> ServiceAnswer {
        guard let now = tracker else { return .no(Refusal.notFlying) }
        var (position, heading) = (now.position, now.headingRadians)
        switch request {
        case .goToRelative(let by, let turn):
            position = position + by
            heading += turn
        case .goToAltitude(let metres): position.z = metres
        case .setHeading(let radians): heading = radians
        case .setHeadingRelative(let radians): heading += radians
        default: return .no(Refusal.notImplemented)
        }
        return go(to: PlaceReference(position: position, headingRadians: heading))
    }

    /// Applies a velocity reference as received by topic, valid for `validSeconds` simulated seconds (at most the
    /// tracker's 0.5).
    @discardableResult
    public mutating func steer(_ reference: VelocityReference, validSeconds: Double) -> ServiceAnswer {
        guard isReady else { return .failed }
        return fly(reference, validSeconds: validSeconds)
    }

    mutating func fly(
        _ reference: VelocityReference, validSeconds: Double = Tracker.Timing.velocityTimeout
    ) -> ServiceAnswer {
        guard stack.callbacksEnabled else { return .no(Refusal.callbacksDisabled) }
        guard reference.isFinite else { return .no(Refusal.notFinite) }
        guard
            let velocity = frames.resolve(
                velocity: bounded(reference.velocity), frame: reference.frame, attitude: body.attitude)
        else { return .no(Refusal.unknownFrame) }
        guard stack.phase == .flying else {
            return .no(Refusal.trackerLacks("setVelocityReference", tracker: stack.trackerName))
        }
        var resolved = reference
        resolved.velocity = velocity
        let place = Vector3(x: 0, y: 0, z: reference.altitudeMetres ?? 0)
        guard
            let at = frames.resolve(
                place, headingRadians: reference.headingRadians ?? 0, frame: reference.frame, body: airborneBody)
        else { return .no(Refusal.unknownFrame) }
        if reference.altitudeMetres != nil { resolved.altitudeMetres = at.position.z }
        if reference.headingRadians != nil { resolved.headingRadians = at.headingRadians }
        let now = seconds
        tracker?.fly(resolved, now: now, validSeconds: validSeconds)
        return .yes("reference set")
    }

    private func bounded(_ v: Vector3) -> Vector3 {
        func cut(_ x: Double) -> Double { min(max(x, -Self.fastest), Self.fastest) }
        return Vector3(x: cut(v.x), y: cut(v.y), z: cut(v.z))
    }

    func validate(_ place: PlaceReference) -> ServiceAnswer {
        guard place.isFinite else { return .no(Refusal.notFinite) }
        guard let point = resolved(place) else { return .no(Refusal.unknownFrame) }
        guard isAllowed(point.position) else {
            return .no("the reference is outside of the safety area")
        }
        return .yes("the reference is valid")
    }

    /// `control_manager/transform_reference`: a reference in another frame; `nil` for an unknown frame.
    public func transform(_ place: PlaceReference, to frame: FrameName) -> PlaceReference? {
        guard isReady, place.isFinite, let here = resolved(place),
            let there = frames.express(here, in: frame, body: airborneBody)
        else { return nil }
        return PlaceReference(frame: frame, position: there.position, headingRadians: there.headingRadians)
    }

    /// The loaded trajectory as the tracker has it, metres in the control frame.
    public var loadedTrajectory: [Trajectory.Point]? { tracker?.trajectory?.points }

    /// A hash that two trajectories share only if every bit of every sample is the same (FNV-1a, 64 bits).
    public static func fingerprint(of points: [Trajectory.Point]) -> UInt64 {
        var sum: UInt64 = 0xCBF2_9CE4_8422_2325
        for point in points {
            for number in [point.position.x, point.position.y, point.position.z, point.headingRadians] {
                sum = (sum ^ number.bitPattern) &* 0x100_0000_01B3
            }
        }
        return sum
    }

    /// The minimum height allowed, metres in the control frame.
    public var minimumZMetres: Double? { safety?.minimumZMetres }
}
