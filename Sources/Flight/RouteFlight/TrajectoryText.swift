internal import FlightControl
package import ReportKit
package import Trajectories
internal import UAVLink

extension TrajectoryReport {
    /// JSON for scripts: `{"ok", "samples", "length_m", "duration_s", "max_spacing_m", "findings": [...], ...}`.
    /// `"not_checked"` lists the kinds of findings that could not be looked for.
    package var json: JSONValue {
        [
            "ok": .bool(isOK),
            "samples": JSONValue(samples),
            "length_m": .number(lengthMetres),
            "duration_s": .number(durationSeconds),
            "max_spacing_m": .number(maximumSpacingMetres),
            "time_step_s": .number(timeStepSeconds),
            "max_speed_m_s": .number(greatestSpeed),
            "battery_needed": JSONValue(batteryNeeded),
            "battery_left": JSONValue(batteryRemaining),
            "start_distance_m": JSONValue(start?.metres),
            "start_distance_from": JSONValue(start?.origin.rawValue),
            "start_distance_age_s": JSONValue(start?.ageSeconds),
            "world": world?.json ?? .null,
            "not_checked": .array(missingChecks.map { .string($0.kind.rawValue) }),
            "findings": .array(findings.map(\.json)),
        ]
    }

    /// Text for the user: totals in one line, each finding, and whether it may be flown.
    package var lines: [String] {
        let figures =
            "\(samples) \(samples == 1 ? "sample" : "samples"), \(lengthMetres.formatted(decimals: 1)) m in \(durationSeconds.formatted(decimals: 1)) s, "
            + "at most \((maximumSpacingMetres * 100).formatted(decimals: 1)) cm apart every "
            + "\((timeStepSeconds * 1000).formatted(decimals: 1)) ms, up to \(greatestSpeed.formatted(decimals: 1)) m/s"
        return [figures, startLine("point 1"), world?.line].compactMap(\.self)
            + findings.map { ($0.weight == .failure ? "failure: " : "warning: ") + $0.commandLineText }
            + [verdict]
    }

    /// How far away the flight begins, in one line; `nil` for a trajectory without samples.
    ///
    /// - Parameter name: what the first position is called.
    func startLine(_ name: String) -> String? {
        guard let start else { return nil }
        let origin =
            switch start.origin {
            case .vehicle: "the vehicle"
            case .worldOrigin: "the origin of world_origin"
            }
        let age = start.ageSeconds.map { " (its position is \($0.formatted(decimals: 0)) s old)" } ?? ""
        return "\(name) is \(start.metres.formatted(decimals: 1)) m from \(origin)\(age)"
    }

    /// Whether it may be flown, and what was not checked, in one line.
    var verdict: String {
        guard isOK else { return "not ready to fly" }
        guard !missingChecks.isEmpty else { return "ready to fly" }
        return "ready, except: " + missingChecks.map(\.text).joined(separator: ", ")
    }
}

extension CheckedWorld {
    /// JSON for scripts: whose world it is (`user`, `profile`, `vehicle`), what is known of it (`file`, `border`, `configuration`), and
    /// the file.
    var json: JSONValue {
        [
            "source": .string(source.rawValue), "content": .string(content.rawValue),
            "path": path.isEmpty ? .null : .string(path),
        ]
    }

    /// `world: of the vehicle, /home/mrs/world.yaml`
    package var line: String {
        let whose: String? =
            switch source {
            case .user: nil
            case .profile: "of the profile"
            case .vehicle: "of the vehicle"
            }
        let what: String? =
            switch content {
            case .file: nil
            case .border: "its border only"
            case .configuration: "as it is configured"
            }
        let file = path.isEmpty ? nil : path.sanitizedLine
        return "world: " + [whose, file, what].compactMap(\.self).joined(separator: ", ")
    }
}

extension TrajectoryFinding {
    /// The text with the option that does what it asks for.
    var commandLineText: String {
        switch remedy {
        case .giveGround: "\(text) (--ground Z)"
        case .giveHome: "\(text) (--home Z gives z of the take-off position)"
        case nil: text
        }
    }

    /// JSON for scripts; points are counted from 1, as in the text.
    package var json: JSONValue {
        [
            "kind": .string(kind.rawValue),
            "weight": .string(weight.rawValue),
            "point": JSONValue(pointIndex.map { $0 + 1 }),
            "sample": JSONValue(sample),
            "position_m": position.map { .array([.number($0.x), .number($0.y), .number($0.z)]) } ?? .null,
            "text": .string(commandLineText),
        ]
    }
}

extension TrackError.Figures {
    /// JSON for scripts.
    package var json: JSONValue {
        [
            "count": JSONValue(count), "mean_m": .number(mean), "p95_m": .number(p95), "max_m": .number(maximum),
        ]
    }

    /// `mean 0.05 m, 95 % within 0.11 m, at most 0.14 m`.
    package var words: String {
        "mean \(mean.formatted(decimals: 3)) m, 95 % within \(p95.formatted(decimals: 3)) m, at most "
            + "\(maximum.formatted(decimals: 3)) m"
    }
}
