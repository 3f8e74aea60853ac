internal import ReportKit
package import UAVLink

/// The rates of a vehicle's topics, judged: against its profile where that has a rate, else against what the vehicle itself has
/// shown; and in words.
package struct TopicRateReport: Hashable, Sendable {
    /// The rates, in the vehicle's order.
    package let rates: [TopicRate]

    /// - Parameters:
    ///   - profile: usual messages per second by topic.
    ///   - previous: the report before, so that a rate near the limit is not judged differently each time.
    package init(_ rates: [TopicRate], profile: [String: Double] = [:], after previous: TopicRateReport? = nil) {
        guard !profile.isEmpty else {
            self.rates = rates
            return
        }
        self.rates = rates.map { rate in
            let before = previous?.rates.first { $0.name == rate.name }?.condition
            return rate.judged(against: profile[rate.name], after: before ?? .good)
        }
    }

    /// The same where no topic has brought anything for so long: what was measured before is not of now.
    package func silent(for time: Duration) -> Self {
        Self(
            rates.map { rate in
                // Of a rare topic nothing is missing yet.
                guard (rate.expectedHertz ?? rate.measuredHertz) * time.inSeconds >= 3 else { return rate }
                var silent = rate
                (silent.measuredHertz, silent.condition) = (0, .silent)
                return silent
            })
    }

    /// Those that the user is warned of.
    package var faults: [TopicRate] { rates.filter(\.condition.isFault) }

    /// Those of which messages arrive, but not what is usual is known yet.
    package var unjudged: [TopicRate] { rates.filter { $0.condition == .unjudged && !$0.isAbsent } }

    /// Those of which no message was received: not every vehicle has every topic.
    package var absent: [TopicRate] { rates.filter(\.isAbsent) }

    /// How many arrive as usual.
    package var goodCount: Int { rates.count { $0.condition == .good } }

    /// What arrives as usual, and what was not judged: `9 at their usual rates; not judged yet: a; not received: b`. Empty if there
    /// is nothing besides faults.
    package var summary: String {
        func named(_ words: String, _ rates: [TopicRate]) -> [String] {
            rates.isEmpty ? [] : ["\(words): \(rates.map(\.name).joined(separator: ", "))"]
        }
        let good = goodCount == 0 ? [] : [goodCount == 1 ? "1 at its usual rate" : "\(goodCount) at their usual rates"]
        let parts = good + named("not judged yet", unjudged) + named("not received", absent)
        return parts.joined(separator: "; ").sanitizedLine
    }

    /// A rate with what is usual: `hw_api/gnss at 14 Hz, usually 41 Hz`.
    package static func text(_ rate: TopicRate) -> String {
        let name = rate.name.sanitizedLine
        let what: String =
            switch rate.condition {
            case .silent: "\(name) silent"
            case .irregular: "\(name) irregular, with long pauses, at \(hertz(rate.measuredHertz))"
            case .slow, .good, .unjudged: "\(name) at \(hertz(rate.measuredHertz))"
            }
        guard let expected = rate.expectedHertz else { return what }
        return what + (rate.isFromProfile ? ", \(hertz(expected)) in the profile" : ", usually \(hertz(expected))")
    }

    /// With a decimal where that says more than the integer.
    private static func hertz(_ value: Double) -> String {
        value.formatted(decimals: value < 99.95 && value != value.rounded() ? 1 : 0) + " Hz"
    }
}
