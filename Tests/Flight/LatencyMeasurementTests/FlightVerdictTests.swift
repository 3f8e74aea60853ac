@testable import LatencyMeasurement
import LatencyTestKit
import Testing

@Suite struct FlightVerdictTests {
    private func verdict(
        _ milliseconds: [Int64?], link: String = "udp", clock: LatencySeries.ClockRelation = .same,
        telemetry: Measured = .absent("")
    ) throws -> FlightVerdict.Link {
        let run = LinkRun(
            link: link, how: "", command: .series(LatencyExamples.series((0..<300).map { _ in 10 })),
            steering: .series(LatencyExamples.series(milliseconds, clock: clock)), telemetry: telemetry)
        let summary = LatencySummary(LatencyExamples.report([run]))
        return try #require(FlightVerdict(summary.conditions[0]).links.first)
    }

    @Test func `a steady quick link is flown by the sticks`() throws {
        let link = try verdict((0..<6000).map { _ in 5 })
        #expect(link.fitness == .sticks && link.reasons.isEmpty && link.lapses == 0)
        #expect(link.sustainedHertz == 99 || link.sustainedHertz == 100)
        // 2 m/s for 5 ms and the lease of 200 ms; then v^2 / 2a at 2 m/s2.
        #expect(link.travelMetres == 2 * 0.205 && link.brakingMetres == 1)
        #expect(link.commandTravelMetres == 2 * 0.26)
    }

    /// Nothing tells when its setpoints arrive: it is neither fit nor unfit.
    @Test func `a machine's own protocol is not judged`() {
        func verdict(_ links: [String]) -> FlightVerdict {
            let runs = links.map { name in
                LinkRun(
                    link: name, how: "", command: .series(LatencyExamples.series((0..<300).map { _ in 10 })),
                    steering: name == "direct"
                        ? .absent("") : .series(LatencyExamples.series((0..<6000).map { _ in 5 })),
                    telemetry: .absent(""))
            }
            return FlightVerdict(LatencySummary(LatencyExamples.report(runs)).conditions[0])
        }
        let both = verdict(["direct", "udp"])
        #expect(both.links.map(\.name) == ["udp"] && both.answer == "Yes: manual steering over udp.")
        let alone = verdict(["direct"])
        #expect(alone.links.isEmpty && alone.modes.isEmpty && alone.answer.hasPrefix("Not judged: "))
    }

    @Test func `a stall longer than the lease shows as a lapse, and the sticks are not for it`() throws {
        // 300 ms at 100 Hz: what was meant in that time is lost.
        let link = try verdict((0..<6000).map { (400..<430).contains($0) ? nil : 5 })
        #expect(link.lapses == 1 && link.longestGapNanoseconds == 310_000_000)
        #expect(link.fitness == .commands)
        #expect(link.sustainedHertz.map { (69...70).contains($0) } == true)
    }

    @Test func `a setpoint older than the lease is as if it had not come`() throws {
        let link = try verdict((0..<6000).map { (400..<430).contains($0) ? 300 - Int64($0 - 400) * 3 : 5 })
        #expect(link.worstAgeNanoseconds == 300_000_000 && link.travelMetres == 2 * 0.4)
    }

    /// A setpoint is flown by until the next one arrives, 10 ms later: its age counts, not its delay.
    @Test(arguments: [
        (Int64(50), FlightVerdict.Fitness.sticks), (90, .sticks), (91, .slowSticks), (190, .slowSticks),
        (191, .commands),
    ])
    func `ages at the limits of what people notice`(milliseconds: Int64, fitness: FlightVerdict.Fitness) throws {
        #expect(try verdict((0..<6000).map { _ in milliseconds }).fitness == fitness)
    }

    @Test func `a picture that is too old makes the sticks slow`() throws {
        let old = Measured.series(LatencyExamples.series((0..<400).map { _ in 250 }))
        let link = try verdict((0..<6000).map { _ in 5 }, telemetry: old)
        #expect(link.fitness == .slowSticks && link.reasons == ["telemetry is 250 ms old (p99)"])
    }

    @Test func `ages without compared clocks allow no sticks`() throws {
        #expect(try verdict((0..<6000).map { _ in 5 }, clock: .unknown).fitness == .commands)
    }

    @Test func `a link without a companion has the tracker's own time-out`() throws {
        let link = try verdict((0..<6000).map { _ in 5 }, link: "ros")
        #expect(link.travelMetres == 2 * 0.505)
        let stalled = try verdict((0..<6000).map { (400..<430).contains($0) ? nil : 5 }, link: "ros")
        #expect(stalled.lapses == 0)
    }

    @Test(arguments: [("udp", 0.9, true), ("udp", 0.3, false), ("ssh", 0.9, false)])
    func `a wait on this computer that takes most of it is shown`(link: String, share: Double, isShown: Bool) throws {
        let series = LatencyExamples.series((0..<6000).map { _ in 20 }) { whole in
            StageTimes(whole: whole, known: [.queue: Int64(Double(whole) * share)])
        }
        let run = LinkRun(
            link: link, how: "", command: .absent(""), steering: .series(series), telemetry: .absent(""))
        let verdict = try #require(
            FlightVerdict(LatencySummary(LatencyExamples.report([run])).conditions[0]).links.first)
        #expect((verdict.groundWait != nil) == isShown)
        #expect(verdict.sentence.contains("18 ms of 20 ms per steering value passed before this computer") == isShown)
    }

    @Test func `a wait on this computer is shown of a short run too`() throws {
        let series = LatencyExamples.series((0..<200).map { _ in 20 }) { whole in
            StageTimes(whole: whole, known: [.queue: Int64(Double(whole) * 0.9)])
        }
        let run = LinkRun(
            link: "udp", how: "", command: .absent(""), steering: .series(series), telemetry: .absent(""))
        let verdict = FlightVerdict(LatencySummary(LatencyExamples.report([run])).conditions[0])
        let link = try #require(verdict.links.first)
        #expect(link.fitness == .unknown)
        #expect(link.sentence.hasSuffix("passed before this computer sent it."), "\(link.sentence)")
        #expect(verdict.answer.hasSuffix("This computer is busy: close other programs and measure again."))
    }

    @Test func `what is a reason already is not said again`() throws {
        let sentence = try verdict((0..<300).map { _ in 900 }).sentence
        #expect(sentence.split(separator: "sustained").count == 2, "\(sentence)")
        #expect(!sentence.contains("the oldest setpoint"), "\(sentence)")
        #expect(try verdict((0..<6000).map { _ in 5 }).sentence.contains("the oldest setpoint was 5.0 ms old"))
    }

    /// That it is fit takes a minute, that it is not three seconds or three hundred setpoints.
    @Test(arguments: [
        (1, true, true), (299, true, true), (300, false, true), (2000, false, true), (5900, false, true),
        (6000, false, false),
    ])
    func `a link with too few setpoints is not judged, neither good nor bad`(
        _ count: Int, _ isTooShortForNo: Bool, _ isTooShortForYes: Bool
    ) throws {
        for milliseconds: Int64? in [5, 900, nil] {
            let link = try verdict((0..<count).map { _ in milliseconds })
            let isTooShort = milliseconds == 5 ? isTooShortForYes : isTooShortForNo
            #expect((link.fitness == .unknown) == isTooShort, "\(count) of \(milliseconds ?? -1) ms")
            #expect(link.sentence.hasPrefix("udp: not enough data (") == isTooShort, "\(link.sentence)")
        }
        let run = LinkRun(
            link: "udp", how: "", command: .absent(""),
            steering: .series(LatencyExamples.series((0..<count).map { _ in 5 })), telemetry: .absent(""))
        let whole = FlightVerdict(LatencySummary(LatencyExamples.report([run])).conditions[0])
        let words = isTooShortForYes ? "Not enough data of udp: measure more rounds." : "Yes"
        #expect(whole.answer.hasPrefix(words))
        #expect(whole.modes.isEmpty == isTooShortForYes)
    }

    @Test func `no shorter part of a run passes`() throws {
        let values = (0..<6000).map { number -> Int64? in
            let delay = Int64(number) * 37 % 60
            return number % 50 == 7 ? nil : delay + 5
        }
        for count in stride(from: 100, to: 5940, by: 730) {
            let part = try verdict(Array(values.prefix(count)))
            #expect(part.fitness != .sticks && part.fitness != .slowSticks, "\(count)")
        }
        #expect(try verdict(values).fitness == .sticks)
    }

    @Test func `the rate of lapses has a bound, by the rule of three where there was none`() throws {
        let steady = try verdict((0..<6000).map { _ in 5 })
        #expect(steady.exposureSeconds == 60 && steady.lapsesPerHourBound == 180)
        #expect(steady.sentence.contains("No lapse in 60 s of steering: fewer than 180 an hour (95 %)"))
        let stalled = try verdict((0..<6000).map { (400..<430).contains($0) ? nil : 5 })
        #expect((stalled.lapsesPerHourBound ?? 0) > 280)
        #expect(!stalled.sentence.contains("No lapse"))
        // The bound is printed with lapses too.
        #expect(stalled.sentence.contains("1 lapse in 60 s of steering: fewer than 28"), "\(stalled.sentence)")
    }

    @Test(arguments: [(2, true), (4, false)])
    func `that a link is too slow is seen in a few seconds`(_ count: Int, _ isTooShort: Bool) throws {
        let steering = LatencyExamples.series((0..<count).map { _ in 900 }, period: 1000)
        let slow = LinkRun(
            link: "ssh", how: "", command: .series(LatencyExamples.series((0..<300).map { _ in 900 })),
            steering: .series(steering), telemetry: .absent(""))
        let verdict = FlightVerdict(LatencySummary(LatencyExamples.report([slow])).conditions[0])
        #expect(verdict.links.map(\.fitness) == [isTooShort ? .unknown : .commands])
    }

    @Test func `one setpoint a second is not flying`() throws {
        let summary = LatencySummary(LatencyExamples.report(LatencyExamples.twoLinks))
        let verdict = FlightVerdict(summary.conditions[0])
        #expect(verdict.links.map(\.fitness) == [.commands, .sticks])
        #expect(verdict.answer == "Yes: manual steering over udp.")
        #expect(verdict.modes[0] == "joystick: udp")
        #expect(verdict.modes[2].hasSuffix("ssh and udp"))
    }

    @Test func `a link that failed says why`() {
        let run = LinkRun(link: "ros", how: "", failure: "no master answers")
        let verdict = FlightVerdict(LatencySummary(LatencyExamples.report([run])).conditions[0])
        #expect(verdict.answer == "No: neither commands nor setpoints get through.")
        #expect(verdict.links[0].sentence.hasPrefix("ros: no (no master answers)"))
    }

    @Test func `the emptiest second is found wherever it lies`() throws {
        // 50 values, then a gap of half a second, then 100 more: 10 ms apart.
        let values: [Int64?] = (0..<200).map { (50..<100).contains($0) ? nil : 0 }
        let record = try #require(ArrivalRecord(LatencyExamples.series(values), lease: 200_000_000))
        #expect(record.longestGapNanoseconds == 510_000_000 && record.lapses == 1)
        #expect((49...51).contains(record.minimumPerSecond))
    }

    @Test func `the turns of other links are no gaps`() throws {
        var series = LatencyExamples.series((0..<6000).map { (700..<730).contains($0) ? nil : 5 })
        // Three turns, with three seconds of others between them.
        for index in series.samples.indices where index >= 300 {
            series.samples[index].intendedNanoseconds += index >= 600 ? 6_000_000_000 : 3_000_000_000
        }
        let record = try #require(ArrivalRecord(series, lease: 200_000_000))
        #expect(record.longestGapNanoseconds == 310_000_000 && record.lapses == 1)
        #expect(record.minimumPerSecond >= 69)
    }
}
