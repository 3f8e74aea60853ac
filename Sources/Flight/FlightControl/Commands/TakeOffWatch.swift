internal import ReportKit
internal import UAVLink

/// Whether an accepted take-off leads to a flight, as telemetry and the companion's count of stops show it.
///
/// uav_core calls a vehicle whose take-off a hover ended flying, also on the ground: it has to have risen. One that a stop ended within
/// the first tenth of a second stays in the take-off for ever, so that the stop itself counts.
struct TakeOffWatch {
    /// How it ended.
    enum Ending: Hashable {
        case flying
        /// And why.
        case failed(String)
    }

    private enum Interruption {
        case none
        /// There was one, and it is not known yet whose.
        case unclear
        case certain(String)
    }

    private let machine: VehicleCapabilities
    private let begun: MonotonicTime
    private var stops: StopCount
    private var hasControl: Bool
    /// When a stop of another was seen.
    private var stoppedAt: MonotonicTime?
    private var hasLeft = false
    private var ended = Lasting(Self.stateSettling)
    private var low = Lasting(Self.stateSettling)
    /// The lowest height while it was not flying, metres above ground, and z in a frame.
    private var stoodHeightMetres: Double?
    private var stood: Pose?

    /// A take-off that was ended shows for longer than the states between two trackers.
    private static let stateSettling: Duration = .milliseconds(500)
    /// How far a vehicle that flies has risen at least, metres: uav_core takes none off to less than 0.5 m, and a take-off ends up to
    /// 0.2 m below its height.
    static let leastRiseMetres = 0.3
    /// A height that was measured longer ago does not show where the vehicle is.
    private static let longestAge: Duration = .seconds(2)
    /// The control status follows a stop at once, and five times a second: without one it is not known who gave it.
    private static let statusDelay: Duration = .seconds(1)

    /// - Parameters:
    ///   - machine: what takes off.
    ///   - begun: when the take-off was accepted.
    ///   - knownStops: how many stops were known when it was given.
    ///   - telemetry: the newest at that time.
    init(of machine: VehicleCapabilities, begun: MonotonicTime, knownStops: UInt64?, from telemetry: Telemetry?) {
        self.machine = machine
        self.begun = begun
        stops = StopCount(after: knownStops)
        hasControl = telemetry?.control?.value.isYours ?? false
        if let telemetry, telemetry.flight?.value.state != .flying { noteGround(telemetry) }
    }

    /// Takes the newest telemetry.
    ///
    /// - Parameter knownStops: how many stops are known by now.
    /// - Returns: how it ended; `nil` while it goes on.
    mutating func ending(_ telemetry: Telemetry, knownStops: UInt64?, now: MonotonicTime) -> Ending? {
        switch interruption(telemetry, knownStops: knownStops, now: now) {
        case .none: break
        case .unclear: return nil
        case .certain(let why): return .failed(why)
        }
        guard let status = telemetry.flight, status.at > begun else { return nil }
        let state = status.value.state
        guard state != .flying else { return flying(telemetry, now: now) }
        noteGround(telemetry)
        _ = low.lasts(false, measured: now, now: now)
        if state == .takingOff { hasLeft = true }
        let isEnded = hasLeft && state != .takingOff
        let measured = telemetry.newestFlightSource ?? status.at
        guard ended.lasts(isEnded, measured: measured, now: now) else { return nil }
        return .failed("the take-off ended: \(EffectWait.summary(telemetry, of: machine))")
    }

    private mutating func flying(_ telemetry: Telemetry, now: MonotonicTime) -> Ending? {
        _ = ended.lasts(false, measured: now, now: now)
        guard let rise = rise(telemetry, now: now), rise.value < Self.leastRiseMetres else { return .flying }
        // Height and state come on topics of their own.
        guard low.lasts(true, measured: rise.at, now: now) else { return nil }
        return .failed("not taken off: interrupted\(Self.place(telemetry))")
    }

    private mutating func noteGround(_ telemetry: Telemetry) {
        if let height = telemetry.heightAboveGroundMetres?.value {
            stoodHeightMetres = min(stoodHeightMetres ?? height, height)
        }
        guard let pose = telemetry.pose?.value else { return }
        guard let stood, stood.frame == pose.frame, stood.positionMetres.z <= pose.positionMetres.z else {
            return self.stood = pose
        }
    }

    /// How far it has risen, metres; `nil` if that is not known.
    private func rise(_ telemetry: Telemetry, now: MonotonicTime) -> Sample<Double>? {
        if let height = telemetry.heightAboveGroundMetres, height.age(now: now) < Self.longestAge {
            return Sample(height.value - (stoodHeightMetres ?? 0), at: height.at)
        }
        guard let pose = telemetry.pose, pose.age(now: now) < Self.longestAge, let stood,
            stood.frame == pose.value.frame
        else { return nil }
        return Sample(pose.value.positionMetres.z - stood.positionMetres.z, at: pose.at)
    }

    private mutating func interruption(
        _ telemetry: Telemetry, knownStops: UInt64?, now: MonotonicTime
    ) -> Interruption {
        guard stops.isExceeded(by: knownStops) else {
            stoppedAt = nil
            // Released meanwhile, it may be granted again.
            if telemetry.control?.value.isYours == false { hasControl = false }
            return .none
        }
        let since = stoppedAt ?? now
        stoppedAt = since
        let control = telemetry.control.flatMap { $0.at > since ? $0.value : nil }
        guard control != nil || now - since >= Self.statusDelay else { return .unclear }
        guard let pilot = control?.pilot else {
            return .certain("not taken off: interrupted by a stop of another ground\(Self.place(telemetry))")
        }
        guard pilot.isYou else {
            let name = pilot.name.sanitizedLine
            return .certain("no longer waited for: \(name) has control authority\(Self.place(telemetry))")
        }
        guard !hasControl else {
            return .certain("not taken off: interrupted by a stop of another ground\(Self.place(telemetry))")
        }
        // Granted to this ground meanwhile.
        hasControl = true
        stops.expectOne()
        stoppedAt = nil
        return .none
    }

    /// ` at 0.2 m`
    private static func place(_ telemetry: Telemetry) -> String {
        let height = telemetry.heightAboveGroundMetres?.value ?? telemetry.pose?.value.positionMetres.z
        return height.map { " at \($0.formatted(decimals: 1)) m" } ?? ""
    }
}
