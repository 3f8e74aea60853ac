import Foundation
import IntegrationKit

/// The text front end: how soon it shows its first frame, and what it costs with ten vehicles.
enum ScreenBenchmark {
    static func run(_ setting: Setting) async throws -> [Section] {
        [try await firstFrame(setting), try await load(setting)]
    }

    private static func firstFrame(_ setting: Setting) async throws -> Section {
        var section = Section(key: "first_frame", title: "The text front end, from its start to its first frame")
        let folder = try TemporaryFolder()
        let environment = surroundings(folder)
        try await withCrew { crew in
            let script = [Setting.python, setting.scripts + "/first_frame.py"]
            let mine = try await crew.peer(
                "first frame", script + ["Log in", setting.programs + "/uavlink"], environment: environment)
            let vim = try await crew.peer(
                "vim", script + ["IMproved", "/usr/bin/vim.tiny", "-u", "NONE", "-N"], environment: environment)
            var times: [[Int64]] = [[], []]
            for _ in 0..<setting.amount(10, quick: 3) {
                for (index, peer) in [mine, vim].enumerated() { times[index] += try await peer.run(5) }
            }
            let latencies = times.map { Latencies(nanoseconds: $0) }
            section.notes.append("in a pseudo-terminal of 80 by 24; files are in the system's cache")
            section.add("uavlink", "uavlink", latencies[0])
            section.add("vim", "vim without start-up files", latencies[1])
            section.figures.append(
                Figure(name: "first frame: median", value: latencies[0].median / 1e6, unit: "ms", limit: .atMost(50)))
        }
        return section
    }

    private static let vehicles = 10

    private static func load(_ setting: Setting) async throws -> Section {
        var section = Section(key: "screen_load", title: "The text front end with \(vehicles) vehicles' telemetry")
        let folder = try TemporaryFolder()
        try await withCrew { crew in
            let seconds = setting.amount(20, quick: 5)
            let process = try await crew.process(
                [
                    Setting.python, setting.scripts + "/screen_load.py", setting.programs + "/uavlink", "\(vehicles)",
                    "\(seconds)",
                ], environment: surroundings(folder))
            let line = try await process.line(containing: "load ", within: .seconds(120))
            let numbers = line.split(separator: " ").compactMap { Double($0) }
            guard numbers.count == 3 else { throw ProcessFailure("cannot read '\(line)'") }
            section.notes.append(
                "the telemetry screen at 120 by 40 for \(seconds) s, each vehicle over UDP at 50 Hz: "
                    + "\(numbers[1]) frames a second")
            section.figures.append(
                Figure(name: "of one core", value: numbers[0] * 100, unit: "%", limit: .atMost(5)))
        }
        return section
    }

    private static func surroundings(_ folder: TemporaryFolder) -> [String: String] {
        Setting.environment.merging(
            ["HOME": folder.path, "XDG_RUNTIME_DIR": folder.path, "TERM": "xterm-256color"]) { _, new in new }
    }
}
