internal import ReportKit
package import Statistics

/// One promise and its outcome.
package struct Figure: Sendable {
    /// What is promised.
    package enum Limit: Sendable {
        case atMost(Double)
        case atLeast(Double)
    }

    package var name: String
    /// Counted from the intended instants, where there is a schedule.
    package var estimate: Estimate
    /// The same counted from the calls: the lateness of timers, which both sides have, makes a ratio smaller.
    package var fromCall: Estimate?
    package var unit: String
    package var limit: Limit
    /// Whether the runs were long enough for it to count.
    package var isMeaningful: Bool

    package init(
        name: String, estimate: Estimate, fromCall: Estimate? = nil, unit: String, limit: Limit,
        isMeaningful: Bool = true
    ) {
        (self.name, self.estimate, self.fromCall, self.unit) = (name, estimate, fromCall, unit)
        (self.limit, self.isMeaningful) = (limit, isMeaningful)
    }

    /// A figure of one run, such as a count.
    package init(name: String, value: Double, unit: String, limit: Limit, isMeaningful: Bool = true) {
        self.init(name: name, estimate: Estimate(value), unit: unit, limit: limit, isMeaningful: isMeaningful)
    }

    /// How many times as long as a peer: from the intended instants and, with a schedule, from the calls.
    ///
    /// In runs that are too short for the percentile it does not count.
    package init(
        _ name: String, _ ours: RunSeries, over peer: RunSeries, at percentile: Percentile, limit: Limit
    ) {
        let isPaced = ours.isPaced || peer.isPaced
        self.init(
            name: name, estimate: ours.compared(with: peer, at: percentile, /),
            fromCall: isPaced ? ours.compared(with: peer, at: percentile, from: .call, /) : nil, unit: "times",
            limit: limit,
            isMeaningful: ours.isLongEnough(for: percentile) && peer.isLongEnough(for: percentile))
    }

    package var value: Double { estimate.value }

    /// Whether the median over runs keeps the limit, counted either way.
    package var holds: Bool { ([estimate] + [fromCall].compactMap { $0 }).allSatisfy { keeps($0.value) } }

    /// Whether the runs do not decide it: the limit lies between their ends.
    package var isUndecided: Bool {
        ([estimate] + [fromCall].compactMap { $0 }).contains { estimate in
            estimate.ends.map { keeps($0.low) != keeps($0.high) } ?? false
        }
    }

    private func keeps(_ value: Double) -> Bool {
        guard value.isFinite else { return false }
        switch limit {
        case .atMost(let bound): return value <= bound
        case .atLeast(let bound): return value >= bound
        }
    }

    var limitText: String {
        switch limit {
        case .atMost(let bound): "at most \(Self.short(bound)) \(unit)".trimmed
        case .atLeast(let bound): "at least \(Self.short(bound)) \(unit)".trimmed
        }
    }

    /// One line.
    package var text: String {
        let verdict = !isMeaningful ? "(too short a run)" : holds ? "holds" : "MISSED"
        let doubt = isMeaningful && isUndecided ? ", but runs lie on both sides of the limit" : ""
        func part(_ estimate: Estimate) -> String {
            "\(Self.short(estimate.value)) \(unit)".trimmed
                + (estimate.ends == nil ? "" : " (\(estimate.spreadText))")
        }
        let call = fromCall.map { "; from the call \(part($0))" } ?? ""
        return "\(name): \(part(estimate))\(call); \(limitText): \(verdict)\(doubt)"
    }

    var json: JSONValue {
        var members: [JSONValue.Member] = [.init("name", .string(name)), .init("unit", .string(unit))]
        members += estimate.json
        if let fromCall { members.append(.init("from_call", .object(fromCall.json))) }
        members += [
            .init("holds", .bool(holds)), .init("undecided", .bool(isUndecided)),
            .init("meaningful", .bool(isMeaningful)),
        ]
        switch limit {
        case .atMost(let bound): members.append(.init("at_most", .number(bound)))
        case .atLeast(let bound): members.append(.init("at_least", .number(bound)))
        }
        return .object(members)
    }

    package static func short(_ number: Double) -> String {
        let size = abs(number)
        return number.formatted(
            decimals: number.rounded() == number ? 0 : size >= 100 ? 0 : size >= 10 ? 1 : size >= 0.1 ? 2 : 4)
    }
}
