@testable import LatencyLabMode
import LatencyMeasurement
import LatencyOutput
import LatencyStatistics
import LatencyTestKit
import Testing
import UAVTestKit
import VehicleAccess

@Suite("Links that a vehicle offers, and what is said of those that failed")
struct LatencyOfferTests {
    private func offered(_ profile: VehicleProfile) -> [MeasuredLink] {
        MeasuredLink.allCases.filter { LatencyChoices.obstacle(to: $0, profile) == nil }
    }

    @Test func `the simulated vehicle offers no ROS, a companion on this machine no SSH`() {
        #expect(offered(.simulated) == [.tcp, .udp])
        #expect(offered(VehicleProfile(name: "local")) == [.tcp, .udp, .ros, .rosbridge])
        var remote = VehicleProfile(name: "hexa1")
        remote.host = "vehicle.example"
        // What is past a companion is there only for a machine with its own protocol.
        #expect(offered(remote) == MeasuredLink.allCases.filter { $0 != .direct })
    }

    @Test func `ROS is not offered for a vehicle that its companion calls simulated, whatever the profile is called`() {
        var choices = LatencyChoices()
        #expect(choices.obstacle(to: .ros, VehicleProfile(name: "local")) == nil)
        choices.isSimulated = true
        #expect(choices.obstacle(to: .rosbridge, VehicleProfile(name: "local")) == "the simulated vehicle has no ROS")
        #expect(choices.obstacle(to: .ros, VehicleProfile(name: "local")) == "the simulated vehicle has no ROS")
        #expect(choices.links(for: VehicleProfile(name: "local")) == [.tcp, .udp])
    }

    @Test func `a simulated vehicle behind SSH has no links that call services of ROS`() {
        var remote = VehicleProfile(name: "hexa1")
        remote.host = "vehicle.example"
        var choices = LatencyChoices(remote)
        choices.isSimulated = true
        #expect(choices.links(for: remote) == [.sshTunnel, .tcp, .udp])
        #expect(choices.obstacle(to: .ssh, remote) == "the simulated vehicle has no ROS")
        #expect(choices.obstacle(to: .sshShell, VehicleProfile(name: "local")) == "needs a host to log in to")
    }

    @Test func `in ROS 2 what cannot be measured is not offered, says why, and ros is not called TCPROS`() {
        var remote = VehicleProfile(name: "hexa1")
        remote.host = "vehicle.example"
        remote.ros.version = 2
        #expect(offered(remote) == [.sshTunnel, .tcp, .udp, .ros])
        let choices = LatencyChoices(remote)
        #expect(choices.links(for: remote) == [.sshTunnel, .tcp, .udp, .ros])
        let lines = LatencyLabTexts.lines(choices, remote)
        for (name, detail) in [("ssh", "calls by ROS 2's own programs are not measured"), ("ssh-shell", "as ssh")] {
            let line = lines.first { $0.title == name }
            #expect(line?.detail == detail, "\(name)")
            #expect(line?.isChosen == false && line?.isPossible == false, "\(name)")
        }
        #expect(lines.first { $0.title == "ros" }?.detail == MeasuredLink.howInROS2)
        remote.ros.version = 1
        #expect(LatencyLabTexts.lines(choices, remote).first { $0.title == "ros" }?.detail == MeasuredLink.ros.how)
    }

    @Test func `what is measured only where it is asked for is not among the links to choose`() {
        var remote = VehicleProfile(name: "hexa1")
        remote.host = "vehicle.example"
        let offered = LatencyChoices(remote).links(for: remote)
        #expect(offered == [.ssh, .sshShell, .sshTunnel, .tcp, .udp, .ros])
    }

    @Test func `a reason that holds of several links of the setup is said once`() {
        let local = VehicleProfile(name: "local")
        let details = LatencyLabTexts.lines(LatencyChoices(local), local).map(\.detail)
        #expect(details.count { $0 == "needs a host to log in to" } == 1 && details.count { $0 == "as ssh" } == 2)
        // Of a vehicle without links the line above all of them says it.
        let none = LatencyLabTexts.lines(LatencyChoices(.simulated), .simulated, hasLinks: false)
        #expect(none.prefix(MeasuredLink.flown.count).allSatisfy { $0.detail.isEmpty && !$0.isPossible })
    }

    /// Two links with the same figures.
    private func alike(_ series: LatencySeries) throws -> LatencyResult {
        LatencyResult(
            LatencyExamples.report(
                ["tcp", "udp"].map {
                    LinkRun(
                        link: $0, how: "", command: .series(series), steering: .series(series),
                        telemetry: .absent("nothing was received"))
                }))
    }

    @Test func `what holds of several links or tables is said once`() throws {
        let result = try alike(LatencyExamples.series((0..<40).map { _ in 2 }, rounds: 3))
        let condition = try #require(result.summary.conditions.first)
        let sections = LatencyTableSection.all(condition)
        let notes = sections.flatMap(\.notes)
        #expect(notes.count { $0.hasPrefix("no interval for tcp and udp: 3 rounds") } == 1, "\(sections)")
        #expect(sections.last?.title == "several tables")
        let verdict = try #require(result.verdicts.first)
        #expect(verdict.sharedSentences.map(\.text).allSatisfy { $0.hasPrefix("tcp and udp: not enough data (") })
        #expect(verdict.sharedSentences.count == 1 && result.table.text.contains("  tcp and udp: not enough data"))
        let absent = LatencyExamples.report(
            ["tcp", "udp", "ros"].map {
                LinkRun(
                    link: $0, how: "", command: .series(LatencyExamples.series([1, 2])),
                    telemetry: $0 == "ros" ? .series(LatencyExamples.series([1])) : .absent("nothing was received"))
            })
        let telemetry = LatencyTableSection.all(try #require(LatencySummary(absent).conditions.first))
            .first { $0.title == "telemetry" }
        #expect(telemetry?.notes.contains("tcp and udp: nothing was received") == true, "\(telemetry?.notes ?? [])")
        let failed = LatencyExamples.report(
            ["ssh", "ssh-shell"].map { LinkRun(link: $0, how: "", failure: "cannot log in") })
        let left = LatencyTableSection.all(try #require(LatencySummary(failed).conditions.first)).last
        #expect(left?.title == "left out" && left?.notes == ["ssh and ssh-shell: cannot log in"])
        var progress = MeasurementProgress(MeasuringPlan(links: [.ssh, .sshShell], rateHertz: 100))
        for link in [MeasuredLink.ssh, .sshShell] {
            progress.take(.leftOut(link, reason: "cannot log in"), at: FakeClock().now)
        }
        #expect(progress.progress(at: FakeClock().now).notes == ["ssh and ssh-shell are not measured: cannot log in"])
    }

    @Test(arguments: [(0.9, true), (0.3, false)]) func `a table warns where the wait on this computer is most of it`(
        share: Double, isShown: Bool
    ) throws {
        let series = LatencyExamples.series((0..<400).map { _ in 2 }) { whole in
            StageTimes(whole: whole, known: [.queue: Int64(Double(whole) * share)])
        }
        let result = try alike(series)
        let sections = LatencyTableSection.all(try #require(result.summary.conditions.first))
        let warnings = sections.prefix(2).map(\.warnings)
        let words = "wait before this computer sent it (mean): tcp 1.800 of 2.000 ms, udp 1.800 of 2.000 ms"
        #expect(warnings.allSatisfy { $0.contains { $0.hasSuffix(words) } } == isShown, "\(warnings)")
        #expect(warnings.allSatisfy(\.isEmpty) == !isShown)
        #expect(result.table.text.contains(words) == isShown)
        // The verdict says it once too, of both.
        let verdict = try #require(result.verdicts.first)
        #expect((verdict.sharedWait?.hasSuffix("tcp 1.800 of 2.000 ms, udp 1.800 of 2.000 ms") == true) == isShown)
        #expect(!verdict.sharedSentences.contains { $0.text.contains("before this computer sent it") })
        #expect(result.table.text.split(separator: "Most of it is not the link").count == (isShown ? 2 : 1))
    }

    /// The verdict on links of which a number of setpoints in a row is old, milliseconds.
    private func judged(_ links: [(name: String, age: Int64, count: Int)]) -> LatencyResult {
        var runs: [LinkRun] = []
        for link in links {
            let steering = (0..<6000).map { number -> Int64? in
                (400..<400 + link.count).contains(number) ? link.age : 5
            }
            runs.append(
                LinkRun(
                    link: link.name, how: "", command: .series(LatencyExamples.series((0..<300).map { _ in 10 })),
                    steering: .series(LatencyExamples.series(steering)), telemetry: .absent("")))
        }
        return LatencyResult(LatencyExamples.report(runs))
    }

    @Test func `how far the vehicle travels is said once where it is the same`() throws {
        // Both are limited by the lease: what is older than 200 ms is refused.
        let same = judged([("tcp", 300, 30), ("udp", 400, 40)])
        let verdict = try #require(same.verdicts.first)
        let way =
            "at 2.0 m/s the vehicle travels at most 0.80 m after link loss until it brakes, and 1.00 m more until it stops"
        #expect(verdict.sharedTravel == ["tcp and udp: \(way)."])
        let sentences = verdict.sharedSentences.map(\.text)
        #expect(sentences.count == 2, "\(sentences)")
        for sentence in sentences {
            #expect(!sentence.contains("until it stops"), "\(sentence)")
            #expect(sentence.contains("lapse") && sentence.hasSuffix(". A hover command takes effect after 0.52 m."))
        }
        #expect(same.table.text.split(separator: "until it stops").count == 2)
        // Where it differs it is said of each, and links of which all is the same share the whole sentence.
        let other = try #require(judged([("tcp", 100, 30), ("udp", 400, 40)]).verdicts.first)
        #expect(other.sharedTravel.isEmpty)
        #expect(other.sharedSentences.allSatisfy { $0.text.contains("until it stops") })
        let alike = try #require(judged([("tcp", 400, 40), ("udp", 400, 40)]).verdicts.first)
        #expect(alike.sharedTravel.isEmpty && alike.sharedSentences.count == 1)
    }

    @Test func `why a link failed is said once`() {
        let run = LinkRun(link: "ros", how: "", failure: "no master answers")
        let text = LatencyResult(LatencyExamples.report([run])).table.text
        #expect(text.split(separator: "no master answers", omittingEmptySubsequences: false).count == 2, "\(text)")
    }

    /// In the same process latencies are of microseconds.
    @Test func `no two ticks of an axis have the same label`() throws {
        let axis = try #require(LogAxis([0.0011, 0.02, 900]))
        let ticks = axis.ticks(atMost: 30)
        #expect(
            ticks.map(LatencyPlot.label) == [
                "0.001", "0.002", "0.005", "0.01", "0.02", "0.05", "0.1", "0.2", "0.5", "1", "2", "5", "10", "20", "50",
                "100", "200", "500", "1000",
            ])
    }

    /// Links on one machine end at the same values, each of them where the others' curves are.
    @Test(arguments: [16, 8]) func `a curve's label covers neither a curve nor another label`(rows: Int) throws {
        func plot(_ names: [String]) throws -> String {
            let runs = names.enumerated().map { place, name in
                LinkRun(
                    link: name, how: "",
                    command: .series(LatencyExamples.series((0..<400).map { Int64(2 + ($0 + place) % 3) }, period: 50)))
            }
            let condition = try #require(LatencySummary(LatencyExamples.report(runs)).conditions.first)
            return LatencyPlot.text(.command, of: condition, rows: rows)
        }
        func dots(_ text: String) -> Int { text.count { ("\u{2801}"..."\u{28FF}").contains($0) } }
        let names = ["ssh", "ssh-shell", "tcp", "udp"]
        let text = try plot(names)
        let words = text.split { $0 == " " || $0 == "\n" }
        for name in names { #expect(words.count { $0 == name } == 1, "\(text)") }
        #expect(dots(text) == dots(try plot(["", "", "", ""])), "\(text)")
    }

    @Test func `the axes of a plot in text have titles`() throws {
        let condition = try #require(
            LatencySummary(LatencyExamples.report(LatencyExamples.twoLinks)).conditions.first)
        let lines = LatencyPlot.text(.command, of: condition).split(separator: "\n")
        #expect(lines.first == "share of what was intended")
        #expect(lines.last?.hasSuffix("latency, ms (logarithmic)") == true)
        let failed = LatencyExamples.report([LinkRun(link: "ros", how: "", failure: "no master answers")])
        let empty = try #require(LatencySummary(failed).conditions.first)
        #expect(LatencyPlot.text(.command, of: empty) == "")
    }
}
