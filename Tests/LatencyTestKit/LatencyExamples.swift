package import LatencyMeasurement

/// Reports made by hand, so that every figure can be checked.
package enum LatencyExamples {
    /// A stream of one value every `period`, whole milliseconds, spread over so many rounds.
    package static func series(
        _ milliseconds: [Int64?], period: Int64 = 10, rounds: Int = 30, clock: LatencySeries.ClockRelation = .same,
        stages: ((Int64) -> StageTimes)? = nil
    ) -> LatencySeries {
        let samples = milliseconds.enumerated().map { number, value in
            LatencySample(
                number: number, intendedNanoseconds: Int64(number) * period * 1_000_000,
                nanoseconds: value.map { $0 * 1_000_000 }, stages: value.flatMap { v in stages?(v * 1_000_000) },
                round: number * rounds / max(1, milliseconds.count))
        }
        let arrived = samples.count { $0.nanoseconds != nil }
        let hertz = 1000 / Double(period)
        return LatencySeries(
            samples: samples, warmUpDropped: 5,
            traffic: .init(
                intended: samples.count, sent: samples.count, lostUp: samples.count - arrived, duplicates: 1,
                reordered: 0),
            clock: clock, intendedHertz: hertz,
            achievedHertz: hertz * Double(arrived) / Double(max(1, samples.count)))
    }

    /// Values that grow by one from 1 on and begin again at 100.
    package static func staircase(_ count: Int) -> [Int64?] { (0..<count).map { Int64($0 % 100 + 1) } }

    /// A report of one condition.
    package static func report(_ links: [LinkRun], impairment: String = "none") -> LatencyReport {
        LatencyReport(
            vehicle: "uav1", machine: [.init("processor", "an \"example\" <processor>")],
            versions: [.init("uavlink", "1.2.3")],
            commandLine: "uavlink latency --links ssh,udp --seed 7 --impair 'delay=20ms,loss=2%'",
            beganSeconds: 1_700_000_000, lengthSeconds: 42, seed: 7, settings: [.init("steering", "100 Hz")],
            conditions: [ConditionRun(impairment: impairment, links: links)], notes: ["the machine was busy"])
    }

    /// A quick link and a slow one, each with what such a link has.
    package static var twoLinks: [LinkRun] {
        let bound = LatencySeries.ClockRelation.measured(offsetNanoseconds: -3_000_000, boundNanoseconds: 500_000)
        return [
            LinkRun(
                link: "ssh", how: "a new exec channel for each command",
                command: .series(
                    series((0..<40).map { 900 + $0 * 5 }, period: 1000) { value in
                        StageTimes(whole: value, known: [.startUp: value / 2, .ros: 1_000_000])
                    }),
                steering: .series(series((0..<20).map { _ in 950 }, period: 1000)),
                telemetry: .absent("rostopic echo has no stamps")),
            LinkRun(
                link: "udp", how: "the channel over UDP",
                command: .series(series((0..<400).map { 2 + $0 % 3 }, period: 50)),
                steering: .series(series((0..<6000).map { 1 + $0 % 4 }, clock: bound)),
                telemetry: .series(series((0..<3000).map { _ in 3 }, period: 20, clock: bound)),
                motion: .series(series((0..<30).map { _ in 250 }, period: 3000))),
        ]
    }
}
