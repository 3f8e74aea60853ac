package import ReportKit
package import UAVLink
package import VehicleAccess

/// Telemetry as text for users and as JSON for scripts.
package struct StatusReport: Sendable {
    private let telemetry: Telemetry
    private let link: LinkKind
    private let quality: LinkQuality
    private let now: MonotonicTime
    private let fallback: LinkFallback?
    private let rosMaster: String?
    private let rates: TopicRateReport
    /// The age of rates that are not of now; `nil` if they are.
    private let oldRatesAge: Duration?

    /// Creates a report of a vehicle's state at an instant.
    ///
    /// - Parameters:
    ///   - fallback: why a link without control authority is used that was not requested by name.
    ///   - rosMaster: the ROS master that a link without a companion reaches; `nil` if it is not known.
    ///   - profileRates: usual messages per second by topic, of the vehicle's profile.
    package init(
        _ telemetry: Telemetry, link: LinkKind, quality: LinkQuality, now: MonotonicTime, fallback: LinkFallback? = nil,
        rosMaster: String? = nil, profileRates: [String: Double] = [:]
    ) {
        self.rosMaster = rosMaster
        self.fallback = fallback
        let rates = TopicRateReport(telemetry.topicRates?.value ?? [], profile: profileRates)
        oldRatesAge = telemetry.topicRates.map { now - $0.at }.flatMap { $0 > MaximumAge.rates ? $0 : nil }
        self.rates = oldRatesAge.map { rates.silent(for: $0) } ?? rates
        self.telemetry = telemetry
        self.link = link
        self.quality = quality
        self.now = now
    }

    /// JSON for scripts; the keys are those of design.md, `null` for unknown values.
    ///
    /// - Parameter time: the present time of day, ISO 8601.
    package func json(at time: String) -> JSONValue {
        let position = telemetry.pose?.value.positionMetres
        let velocity = telemetry.velocityMetresPerSecond?.value
        return [
            "ok": true,
            "time": .string(time),
            "vehicle": .string(telemetry.vehicle),
            "link": .string(link.rawValue),
            "ros_master": JSONValue(rosMaster),
            "connected": .bool(quality.isConnected),
            "position_m": vector(position),
            "frame": JSONValue(telemetry.pose?.value.frame.name),
            "heading_rad": JSONValue(telemetry.pose?.value.headingRadians),
            "velocity_m_s": vector(velocity),
            "height_agl_m": JSONValue(telemetry.heightAboveGroundMetres?.value),
            "range_finder_m": JSONValue(telemetry.rangeFinderMetres?.value),
            "battery": battery,
            "gnss": gnss,
            "flight_state": .string(telemetry.flight?.value.state.word ?? FlightState.unknown.word),
            "armed": JSONValue(telemetry.flight?.value.isArmed),
            "offboard": JSONValue(telemetry.flight?.value.isOffboard),
            "flown_by_radio": JSONValue(telemetry.flight.map { _ in telemetry.wasFlownByRadio }),
            "output_enabled": JSONValue(telemetry.flight?.value.isOutputEnabled),
            "tracker": JSONValue(telemetry.tracker?.value.tracker),
            "controller": JSONValue(telemetry.tracker?.value.controller),
            "has_goal": JSONValue(telemetry.tracker?.value.hasGoal),
            "estimator": JSONValue(telemetry.estimator?.value.name),
            "pilot": JSONValue(telemetry.control?.value.pilot?.name),
            "in_command": JSONValue(telemetry.control?.value.isYours),
            "age_ms": JSONValue(telemetry.newest.map { (now - $0).inMilliseconds }),
            "ages_ms": ages,
            "age_from": .string(link.ageOrigin.rawValue),
            "stamps": stamps,
            "round_trip_ms": JSONValue(quality.roundTripMedian?.inMilliseconds),
            "companion_version": JSONValue(quality.companionVersion.flatMap { $0.isEmpty ? nil : $0 }),
            "warnings": .array(warnings.map { .string($0) }),
            "readings": .array((telemetry.readings?.value ?? []).map(\.json)),
            "topic_rates": topicRates,
            "rejected_values": rejected,
            "messages": .array(telemetry.messages.map { .string($0.value.text) }),
        ]
    }

    private var warnings: [String] {
        [fallback?.warning, quality.versionWarning, quality.telemetryFault?.description, silence, stampWarning]
            .compactMap(\.self)
    }

    private var silence: String? { StatusSilence.warning(telemetry, over: link, now: now) }

    /// The warning about a vehicle that stamps its messages by another clock than the one of the computer that receives them.
    private var stampWarning: String? {
        guard let clock = telemetry.stampClock, clock.kind == .differing, let offset = clock.offset else { return nil }
        let receiver = link.ageOrigin == .receiptOnBoard ? "the companion's computer" : "this computer"
        return "the vehicle's stamps are \(Self.seconds(offset)) the clock of \(receiver); ages do not count from them"
    }

    /// `3.2 s behind`, `0.4 s ahead of`.
    private static func seconds(_ offset: Duration) -> String {
        "\(offset.inSeconds.magnitude.formatted(decimals: 1)) s \(offset < .zero ? "ahead of" : "behind")"
    }

    private var stamps: JSONValue {
        guard let clock = telemetry.stampClock else { return nil }
        return ["clock": .string(clock.kind.word), "behind_ms": JSONValue(clock.offset?.inMilliseconds)]
    }

    /// From where ages count, in words.
    private var agesText: String {
        let simulated = telemetry.stampClock?.kind == .simulated ? "; the vehicle runs on simulated time" : ""
        return "counted from \(link.ageOrigin.text)\(simulated)"
    }

    private var battery: JSONValue {
        guard let battery = telemetry.battery?.value else { return nil }
        return [
            "voltage_v": JSONValue(battery.voltageVolts),
            "current_a": JSONValue(battery.currentAmperes),
            "remaining": JSONValue(battery.remaining),
        ]
    }

    private var gnss: JSONValue {
        guard let fix = telemetry.gnss?.value else { return nil }
        return [
            "quality": .string(Self.word(fix.quality)),
            "latitude_deg": .number(fix.latitudeDegrees),
            "longitude_deg": .number(fix.longitudeDegrees),
            "altitude_m": .number(fix.altitudeMetres),
            "horizontal_accuracy_m": JSONValue(fix.horizontalAccuracyMetres),
        ]
    }

    private var topicRates: JSONValue {
        guard telemetry.topicRates != nil else { return nil }
        return .array(
            rates.rates.map { rate -> JSONValue in
                let source: String? = rate.expectedHertz.map { _ in rate.isFromProfile ? "profile" : "vehicle" }
                return [
                    "topic": .string(rate.name), "measured_hz": .number(rate.measuredHertz),
                    "expected_hz": JSONValue(rate.expectedHertz), "slow": .bool(rate.isSlow),
                    "condition": .string(rate.condition.word),
                    "expected_from": JSONValue(source),
                ]
            })
    }

    private var rejected: JSONValue {
        guard let newest = telemetry.rejected.newest else { return nil }
        return [
            "count": .number(Double(telemetry.rejected.count)),
            "newest": .string(newest.value.word),
            "newest_age_ms": .number((now - newest.at).inMilliseconds),
        ]
    }

    private var ages: JSONValue {
        let parts: [(String, MonotonicTime?)] = [
            ("pose", telemetry.pose?.at), ("velocity", telemetry.velocityMetresPerSecond?.at),
            ("height_agl", telemetry.heightAboveGroundMetres?.at), ("battery", telemetry.battery?.at),
            ("gnss", telemetry.gnss?.at), ("flight", telemetry.flight?.at), ("tracker", telemetry.tracker?.at),
            ("estimator", telemetry.estimator?.at), ("range_finder", telemetry.rangeFinderMetres?.at),
            ("topic_rates", telemetry.topicRates?.at), ("readings", telemetry.readings?.at),
        ]
        return .object(parts.map { name, at in .init(name, JSONValue(at.map { (now - $0).inMilliseconds })) })
    }

    private func vector(_ vector: Vector3?) -> JSONValue {
        guard let vector else { return nil }
        return [.number(vector.x), .number(vector.y), .number(vector.z)]
    }

    /// Whether telemetry comes: what round trips took before it ended is not of now.
    private var isHeard: Bool { telemetry.newest.map { now - $0 < MaximumAge.reading } ?? false }

    /// Text for users: one line per subject; unknown values are left out.
    package var lines: [String] {
        var lines = ["\(telemetry.vehicle.sanitizedLine) over \(link.rawValue)"]
        if let rosMaster { lines[0] += " to the ROS master \(rosMaster.sanitizedLine)" }
        if !quality.isConnected, telemetry.newest != nil {
            // What was measured before says nothing about the link now.
            lines[0] += ", link lost"
        } else if let trip = quality.roundTripMedian, isHeard || quality.hasRoundTrip(since: now - MaximumAge.reading) {
            lines[0] += ", round trip \(trip.inMilliseconds.formatted(decimals: 1)) ms"
        }
        if let fault = quality.telemetryFault?.description ?? silence { lines.append("  telemetry  \(fault)") }
        if let flight = telemetry.flight {
            var words = [flight.value.state.word.replacingUnderscores]
            words.append(flight.value.isArmed ? "armed" : "disarmed")
            if flight.value.isOffboard { words.append("offboard") }
            if telemetry.wasFlownByRadio { words.append("flown by radio") }
            add("state", unique(words).joined(separator: ", "), flight.at, to: &lines)
        }
        if let pose = telemetry.pose {
            let p = pose.value.positionMetres
            let heading = Heading.degrees(radians: pose.value.headingRadians).formatted(decimals: 1)
            add(
                "position", "\(metres(p)) m, heading \(heading) deg in \(pose.value.frame.description.sanitizedLine)",
                pose.at,
                to: &lines)
        }
        if let velocity = telemetry.velocityMetresPerSecond {
            add("velocity", "\(metres(velocity.value)) m/s", velocity.at, to: &lines)
        }
        if let height = telemetry.heightAboveGroundMetres {
            add("height", "\(height.value.formatted(decimals: 2)) m above ground", height.at, to: &lines)
        }
        if let range = telemetry.rangeFinderMetres {
            addReading("range", "\(range.value.formatted(decimals: 2)) m", range.at, to: &lines)
        }
        if let attitude = telemetry.attitude { add("attitude", attitude.value.text, attitude.at, to: &lines) }
        for reading in telemetry.readings?.value ?? [] {
            addReading(reading.name, reading.text, telemetry.readings?.at ?? now, to: &lines)
        }
        addInstruments(to: &lines)
        if oldRatesAge == nil, let at = telemetry.topicRates?.at {
            for rate in rates.faults {
                add(rate.condition.word, TopicRateReport.text(rate), at, to: &lines)
            }
            if !rates.summary.isEmpty { add("topics", rates.summary, at, to: &lines) }
        }
        if let warning = stampWarning { lines.append("  clocks     \(warning)") }
        lines.append("  ages       \(agesText)")
        if let newest = telemetry.rejected.newest {
            add("rejected", TelemetryFormatter.rejected(telemetry.rejected.count, newest.value), newest.at, to: &lines)
        }
        for message in telemetry.messages {
            add("message", message.value.text.sanitizedLine, message.at, to: &lines)
        }
        return lines
    }

    private func addInstruments(to lines: inout [String]) {
        if let battery = telemetry.battery {
            var words = battery.value.voltageVolts.map { ["\($0.formatted(decimals: 2)) V"] } ?? []
            if let current = battery.value.currentAmperes { words.append("\(current.formatted(decimals: 1)) A") }
            if let remaining = battery.value.remaining {
                words.append("\((remaining * 100).formatted(decimals: 0)) % left")
            }
            add("battery", words.joined(separator: ", "), battery.at, to: &lines)
        }
        if let gnss = telemetry.gnss {
            let fix = gnss.value
            let place = "\(fix.latitudeDegrees.formatted(decimals: 7)), \(fix.longitudeDegrees.formatted(decimals: 7))"
            add(
                "gnss", "\(place), \(fix.altitudeMetres.formatted(decimals: 1)) m AMSL, \(Self.word(fix.quality))",
                gnss.at,
                to: &lines)
        }
        if let tracker = telemetry.tracker {
            let goal = tracker.value.hasGoal ? ", flying to goal" : ""
            add(
                "tracker", "\(tracker.value.tracker), \(tracker.value.controller)\(goal)".sanitizedLine, tracker.at,
                to: &lines)
        }
        if let estimator = telemetry.estimator {
            add("estimator", estimator.value.name.sanitizedLine, estimator.at, to: &lines)
        }
    }

    private func add(_ subject: String, _ text: String, _ at: MonotonicTime, to lines: inout [String]) {
        let age = (now - at).inMilliseconds
        // Values older than a second are marked with their age.
        let note = age > 1000 ? "  (\((age / 1000).formatted(decimals: 1)) s old)" : ""
        let name = subject + String(repeating: " ", count: max(0, 10 - subject.count))
        lines.append("  \(name) \(text)\(note)")
    }

    /// What does not always measure; see ``MaximumAge/reading``.
    private func addReading(_ subject: String, _ text: String, _ at: MonotonicTime, to lines: inout [String]) {
        guard now - at > MaximumAge.reading else { return add(subject, text, at, to: &lines) }
        add(subject, TelemetryFormatter.noData(for: now - at), now, to: &lines)
    }

    private func metres(_ v: Vector3) -> String {
        "\(v.x.formatted(decimals: 2)) \(v.y.formatted(decimals: 2)) \(v.z.formatted(decimals: 2))"
    }

    private func unique(_ words: [String]) -> [String] {
        words.enumerated().filter { !words[..<$0.offset].contains($0.element) }.map(\.element)
    }

    private static func word(_ quality: GNSSFix.Quality) -> String {
        switch quality {
        case .none: "no fix"
        case .fix: "fix"
        case .satelliteAugmented: "SBAS fix"
        case .groundAugmented: "RTK fix"
        }
    }
}

extension String {
    fileprivate var replacingUnderscores: String { String(map { $0 == "_" ? " " : $0 }) }
}
