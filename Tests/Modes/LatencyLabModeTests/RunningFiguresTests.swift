@testable import FlightControl
@testable import LatencyLabMode
@testable import LatencyMeasurement
import LatencyTestKit
import Statistics
import Testing
import UAVLink

@Suite("Figures of a measurement under way")
struct RunningFiguresTests {
    @Test func `what was intended of late is left out, since its notes may be on their way`() throws {
        // 100 values, of which the last ten have not come yet.
        let series = LatencyExamples.series((0..<100).map { $0 < 90 ? 5 : nil })
        let all = try #require(RunningFigures("udp", .steering, series))
        #expect(all.count == 90 && abs((all.lostShare ?? 0) - 0.1) < 1e-9 && abs((all.hertz ?? 0) - 90) < 1e-9)
        let settled = try #require(RunningFigures("udp", .steering, series, upTo: 890_000_000))
        #expect(settled.count == 90 && settled.lostShare == 0 && settled.hertz == 100)
        #expect(settled.value(at: .p50) == 5_000_000 && settled.value(at: .p90) == 5_000_000)
        #expect(settled.value(at: .p99) == nil, "there are not values enough")
        #expect(RunningFigures("udp", .steering, series, upTo: -1) == nil)
    }

    @Test func `the first of a turn is in none of them`() throws {
        var series = LatencyExamples.series((0..<60).map { $0 % 2 == 0 ? 90 : 5 })
        for index in series.samples.indices where index % 2 == 0 { series.samples[index].isCold = true }
        let figures = try #require(RunningFigures("udp", .command, series))
        #expect(figures.count == 30 && figures.value(at: .p50) == 5_000_000)
    }

    @Test func `they take two percent of the time, however long they take`() {
        var budget = FigureBudget()
        let start = MonotonicTime(nanoseconds: 0)
        #expect(budget.isDue(at: start))
        budget.took(from: start, to: start + .milliseconds(20))
        #expect(!budget.isDue(at: start + .milliseconds(1019)))
        #expect(budget.isDue(at: start + .milliseconds(1020)))
        budget.took(from: start + .seconds(2), to: start + .seconds(3))
        #expect(!budget.isDue(at: start + .seconds(52)) && budget.isDue(at: start + .seconds(53)))
    }

    @Test func `a command that a stopped run waits for no more is not lost`() async {
        let now = MonotonicTime(nanoseconds: 0)
        var answered = CommandAttempt(number: 0, intendedAt: now, calledAt: now)
        answered.answeredAt = now + .milliseconds(1)
        let shots = [answered, CommandAttempt(number: 1, intendedAt: now, calledAt: now)]
        let turn = Turn(
            steeringFor: .zero, steeringPeriod: .milliseconds(10), commands: 2, commandPeriod: .milliseconds(50))
        var goingOn = TurnResults()
        goingOn.add(shots, of: turn)
        #expect(goingOn.commanded.count == 2)
        let stopped = await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            var book = TurnResults()
            book.add(shots, of: turn)
            return book
        }.value
        #expect(stopped.commanded.map(\.number) == [0])
    }

    @Test func `the command line prints the lines of events, and none for figures`() {
        let events: [MeasuringEvent] = [
            .opening(.sshTunnel), .leftOut(.ros, reason: "no master"),
            .condition(number: 1, count: 2, text: "loss=2%"),
            .round(number: 3, elapsed: .milliseconds(4900), planned: .seconds(20)),
            .round(number: 2, elapsed: .milliseconds(5100), planned: .seconds(3)), .turn(.udp), .figures([]),
        ]
        #expect(
            events.map(\.line) == [
                "opening ssh-tunnel", "ros is left out: no master", "condition 1 of 2: loss=2%", "  round 3, 4 of 20 s",
                "  round 2, 5 s; 3 s were planned", nil, nil,
            ])
    }

    @Test(arguments: [
        ("a.html", LatencyFile.html), ("x/y.CSV", .csv), ("/tmp/a.b/c.json", .json), ("~/run.1.hdr", .hdr),
    ])
    func `a name's ending says what a file is`(_ path: String, _ kind: LatencyFile) {
        #expect(LatencyFile(path: path) == kind)
    }

    @Test(arguments: ["", "html", ".html", "a.txt", "a.html/", "folder.csv/name", "a."])
    func `other names are no file of ours`(_ path: String) { #expect(LatencyFile(path: path) == nil) }

    @Test(arguments: [
        (0.4, "0 s"), (59.4, "59 s"), (60, "1 min"), (72, "1 min 12 s"), (3600, "1 h"), (7500, "2 h 5 min"),
    ])
    func `times are written as people do`(_ seconds: Double, _ text: String) {
        #expect(LatencyLabTexts.time(seconds) == text)
    }
}
