internal import MRSMessages
internal import ROSMessages
internal import ROSRecordings
package import ReportKit
internal import UAVLink

/// A summary of a recording.
package struct FlightReview: Sendable {
    private let log: FlightLog
    private let path: String
    /// All setpoints together; meaningful for a flight over one link.
    package let setpoints: SetpointReview
    /// The setpoints by link and network condition, in order of appearance; one part for a flight over one link.
    package let parts: [SetpointReview.Part]

    /// A summary of a log.
    package init(_ log: FlightLog, path: String) {
        self.log = log
        self.path = path
        setpoints = SetpointReview(log.setpoints)
        parts = SetpointReview.parts(of: log.setpoints)
    }

    private var seconds: Double { log.span.map { Double($0.upperBound - $0.lowerBound) / 1e9 } ?? 0 }

    /// The distance flown, metres. Steps of less than a centimetre are noise of a hovering vehicle and are ignored.
    package var flownMetres: Double {
        guard var last = log.places.first?.position else { return 0 }
        var way = 0.0
        for place in log.places.dropFirst() {
            let step = Self.distance(last, place.position)
            guard step.isFinite, step >= 0.01 else { continue }
            way += step
            last = place.position
        }
        return way
    }

    private static func distance(_ a: Vector3, _ b: Vector3) -> Double {
        let (x, y, z) = (a.x - b.x, a.y - b.y, a.z - b.z)
        return (x * x + y * y + z * z).squareRoot()
    }

    /// The summary as text.
    package var text: String {
        var text = "\(path.sanitizedLine): \(seconds.formatted(decimals: 1)) s, "
        text += "\(log.counts.values.reduce(0, +)) messages on \(log.counts.count) topics\n"
        if let cutOff = log.cutOff { text += "the recording is truncated: \(cutOff.sanitizedLine)\n" }
        if !log.isWhole {
            let repair = log.format == .mcap ? "mcap recover FILE -o NEW" : "rosbag reindex FILE"
            text +=
                "the recording was not closed: its last second may be missing; for other programs run: \(repair)\n"
        }
        if log.leftOut > 0 { text += "\(log.leftOut) messages are not shown: too many\n" }
        if !log.machines.isEmpty {
            text += "vehicle: \(log.machines.map(\.sanitizedLine).joined(separator: ", "))\n"
        }
        text += flight
        if !log.commands.isEmpty { text += "\ncommands (ms after the intended time)\n" + commandTable.text }
        if !log.setpoints.isEmpty { text += "\n" + setpoints.text(parts: parts) }
        if !log.events.isEmpty { text += "\nevents\n" + eventLines }
        return text
    }

    /// The events; those that repeat the one before are counted with it.
    private var eventLines: String {
        var text = ""
        var events = log.events[...]
        while let event = events.first {
            let same = events.prefix {
                $0.severity == event.severity && $0.kind == event.kind && $0.text == event.text
            }
            events = events.dropFirst(same.count)
            text += "  \(since(event.at)) s  \(event.kind.sanitizedLine): \(event.text.sanitizedLine)"
            if same.count > 1, let last = same.last {
                text += " (\(same.count) times, until \(since(last.at)) s)"
            }
            text += "\n"
        }
        return text
    }

    private var flight: String {
        var text = ""
        let heights = log.places.map(\.position.z).filter(\.isFinite)
        if let low = heights.min(), let high = heights.max() {
            text += "flew \(flownMetres.formatted(decimals: 1)) m, z from \(low.formatted(decimals: 2)) to "
            text += "\(high.formatted(decimals: 2)) m, at most \((fastest ?? 0).formatted(decimals: 2)) m/s\n"
        } else {
            // A machine that does not know where it is.
            let parts = [
                log.heights.map {
                    "height above ground from \($0.lowerBound.formatted(decimals: 2)) to "
                        + "\($0.upperBound.formatted(decimals: 2)) m"
                }, fastest.map { "at most \($0.formatted(decimals: 2)) m/s" },
            ].compactMap(\.self)
            if !parts.isEmpty { text += parts.joined(separator: ", ") + "; no position was recorded\n" }
        }
        if let first = log.volts.first, let last = log.volts.last {
            text += "battery from \(Double(first).formatted(decimals: 2)) to \(Double(last).formatted(decimals: 2)) V\n"
        } else if let charges = log.charges {
            text += "battery from \((charges.first * 100).formatted(decimals: 0)) to "
            text += "\((charges.last * 100).formatted(decimals: 0)) %\n"
        }
        if !log.states.isEmpty {
            let shown = log.states.prefix(Self.mostStates).map {
                "\(since($0.at)) s \($0.state.isEmpty ? FlightState.unknown.word : $0.state.sanitizedLine)"
            }
            let more = log.states.count - shown.count
            text += "states: " + shown.joined(separator: ", ") + (more > 0 ? ", and \(more) more" : "") + "\n"
        }
        return text
    }

    /// The flight states that the text lists.
    private static let mostStates = 20

    /// The highest speed, m/s; `nil` if none was recorded.
    private var fastest: Double? {
        log.places.map(\.speed).filter(\.isFinite).max() ?? log.fastestWithoutPlace
    }

    private var commandTable: TextTable {
        var table = TextTable([
            .init("at (s)", .right), .init("command"), .init("link"), .init("sent", .right),
            .init("received", .right), .init("applied", .right), .init("answered", .right), .init("answer"),
        ])
        for entry in log.commands {
            let message = entry.message
            func after(_ time: ROSTime) -> String {
                guard time != ROSTime() else { return "" }
                let late = FlightLog.nanoseconds(time) - FlightLog.nanoseconds(message.intended)
                return (Double(late) / 1e6).formatted(decimals: 1)
            }
            let answer =
                message.error.isEmpty
                ? (message.accepted ? "" : "refused: ") + message.message : "failed: " + message.error
            table.add(
                since(FlightLog.nanoseconds(message.intended)), words(message), message.link.sanitizedLine,
                after(message.sent), after(message.received), after(message.applied), after(message.answered),
                answer.sanitizedLine)
        }
        return table
    }

    private func words(_ message: UavlinkMsgs.Command) -> String {
        let shown = message.values.prefix(4).map { $0.formatted(decimals: 2) }
        let more = message.values.count > 4 ? ["..."] : []
        return ([message.name.sanitizedLine] + shown + more).joined(separator: " ")
    }

    private func since(_ instant: Int64) -> String {
        (Double(instant - (log.span?.lowerBound ?? instant)) / 1e9).formatted(decimals: 2)
    }

    /// The summary as JSON: times are seconds since 1970.
    package var json: JSONValue {
        func seconds(_ time: ROSTime) -> JSONValue {
            time == ROSTime() ? nil : .number(Double(FlightLog.nanoseconds(time)) / 1e9)
        }
        return [
            "file": .string(path), "length_s": .number(self.seconds),
            "begin_s": JSONValue(log.span.map { Double($0.lowerBound) / 1e9 }),
            "cut_off": JSONValue(log.cutOff), "ended": .bool(log.isWhole), "left_out": JSONValue(log.leftOut),
            "topics": .object(log.counts.sorted { $0.key < $1.key }.map { .init($0.key, JSONValue($0.value)) }),
            "machines": .array(log.machines.map { .string($0) }), "way_m": .number(flownMetres),
            "height_m": .array((log.heights.map { [$0.lowerBound, $0.upperBound] } ?? []).map(JSONValue.number)),
            "fastest_mps": JSONValue(fastest),
            "battery": .array((log.charges.map { [$0.first, $0.last] } ?? []).map(JSONValue.number)),
            "states": .array(
                log.states.map { ["at_s": .number(Double($0.at) / 1e9), "state": .string($0.state)] }),
            "commands": .array(
                log.commands.map { entry in
                    let message = entry.message
                    return [
                        "number": JSONValue(message.number), "link": .string(message.link),
                        "command": .string(message.name), "reference": .string(message.reference),
                        "values": .array(message.values.prefix(16).map(JSONValue.number)),
                        "intended_s": seconds(message.intended), "sent_s": seconds(message.sent),
                        "received_s": seconds(message.received), "applied_s": seconds(message.applied),
                        "answered_s": seconds(message.answered), "accepted": .bool(message.accepted),
                        "message": .string(message.message), "error": .string(message.error),
                    ]
                }),
            "setpoints": setpoints.json,
            "links": .array(
                parts.map {
                    ["link": .string($0.link), "condition": .string($0.condition), "setpoints": $0.review.json]
                }),
            "events": .array(
                log.events.map {
                    ["at_s": .number(Double($0.at) / 1e9), "kind": .string($0.kind), "text": .string($0.text)]
                }),
        ]
    }
}
