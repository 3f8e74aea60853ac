@testable import LatencyLabMode
@testable import LatencyMeasurement
@testable import LatencyOutput
import VehicleAccess

/// What the laboratory's screens show in their golden tests, made by hand.
enum LatencyLabSamples {
    static var choosing: LatencyLabScreenState {
        var choices = LatencyChoices()
        choices.links = [.ssh, .tcp, .udp]
        choices.toggle(condition: 3)
        var profile = VehicleProfile(name: "field")
        profile.host = "uav1.example"
        var state = LatencyLabScreenState()
        state.setup.lines = LatencyLabTexts.lines(choices, profile)
        state.setup.selected = 9
        state.setup.summary =
            "field:uav1: ssh, tcp and udp under 2 conditions, about 44 s. Setpoints are neutral, the command is hover."
        state.setup.hasResults = true
        return state
    }

    static var measuring: LatencyLabScreenState {
        var state = LatencyLabScreenState()
        state.phase = .measuring
        state.progress.vehicle = "field:uav1"
        state.progress.doing = "condition 2 of 2: delay=20ms,jitter=5ms,loss=2%"
        state.progress.time = "round 4, udp, 12 of 20 s, about 10 s left"
        state.progress.fraction = 0.77
        state.progress.notes = ["ros is not measured: there is no ROS master at http://uav1:11311"]
        let figures = report.conditions.map { $0.links.flatMap { RunningFigures.all($0) } }
        state.progress.tables = [.running("delay=20ms,jitter=5ms,loss=2%", figures[1]), .running("none", figures[0])]
        return state
    }

    static func reading(_ page: LatencyLabPage, condition: Int = 1) -> LatencyLabScreenState {
        var state = LatencyLabScreenState()
        state.phase = .reading
        var reading = LatencyResultsState(LatencyLabResult(id: 1, result))
        reading.page = page
        reading.condition = condition
        reading.kinds = [.command, .steering, .telemetry]
        reading.table = LatencyTableSection.all(reading.shown.result.summary.conditions[condition])
        reading.comparison = LatencyTableSection.conditions(reading.shown.result, .steering)
        state.results = reading
        return state
    }

    /// Its intervals take a while, and every screen shows the same.
    private static let result = LatencyResult(report)

    // MARK: A report

    /// Two conditions, three links; the values follow from their places, so that they are the same on every machine.
    private static var report: LatencyReport {
        LatencyReport(
            vehicle: "uav1", commandLine: "uavlink latency --seed 7", beganSeconds: 1_700_000_000, lengthSeconds: 44,
            seed: 7,
            conditions: [
                ConditionRun(impairment: "none", links: links(delay: 0, lossEvery: .max)),
                ConditionRun(impairment: "delay=20ms,jitter=5ms,loss=2%", links: links(delay: 20_000, lossEvery: 50)),
            ], notes: ["the machine was busy"])
    }

    private static func links(delay: Int64, lossEvery: Int) -> [LinkRun] {
        let bound = LatencySeries.ClockRelation.measured(offsetNanoseconds: -3_000_000, boundNanoseconds: 43_000)
        return [
            LinkRun(
                link: "ssh", how: "",
                command: .series(series(25, period: 800, from: 900_000 + 2 * delay, to: 1_300_000)),
                steering: .series(series(4, period: 1000, from: 900_000 + 2 * delay, to: 1_000_000)),
                telemetry: .absent("rostopic echo printed nothing within the timeout")),
            LinkRun(
                link: "tcp", how: "",
                command: .series(series(120, period: 50, from: 500 + 2 * delay, to: 900 + 3 * delay)),
                steering: .series(series(2000, period: 30, from: 200 + delay, to: 600 + 2 * delay, clock: bound)),
                telemetry: .series(series(300, period: 20, from: 900 + delay, to: 9000 + delay, clock: bound))),
            LinkRun(
                link: "udp", how: "",
                command: .series(series(120, period: 50, from: 400 + 2 * delay, to: 700 + 2 * delay)),
                steering: .series(
                    series(
                        2000, period: 30, from: 150 + delay, to: 500 + delay * 5 / 4, clock: bound, lossEvery: lossEvery
                    )
                ),
                telemetry: .series(
                    series(300, period: 20, from: 800 + delay, to: 8000 + delay, clock: bound, lossEvery: lossEvery))),
            LinkRun(link: "ros", how: "", failure: "there is no ROS master at http://uav1:11311"),
        ]
    }

    /// Values between two bounds, microseconds, most of them near the lower one; the period in milliseconds.
    private static func series(
        _ count: Int, period: Int64, from low: Int64, to high: Int64, clock: LatencySeries.ClockRelation = .same,
        lossEvery: Int = .max
    ) -> LatencySeries {
        let samples = (0..<count).map { number -> LatencySample in
            // Goes through all places in another order: 37 has no divisor in common with the counts.
            let place = Int64(number * 37 % count) * 1000 / Int64(count)
            let whole = (low + (high - low) * place * place / 1_000_000 * place / 1000) * 1000
            let isLost = number % lossEvery == lossEvery - 1
            return LatencySample(
                number: number, intendedNanoseconds: Int64(number) * period * 1_000_000,
                nanoseconds: isLost ? nil : whole,
                stages: isLost
                    ? nil
                    : StageTimes(
                        whole: whole, known: [.queue: 20_000, .encode: 30_000, .companion: 25_000, .ros: 70_000]),
                round: number * 30 / count)
        }
        let arrived = samples.count { $0.nanoseconds != nil }
        return LatencySeries(
            samples: samples, traffic: .init(intended: count, sent: count, lostUp: count - arrived), clock: clock,
            intendedHertz: 1000 / Double(period), achievedHertz: 1000 / Double(period) * Double(arrived) / Double(count)
        )
    }
}
