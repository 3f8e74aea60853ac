import FlightTestKit
import Foundation
import IntegrationKit
import Testing

/// `uavlink latency` in front of the whole stack.
@Suite(
    .enabled(if: FlightStack.missing == nil, "\(FlightStack.missing ?? "")"), .serialized, .oneFlightStack,
    .timeLimit(.minutes(MachinePace.minutes(3))))
struct LatencyCommandTests {
    private static let delayMilliseconds = 5.0
    private static let direct = ["ssh-tunnel", "tcp", "udp", "ros"]

    private struct Files {
        let folder: URL
        var csv: String { folder.appendingPathComponent("values.csv").path }
        var hdr: String { folder.appendingPathComponent("values.hlog").path }
        var html: String { folder.appendingPathComponent("page.html").path }

        init() throws {
            folder = FileManager.default.temporaryDirectory.appendingPathComponent(
                "uavlink-latency-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        }
    }

    @Test func `six links are measured in one run, and every file says the same of them`() async throws {
        let stack = try await sharedStack()
        let files = try Files()
        defer { try? FileManager.default.removeItem(at: files.folder) }
        let (begun, begin) = (ContinuousClock.now, SchedulingWatch.now)
        let child = try stack.launch(
            [
                "latency", "--impair", "delay=5ms", "--for", "1s", "--json", "--csv", files.csv, "--hdr", files.hdr,
                "--html", files.html,
            ], environment: stack.rosEnvironment)
        let watch = try await stack.schedulingWatch()
        _ = await eventually { child.pid != nil || child.exitStatus != nil }
        if let process = child.pid { watch.add(process) }
        let outcome = FlightStack.Outcome(child, status: try await child.exit(within: .seconds(90)), since: begun)
        watch.settle()
        // Each link is steered for a second: of the worst one the machine took this share.
        let waited =
            stride(from: begin, to: SchedulingWatch.now, by: 100_000_000)
            .map { watch.waited(from: $0, to: $0 + 1_000_000_000) }.max() ?? 0
        let least = 50 * (1 - Double(waited) / 1e9)
        #expect(outcome.status == 0, "\(outcome)")
        let report = try json(outcome)
        let links = try #require(report["links"] as? [[String: Any]])
        #expect(links.compactMap { $0["link"] as? String } == ["ssh", "ssh-shell"] + Self.direct)
        let rows = try String(contentsOfFile: files.csv, encoding: .utf8).split(separator: "\n").dropFirst()
            .map { $0.split(separator: ",", omittingEmptySubsequences: false) }
        for link in links { try check(link, rows, leastHertz: least) }

        let log = try String(contentsOfFile: files.hdr, encoding: .utf8)
        for name in Self.direct { #expect(log.contains("Tag=delay=5ms/\(name)/steering,")) }
        let page = try String(contentsOfFile: files.html, encoding: .utf8)
        #expect(page.contains("Condition: delay=5ms") && page.contains("Can I fly this?"))
        // What was typed runs it again; the vehicle has not moved.
        #expect((report["command_line"] as? String)?.contains("--impair delay=5ms --for 1s") == true)
        let status = try json(try await stack.uavlink("status", "--link", "udp", "--json"))
        #expect(status["flight_state"] as? String == "disarmed")
    }

    @Test func `a persistent process tells the transport of SSH from the start of a program`() async throws {
        let stack = try await sharedStack()
        let outcome = try await stack.uavlink(
            "latency", "--links", "ssh,ssh-persistent,tcp", "--rounds", "2", "--json", environment: stack.rosEnvironment
        )
        #expect(outcome.status == 0, "\(outcome)")
        let links = try #require(try json(outcome)["links"] as? [[String: Any]])
        #expect(links.compactMap { $0["link"] as? String } == ["ssh", "ssh-persistent", "tcp"])
        let (program, process) = (links[0], links[1])
        #expect((process["how"] as? String)?.contains("started once, in ") == true, "\(process["how"] ?? "")")
        // Both are timed on the vehicle, before each call: no start takes no time.
        let how = try #require(program["how"] as? String)
        #expect(how.contains(/login shell [1-9][0-9]* ms, rosservice [1-9][0-9]* ms/), "\(how)")
        let companion = try #require(links[2]["cost"] as? [String: Any])
        // Beside the companions of other tests it cannot be told whose they are, as its processor time.
        if companion["vehicle_cpu_s"] is NSNull {
            #expect(companion["vehicle_wake_ups"] is NSNull, "\(companion)")
        } else {
            #expect(try number(companion, "vehicle_wake_ups") > 0)
        }
        let command = try #require(process["command"] as? [String: Any])
        let started = try #require(program["command"] as? [String: Any])
        #expect(try number(command, "count") >= 2, "\(command)")
        #expect(try number(command, "lost") == 0, "\(command)")
        // Python and its imports take tenths of a second, and a call to a service milliseconds.
        let (call, start) = (try number(command, "min_ms"), try number(started, "min_ms"))
        #expect(call * 3 < start)
        let stages = try #require(command["stages_mean_ms"] as? [String: Double])
        #expect(stages["ros"] ?? 0 > 0 && stages["start_up"] == nil, "\(stages)")
        let cost = try #require(process["cost"] as? [String: Any])
        #expect(try number(cost, "vehicle_cpu_s") > 0)
        #expect(try number(cost, "bytes_up") > 0)
        // One way, to the subscriber of all other links.
        let steering = try #require(process["steering"] as? [String: Any])
        #expect(try number(steering, "count") >= 10, "\(steering)")
        #expect((steering["clock"] as? [String: Any])?["relation"] as? String == "measured")
    }

    @Test func `each link pushes the vehicle to and fro and flies it back, once a user has agreed`() async throws {
        let stack = try await sharedStack()
        let unasked = try await stack.uavlink("latency", "--motion", "--links", "udp")
        #expect(unasked.status == 2 && unasked.errors.contains("keep 1 m around it free"), "\(unasked)")
        #expect(try await stack.uavlink("takeoff", "--arm", "--wait", "--link", "udp", "--quiet").status == 0)
        let before = try await position(stack)
        if TmuxTerminal.isAvailable {
            try await refuse(stack)
            let kept = try await position(stack)
            #expect(zip(before, kept).allSatisfy { abs($0 - $1) < 0.1 }, "\(before) \(kept)")
        } else {
            print("NOT JUDGED: what a user moves who answers 'n', since there is no tmux")
        }
        let outcome = try await stack.uavlink(
            "latency", "--motion", "--yes", "--pushes", "2", "--links", "tcp,udp,ros", "--impair", "delay=20ms",
            "--for", "1s", "--json",
            environment: stack.rosEnvironment)
        #expect(outcome.status == 0, "\(outcome)")
        let links = try #require(try json(outcome)["links"] as? [[String: Any]])
        #expect(links.count == 3)
        for link in links {
            let motion = try #require(link["motion"] as? [String: Any], "\(link["link"] ?? "")")
            #expect(try number(motion, "intended") == 2)
            let least = try number(motion, "min_ms")
            #expect(least >= 2 * 20, "there and back under the condition over \(link["link"] ?? ""): \(motion)")
        }
        let after = try await position(stack)
        #expect(zip(before, after).allSatisfy { abs($0 - $1) < 0.25 }, "\(before) \(after)")
        #expect(try await stack.uavlink("land", "--wait", "--link", "udp", "--quiet").status == 0)
    }

    /// Answers "n" to the question before the vehicle is moved: the program ends with that, and without having measured.
    private func refuse(_ stack: FlightStack) async throws {
        let words = ["latency", "--motion", "--links", "udp", "--for", "1s", "--config", stack.configuration]
        let terminal = try await TmuxTerminal(
            [try BuiltPrograms.path("uavlink")] + words, environment: stack.groundEnvironment, columns: 120)
        do {
            let asked = try await terminal.sees("Move the vehicle?")
            #expect(asked.contains { $0.contains("pushed forward and backward in turn") }, "\(asked)")
            try await terminal.type("n")
            try await terminal.press("Enter")
            let screen = try await terminal.sees("moving the vehicle was not confirmed")
            #expect(!screen.contains { $0.contains("round 1") }, "\(screen)")
        } catch {
            await terminal.stop()
            throw error
        }
        await terminal.stop()
    }

    private func position(_ stack: FlightStack) async throws -> [Double] {
        let status = try json(try await stack.uavlink("status", "--link", "udp", "--json"))
        return try #require(status["position_m"] as? [Double])
    }

    private func check(_ link: [String: Any], _ rows: [[Substring]], leastHertz: Double) throws {
        let name = try #require(link["link"] as? String)
        #expect(link["failure"] is NSNull, "\(name): \(link["failure"] ?? "")")
        let command = try #require(link["command"] as? [String: Any])
        // There and back, a relay each way.
        #expect(try number(command, "min_ms") >= 2 * Self.delayMilliseconds, "\(name)")
        let steering = try #require(link["steering"] as? [String: Any])
        if Self.direct.contains(name) {
            let bound = try number(try #require(steering["clock"] as? [String: Any]), "bound_ms")
            #expect(try number(steering, "min_ms") >= Self.delayMilliseconds - bound, "\(name)")
            #expect(try number(steering, "achieved_hz") > leastHertz, "\(name)")
        }
        for (kind, series) in [("command", command), ("steering", steering)] {
            let stages = try #require(series["stages_mean_ms"] as? [String: Double], "\(name) \(kind)")
            let sum = stages.values.reduce(0, +)
            #expect(abs(sum - (try number(series, "mean_ms"))) < 1e-6, "\(name) \(kind): \(stages)")
            let own = rows.filter { $0[1] == name && $0[2] == kind }
            #expect(own.count == Int(try number(series, "intended")), "\(name) \(kind)")
            for row in own where !row[9].isEmpty && !row[11].isEmpty {
                #expect(row[11..<18].compactMap { Int64($0) }.reduce(0, +) == Int64(row[9]), "\(row)")
                #expect(row[6] == "delivered" && !row[8].isEmpty && !row[10].isEmpty, "\(row)")
            }
        }
    }

    private func number(_ object: [String: Any], _ key: String) throws -> Double {
        try #require(object[key] as? Double ?? (object[key] as? Int).map(Double.init), "\(key): \(object)")
    }

    @Test func `a file that cannot be written is reported before minutes are spent`() async throws {
        let stack = try await sharedStack()
        let outcome = try await stack.uavlink("latency", "--for", "60s", "--csv", "/no/such/folder/values.csv")
        expectFailure(outcome, code: 2, saying: ["/no/such/folder/values.csv", "folder"], within: .seconds(5))
    }

    @Test func `who interrupts it has what was measured until then`() async throws {
        let stack = try await sharedStack()
        let files = try Files()
        defer { try? FileManager.default.removeItem(at: files.folder) }
        let child = try stack.launch(["latency", "--links", "udp", "--for", "60s", "--csv", files.csv])
        try await child.says("round 2")
        child.signal(SIGINT)
        #expect(try await child.exit(within: .seconds(15)) == 130)
        #expect(child.output.contains("warning: interrupted") && child.output.contains("udp"), "\(child.output)")
        let rows = try String(contentsOfFile: files.csv, encoding: .utf8).split(separator: "\n")
        #expect(rows.count { $0.contains(",udp,steering,") } >= 100)
    }
}

extension ChildProcess {
    /// Waits until it has written this to standard error, where progress goes.
    fileprivate func says(_ text: String, within timeout: Duration = .seconds(30)) async throws {
        var patience = Patience(timeout)
        while !errors.contains(text) {
            guard !patience.isOver() else { throw ProcessFailure("it never said '\(text)': \(errors)") }
            try await Task.sleep(for: .milliseconds(20))
        }
    }
}
