internal import FlightControl
internal import ReportKit
internal import UAVLink

/// Formats a vehicle's telemetry as lines: "-" for unknown values, the age of values that are too old.
struct TelemetryFormatter {
    private let telemetry: Telemetry?
    private let now: MonotonicTime
    private let capabilities: VehicleCapabilities

    init(_ telemetry: Telemetry?, of capabilities: VehicleCapabilities = .mrs, now: MonotonicTime) {
        self.telemetry = telemetry
        self.capabilities = capabilities
        self.now = now
    }

    // MARK: Lines

    /// A line; its note is the age if that exceeds `limit`.
    private func line<Value>(
        _ label: String, _ sample: Sample<Value>?, within limit: Duration, _ words: (Value) -> String
    ) -> TelemetryLine {
        guard let sample else { return TelemetryLine(label, Figures.unknown, mark: .unknown) }
        let age = now - sample.at
        guard age > limit else { return TelemetryLine(label, words(sample.value).sanitizedLine) }
        return TelemetryLine(
            label, words(sample.value).sanitizedLine, note: Figures.age(age),
            mark: age > MaximumAge.silent ? .danger : .warning)
    }

    /// A line of a sensor that does not always measure: after a while without a value that it has none.
    private func reading<Value>(
        _ label: String, _ sample: Sample<Value>?, _ words: (Value) -> String
    ) -> TelemetryLine {
        guard let sample, now - sample.at > MaximumAge.reading else {
            return line(label, sample, within: MaximumAge.slow, words)
        }
        return TelemetryLine(label, Self.noData(for: now - sample.at), mark: .unknown)
    }

    /// `no data for 5 min`
    static func noData(for age: Duration) -> String { "no data for \(Figures.span(age))" }

    /// The lines of the parts that the vehicle reports.
    private func reported(_ lines: [(VehicleCapabilities.TelemetryParts, TelemetryLine)]) -> [TelemetryLine] {
        lines.filter { capabilities.telemetry.contains($0.0) }.map(\.1)
    }

    /// Position, heading, velocity, height.
    var motion: [TelemetryLine] {
        let pose = telemetry?.pose
        let velocity = telemetry?.velocityMetresPerSecond
        return reported([
            (
                .pose,
                line("Position", pose, within: MaximumAge.fast) { Figures.eastNorthUp($0.positionMetres, unit: "m") }
            ),
            (.pose, line("Frame", pose, within: MaximumAge.fast) { $0.frame.description }),
            (.gnss, line("Lat, lon", telemetry?.gnss, within: MaximumAge.slow, Figures.place)),
            (.pose, line("Heading", pose, within: MaximumAge.fast) { Figures.heading($0.headingRadians) }),
            (.velocity, line("Velocity", velocity, within: MaximumAge.fast, words(ofVelocity:))),
            (
                .velocity,
                line("Speed", velocity, within: MaximumAge.fast) { velocity in
                    let ground = Vector3(x: velocity.x, y: velocity.y, z: 0).length
                    return
                        "\(ground.formatted(decimals: 2)) m/s, climb \(velocity.z.formatted(decimals: 2)) m/s"
                }
            ),
            (
                .height,
                line("Height", telemetry?.heightAboveGroundMetres, within: MaximumAge.fast) {
                    "\(Figures.metres($0)) above ground"
                }
            ),
            (
                .range,
                reading("Range", telemetry?.rangeFinderMetres) { "\(Figures.metres($0)) by range finder" }
            ),
        ]) + attitude + readings
    }

    private func words(ofVelocity velocity: Vector3) -> String {
        guard capabilities.hasOwnVelocityAxes else { return Figures.eastNorthUp(velocity, unit: "m/s") }
        // Not "own axes" alone: they do not turn with it.
        return "X \(velocity.x.formatted(decimals: 2)) Y \(velocity.y.formatted(decimals: 2)) "
            + "U \(velocity.z.formatted(decimals: 2)) m/s from its start"
    }

    /// Only of a machine that says it.
    private var attitude: [TelemetryLine] {
        guard let attitude = telemetry?.attitude else { return [] }
        return [line("Attitude", attitude, within: MaximumAge.fast) { $0.text }]
    }

    /// Only of a machine that has some.
    private var readings: [TelemetryLine] {
        guard let readings = telemetry?.readings else { return [] }
        return readings.value.map { each in reading(each.title, Sample(each, at: readings.at)) { $0.text } }
    }

    /// Flight state, battery, satellites, tracker, estimator, a clock that is not the usual one, and what the vehicle does not
    /// report; preceded by rejected values, since then the values shown may be older than they look.
    func vehicle(batteryLeft: Duration?) -> [TelemetryLine] {
        rejected
            + reported([
                (.flight, flight),
                (.battery, battery(left: batteryLeft)),
                (.gnss, satellites),
                (
                    .tracker,
                    line("Tracker", telemetry?.tracker, within: MaximumAge.slow) { "\($0.tracker) / \($0.controller)" }
                ),
                (.tracker, line("Goal", telemetry?.tracker, within: MaximumAge.slow, Self.goal)),
                (
                    .estimator,
                    line("Estimator", telemetry?.estimator, within: MaximumAge.slow) { estimator in
                        guard let ceiling = estimator.ceilingMetres else { return estimator.name }
                        return "\(estimator.name), ceiling \(ceiling.formatted(decimals: 1)) m"
                    }
                ),
            ]) + stampClock + unreported
    }

    /// By which clock the vehicle stamps its messages, where ages cannot be counted from its stamps.
    private var stampClock: [TelemetryLine] {
        guard let clock = telemetry?.stampClock else { return [] }
        switch clock.kind {
        case .wall: return []
        case .simulated: return [TelemetryLine("Time", "simulated; ages from receipt")]
        case .differing:
            let offset = clock.offset ?? .zero
            let seconds = offset.inSeconds.magnitude.formatted(decimals: 1)
            return [
                TelemetryLine(
                    "Time", "stamps \(seconds) s \(offset < .zero ? "ahead" : "behind")", note: "CLOCKS DIFFER",
                    mark: .warning)
            ]
        }
    }

    /// Why lines and panels are left out: what the vehicle does not report, in lines short enough for the panel.
    private var unreported: [TelemetryLine] {
        var lines: [String] = []
        for word in capabilities.missing(VehicleRequirement(telemetry: .all)) {
            if let last = lines.last, last.count + word.count + 3 <= Self.lackCells {
                lines[lines.count - 1] = "\(last), \(word)"
            } else {
                lines.append(word)
            }
        }
        return lines.enumerated().map { index, words in
            TelemetryLine(index == 0 ? "Not sent" : "", index == lines.count - 1 ? words : words + ",")
        }
    }

    /// The text beside the label in the panel on a terminal of 80 columns.
    private static let lackCells = 33

    private var rejected: [TelemetryLine] {
        guard let telemetry, let newest = telemetry.rejected.newest, now - newest.at <= VehicleHistory.span else {
            return []
        }
        return [
            TelemetryLine(
                "Rejected", Self.rejected(telemetry.rejected.count, newest.value),
                note: Figures.age(now - newest.at), mark: .warning)
        ]
    }

    /// `3 values out of bounds, last: position`.
    static func rejected(_ count: UInt64, _ newest: TelemetryValue) -> String {
        "\(count) \(count == 1 ? "value" : "values") out of bounds, last: \(newest.word)"
    }

    private var flight: TelemetryLine {
        var line = line("State", telemetry?.flight, within: MaximumAge.slow) { flight in
            // What the state implies is left out: the line is narrow.
            let isUnderWay = flight.state == .takingOff || flight.state == .landing
            var words: [String] = flight.isArmed ? (isUnderWay ? [] : ["armed"]) : ["disarmed"]
            if flight.isOffboard { words.append("offboard") }
            if telemetry?.wasFlownByRadio == true { words.append("flown by radio") }
            if flight.isOutputEnabled { words.append("output") }
            // A disarmed one is not on its way; where it may be flown by radio, nothing is known to be missing.
            let missing = flight.state == .armed ? flight.missingToFly(of: capabilities) : []
            if !missing.isEmpty, telemetry?.radioFlight(now: now) == .no {
                words.append("no \(missing.joined(separator: "/"))")
            }
            switch (flight.state, flight.isFlyingNormally) {
            case (.flying, false): words.append("not normal")
            case (.flying, true), (_, false): break
            case (_, true): words.append("normal")
            }
            let state = Figures.state(flight.state)
            return "\(state): \(words.filter { $0 != state }.joined(separator: ", "))".withoutTrailingColon
        }
        if telemetry?.flight?.value.state == .emergency { line.mark = .danger }
        return line
    }

    private func battery(left: Duration?) -> TelemetryLine {
        var line = line("Battery", telemetry?.battery, within: MaximumAge.slow) { battery in
            var words = battery.voltageVolts.map { ["\($0.formatted(decimals: 1)) V"] } ?? []
            if let current = battery.currentAmperes { words.append("\(current.formatted(decimals: 1)) A") }
            if let share = battery.remaining { words.append("\((share * 100).formatted(decimals: 0)) %") }
            if let left { words.append(Figures.left(left)) }
            return words.joined(separator: ", ")
        }
        if let share = telemetry?.battery?.value.remaining, share < Self.lowBattery {
            line.mark = share < Self.emptyBattery ? .danger : .warning
            if line.note.isEmpty { line.note = share < Self.emptyBattery ? "EMPTY" : "low" }
        }
        return line
    }

    /// Remaining charge at which pilots turn back, and land.
    private static let lowBattery = 0.3
    private static let emptyBattery = 0.15

    private var satellites: TelemetryLine {
        var line = line("GNSS", telemetry?.gnss, within: MaximumAge.slow) { fix in
            var words = [Figures.fix(fix.quality)]
            if let accuracy = fix.horizontalAccuracyMetres { words.append("±\(accuracy.formatted(decimals: 2)) m") }
            words.append("\(fix.altitudeMetres.formatted(decimals: 1)) m AMSL")
            return words.joined(separator: ", ")
        }
        if telemetry?.gnss?.value.quality == GNSSFix.Quality.none, line.mark == .plain { line.mark = .warning }
        return line
    }

    private static func goal(_ tracker: TrackerStatus) -> String {
        if tracker.isTrackingTrajectory {
            return "trajectory, point \(tracker.trajectoryIndex) of \(tracker.trajectoryLength)"
        }
        if tracker.hasGoal { return "flying to it" }
        return tracker.takesReferences ? "none, accepts references" : "none, accepts no references"
    }

    // MARK: Messages

    /// The vehicle's messages, oldest first.
    var messages: [TelemetryLine] {
        (telemetry?.messages ?? []).map { message in
            let (word, mark): (String, TelemetrySeverity) =
                switch message.value.severity {
                case .information: ("info", .plain)
                case .warning: ("WARN", .warning)
                case .error: ("ERROR", .danger)
                }
            return TelemetryLine(
                word, message.value.text.sanitizedLine, note: Figures.span(now - message.at), mark: mark)
        }
    }

    // MARK: Trail

    /// The trail and the vehicle's heading.
    func trail(_ poses: [Sample<Pose>]) -> TelemetryTrail {
        TelemetryTrail(
            places: poses.map {
                TelemetryTrail.Place(east: $0.value.positionMetres.x, north: $0.value.positionMetres.y)
            },
            headingRadians: telemetry?.pose?.value.headingRadians)
    }
}

extension String {
    /// Shortens `disarmed: ` to `disarmed`.
    fileprivate var withoutTrailingColon: String { hasSuffix(": ") ? String(dropLast(2)) : self }
}
