internal import MRSMessages
internal import ROSMessages
package import ReportKit
package import Statistics
internal import UAVLink

/// Statistics of the setpoints of a recording.
package struct SetpointReview: Sendable {
    /// The ages of setpoints at one point of their path.
    package struct Age: Hashable, Sendable {
        /// The point: `sent`, `received`, `applied`.
        package var place: String
        /// The ages, nanoseconds since the intended instant; setpoints with an unknown age are left out.
        package var samples: Samples
    }

    /// The setpoints of one link under one network condition; recordings of latency measurements have many parts.
    package struct Part: Sendable {
        /// The link's name, as in `uavlink latency --links`.
        package var link: String
        /// The impairment of the network; empty in a flight.
        package var condition: String
        /// The statistics.
        package var review: SetpointReview
    }

    private let count: Int
    private let failed: Int
    /// The ages at each point.
    package let ages: [Age]
    /// The longest time between two setpoints that were sent, nanoseconds.
    package let longestGapNanoseconds: Int64?
    /// The number of setpoints by outcome, in a fixed order; setpoints with an unknown outcome are left out.
    package let fates: [(fate: String, count: Int)]
    /// The largest error bound of times at the companion, nanoseconds; `nil` if only one clock is involved.
    package let worstClockBoundNanoseconds: Int64?

    init(_ setpoints: [UavlinkMsgs.Setpoint]) {
        let sent = setpoints.filter { $0.error.isEmpty }
        count = setpoints.count
        failed = setpoints.count - sent.count
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
        var counts: [String: Int] = [:]
        for setpoint in setpoints where !setpoint.fate.isEmpty { counts[setpoint.fate, default: 0] += 1 }
        let known = [RecordedSetpoint.Fate.applied, .refused, .stale, .superseded, .lost].map(\.rawValue)
        fates = known.compactMap { fate in counts[fate].map { (fate, $0) } }
        worstClockBoundNanoseconds =
            setpoints.map(\.clockBound).map { Int64($0.seconds) * 1_000_000_000 + Int64($0.nanoseconds) }
            .filter { $0 > 0 }.max()
    }

    static func parts(of setpoints: [UavlinkMsgs.Setpoint]) -> [Part] {
        var order: [[String]] = []
        var groups: [[String]: [UavlinkMsgs.Setpoint]] = [:]
        for setpoint in setpoints {
            let key = [setpoint.link, setpoint.condition]
            if groups[key] == nil { order.append(key) }
            groups[key, default: []].append(setpoint)
        }
        return order.map { Part(link: $0[0], condition: $0[1], review: SetpointReview(groups[$0] ?? [])) }
    }

    /// The statistics as text.
    ///
    /// - Parameter parts: if there are several, each gets a table: ages over different links must not be mixed.
    func text(parts: [Part]) -> String {
        guard parts.count > 1 else { return words + table.text + fateText }
        var text = words
        for part in parts {
            text +=
                "\n\(part.link.sanitizedLine)" + (part.condition.isEmpty ? "" : ", \(part.condition.sanitizedLine)")
                + "\n"
            text += part.review.table.text + part.review.fateText
        }
        return text
    }

    private var words: String {
        var text = "setpoints: \(count)" + (failed > 0 ? ", \(failed) not sent" : "")
        if let gap = longestGapNanoseconds {
            text += ", longest gap \((Double(gap) / 1e6).formatted(decimals: 1)) ms"
        }
        return text + "\n"
    }

    private var table: TextTable {
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
        return table
    }

    private var fateText: String {
        var text = fates.isEmpty ? "" : fates.map { "\($0.count) \($0.fate)" }.joined(separator: ", ") + "\n"
        if let bound = worstClockBoundNanoseconds {
            text += "times of received and applied are accurate to \((Double(bound) / 1e6).formatted(decimals: 3)) ms\n"
        }
        return text
    }

    /// The statistics as JSON.
    package var json: JSONValue {
        [
            "count": JSONValue(count), "longest_gap_ms": JSONValue(longestGapNanoseconds.map { Double($0) / 1e6 }),
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
        ]
    }
}
