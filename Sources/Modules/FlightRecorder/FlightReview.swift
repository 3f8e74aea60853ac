internal import ROS1
public import ReportKit
public import Statistics
internal import UAVCore
internal import UAVLink

/// A recording in words and figures.
public struct FlightReview: Sendable {
    /// How old setpoints were at one of the places on their way.
    public struct Age: Hashable, Sendable {
        /// Where: `sent`, `received`, `applied`.
        public var place: String
        /// The ages there, nanoseconds since they were meant; setpoints of which it is not known are left out.
        public var samples: Samples
    }

    private let log: FlightLog
    private let path: String
    /// The ages of setpoints.
    public let ages: [Age]
    /// The longest time between two setpoints that were sent, nanoseconds.
    public let longestGapNanoseconds: Int64?

    /// What a recording holds.
    public init(_ log: FlightLog, path: String) {
        self.log = log
        self.path = path
        let sent = log.setpoints.filter { $0.error.isEmpty }
        func age(_ place: String, _ time: (UavlinkMsgs.Setpoint) -> ROSTime) -> Age {
            let values = sent.compactMap { setpoint -> Int64? in
                guard time(setpoint) != ROSTime(), setpoint.intended != ROSTime() else { return nil }
                return FlightLog.nanoseconds(time(setpoint)) - FlightLog.nanoseconds(setpoint.intended)
            }
            return Age(place: place, samples: Samples(values))
        }
        ages = [age("sent", \.sent), age("received", \.received), age("applied", \.applied)]
        let instants = sent.map { FlightLog.nanoseconds($0.sent) }.sorted()
        longestGapNanoseconds = zip(instants, instants.dropFirst()).map { $1 - $0 }.max()
    }

    private var seconds: Double { log.span.map { Double($0.upperBound - $0.lowerBound) / 1e9 } ?? 0 }

    /// How far the vehicle went, metres. Less than a centimetre from one place to the next is noise of a vehicle that stands.
    public var wayMetres: Double {
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

    /// For a person.
    public var text: String {
        var text = "\(path.harmlessLine): \(seconds.formatted(decimals: 1)) s, "
        text += "\(log.counts.values.reduce(0, +)) messages on \(log.counts.count) topics\n"
        if let cutOff = log.cutOff { text += "the recording is cut off: \(cutOff.harmlessLine)\n" }
        if !log.isWhole {
            text +=
                "the recording was not ended: its last second may be missing; for other programs: rosbag reindex FILE\n"
        }
        if log.leftOut > 0 { text += "\(log.leftOut) messages are not shown: there are too many\n" }
        text += flight
        if !log.commands.isEmpty { text += "\ncommands (ms after they were meant)\n" + commandTable.text }
        if !log.setpoints.isEmpty { text += "\n" + setpointText }
        if !log.events.isEmpty {
            text += "\nevents\n"
            for event in log.events {
                text += "  \(since(event.at)) s  \(event.kind.harmlessLine): \(event.text.harmlessLine)\n"
            }
        }
        return text
    }

    private var flight: String {
        var text = ""
        let heights = log.places.map(\.position.z).filter(\.isFinite)
        if let low = heights.min(), let high = heights.max() {
            let fastest = log.places.map(\.speed).filter(\.isFinite).max() ?? 0
            text += "went \(wayMetres.formatted(decimals: 1)) m, z from \(low.formatted(decimals: 2)) to "
            text += "\(high.formatted(decimals: 2)) m, at most \(fastest.formatted(decimals: 2)) m/s\n"
        }
        if let first = log.volts.first, let last = log.volts.last {
            text += "battery from \(Double(first).formatted(decimals: 2)) to \(Double(last).formatted(decimals: 2)) V\n"
        }
        return text
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
                since(FlightLog.nanoseconds(message.intended)), words(message), message.link.harmlessLine,
                after(message.sent), after(message.received), after(message.applied), after(message.answered),
                answer.harmlessLine)
        }
        return table
    }

    private func words(_ message: UavlinkMsgs.Command) -> String {
        let shown = message.values.prefix(4).map { $0.formatted(decimals: 2) }
        let more = message.values.count > 4 ? ["..."] : []
        return ([message.name.harmlessLine] + shown + more).joined(separator: " ")
    }

    private var setpointText: String {
        let failed = log.setpoints.count { !$0.error.isEmpty }
        var text = "setpoints: \(log.setpoints.count)" + (failed > 0 ? ", \(failed) not sent" : "")
        if let gap = longestGapNanoseconds {
            text += ", longest gap \((Double(gap) / 1e6).formatted(decimals: 1)) ms"
        }
        text += "\n"
        var table = TextTable([
            .init("age when"), .init("count", .right), .init("p50 (ms)", .right), .init("p99 (ms)", .right),
            .init("max (ms)", .right),
        ])
        func figure(_ value: Int64?) -> String { value.map { (Double($0) / 1e6).formatted(decimals: 3) } ?? "" }
        for age in ages {
            guard age.samples.count > 0 else {
                table.add(age.place, "0", "", "", "not known on this link")
                continue
            }
            table.add(
                age.place, "\(age.samples.count)", figure(age.samples.reported(.p50)),
                figure(age.samples.reported(.p99)), figure(age.samples.maximum))
        }
        return text + table.text + fateText
    }

    /// How often each thing became of setpoints, in a fixed order; those of which nobody knows are left out.
    public var fates: [(fate: String, count: Int)] {
        var counts: [String: Int] = [:]
        for setpoint in log.setpoints where !setpoint.fate.isEmpty { counts[setpoint.fate, default: 0] += 1 }
        let known = [SetpointNote.Fate.applied, .refused, .stale, .superseded, .lost].map(\.rawValue)
        return known.compactMap { fate in counts[fate].map { (fate, $0) } }
    }

    /// How far times of the vehicle's end can be from the truth, at worst, nanoseconds; `nil` where one clock told all.
    public var worstClockBoundNanoseconds: Int64? {
        log.setpoints.map(\.clockBound).map { Int64($0.seconds) * 1_000_000_000 + Int64($0.nanoseconds) }
            .filter { $0 > 0 }.max()
    }

    private var fateText: String {
        var text = fates.isEmpty ? "" : fates.map { "\($0.count) \($0.fate)" }.joined(separator: ", ") + "\n"
        if let bound = worstClockBoundNanoseconds {
            text += "received and applied are known within \((Double(bound) / 1e6).formatted(decimals: 3)) ms\n"
        }
        return text
    }

    private func since(_ instant: Int64) -> String {
        (Double(instant - (log.span?.lowerBound ?? instant)) / 1e9).formatted(decimals: 2)
    }

    /// For scripts: times are seconds since 1970.
    public var json: JSONValue {
        func seconds(_ time: ROSTime) -> JSONValue {
            time == ROSTime() ? nil : .number(Double(FlightLog.nanoseconds(time)) / 1e9)
        }
        return [
            "file": .string(path), "length_s": .number(self.seconds),
            "begin_s": JSONValue(log.span.map { Double($0.lowerBound) / 1e9 }),
            "cut_off": JSONValue(log.cutOff), "ended": .bool(log.isWhole), "left_out": JSONValue(log.leftOut),
            "topics": .object(log.counts.sorted { $0.key < $1.key }.map { .init($0.key, JSONValue($0.value)) }),
            "way_m": .number(wayMetres),
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
            "setpoints": [
                "count": JSONValue(log.setpoints.count),
                "longest_gap_ms": JSONValue(longestGapNanoseconds.map { Double($0) / 1e6 }),
                "fates": .object(fates.map { .init($0.fate, JSONValue($0.count)) }),
                "clock_bound_ms": JSONValue(worstClockBoundNanoseconds.map { Double($0) / 1e6 }),
                "ages": .object(
                    ages.map { age in
                        .init(
                            age.place,
                            [
                                "count": JSONValue(age.samples.count),
                                "p50_ms": JSONValue(age.samples.reported(.p50).map { Double($0) / 1e6 }),
                                "p99_ms": JSONValue(age.samples.reported(.p99).map { Double($0) / 1e6 }),
                                "max_ms": JSONValue(age.samples.maximum.map { Double($0) / 1e6 }),
                            ])
                    }),
            ],
            "events": .array(
                log.events.map {
                    ["at_s": .number(Double($0.at) / 1e9), "kind": .string($0.kind), "text": .string($0.text)]
                }),
        ]
    }
}
