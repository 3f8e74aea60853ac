import BenchmarkKit
import Foundation
import IntegrationKit
import Statistics

/// The text front end: how soon it shows its first frame, and what it costs with ten vehicles.
enum ScreenBenchmark {
    static func run(_ setting: Setting) async throws -> [Section] {
        [try await firstFrame(setting), try await load(setting)]
    }

    private static func firstFrame(_ setting: Setting) async throws -> Section {
        var section = Section(key: "first_frame", title: "The text front end, from its start to its first frame")
        let folder = try TemporaryFolder()
        let environment = surroundings(folder)
        let script = [Setting.python, setting.scripts + "/first_frame.py"]
        let plan = setting.plan(of: 6)
        section.rows = try await plan.measure([
            .peer(
                "uavlink", "uavlink", script + ["Log in", setting.programs + "/uavlink"], environment: environment,
                startsProcess: true),
            .peer(
                "vim", "vim without start-up files",
                script + ["IMproved", "/usr/bin/vim.tiny", "-u", "NONE", "-N"], environment: environment,
                startsProcess: true),
        ])
        section.notes.append(plan.text + "; in a pseudo-terminal of 80 by 24; files are in the system's cache")
        section.figures.append(
            Figure(
                name: "first frame: median", estimate: section.series("uavlink").estimate(.p50, per: 1e6), unit: "ms",
                limit: .atMost(12)))
        withExtendedLifetime(folder) {}
        return section
    }

    private static let vehicles = 10

    private static func load(_ setting: Setting) async throws -> Section {
        var section = Section(key: "screen_load", title: "The text front end with \(vehicles) vehicles' telemetry")
        let seconds = setting.amount(20, quick: 5)
        var (shares, frames): ([Double], [Double]) = ([], [])
        for _ in 0..<setting.amount(5, quick: 2) {
            let folder = try TemporaryFolder()
            try await withCrew { crew in
                let process = try await crew.process(
                    [
                        Setting.python, setting.scripts + "/screen_load.py", setting.programs + "/uavlink",
                        "\(vehicles)", "\(seconds)",
                    ], environment: surroundings(folder))
                let line = try await process.line(containing: "load ", within: .seconds(120))
                let numbers = line.split(separator: " ").compactMap { Double($0) }
                guard numbers.count == 3 else { throw ProcessFailure("cannot read '\(line)'") }
                shares.append(numbers[0] * 100)
                frames.append(numbers[1])
            }
            withExtendedLifetime(folder) {}
        }
        let rate = Estimate(byRun: frames)
        section.notes.append(
            "the telemetry screen at 120 by 40 for \(seconds) s, each vehicle over UDP at 50 Hz: "
                + "\(Figure.short(rate.value)) frames a second (\(rate.spreadText))")
        section.figures.append(
            Figure(name: "of one core", estimate: Estimate(byRun: shares), unit: "%", limit: .atMost(2.5)))
        return section
    }

    private static func surroundings(_ folder: TemporaryFolder) -> [String: String] {
        Setting.environment.merging(
            ["HOME": folder.path, "XDG_RUNTIME_DIR": folder.path, "TERM": "xterm-256color"]) { _, new in new }
    }
}
