import BenchmarkKit
import Foundation
import Glibc
import IntegrationKit
import ReportKit

/// Reads the arguments, runs the parts asked for, prints and judges.
enum BenchmarkProgram {
    private struct Part: Sendable {
        var key: String
        var run: @Sendable (Setting) async throws -> [Section]
    }

    private static let parts = [
        Part(key: "exec") {
            [
                try await ExecBenchmark.run($0, readsStartUpFiles: true),
                try await ExecBenchmark.run($0, readsStartUpFiles: false),
            ]
        },
        Part(key: "command") { try await CommandBenchmark.run($0) },
        Part(key: "stack") { try await DirectBenchmark.onFlightStack($0) },
        Part(key: "steering") { try await SteeringBenchmark.run($0) },
        Part(key: "latency") { try await LatencyBenchmark.run($0) },
        Part(key: "start") { try await StartBenchmark.run($0) },
        Part(key: "screen") { try await ScreenBenchmark.run($0) },
        Part(key: "cloud") { try await CloudBenchmark.run($0) },
        Part(key: "planning") { try await PlanningBenchmark.run($0) },
        Part(key: "ros2") { try await ROS2Benchmark.run($0) },
        Part(key: "ardrone") { try await ARDroneBenchmark.run($0) },
    ]

    /// What `scripts/bench` passes on, and where it has put things.
    private struct Arguments {
        var setting = Setting(peers: "", scripts: "", programs: "", messages: "")
        var only: [String] = []
        var json: String?

        init?(_ words: [String]) {
            var rest = words[...]
            while let word = rest.popFirst() {
                if word == "--quick" {
                    setting.isQuick = true
                    continue
                }
                guard let value = rest.popFirst() else { return nil }
                switch word {
                case "--peers": setting.peers = value
                case "--scripts": setting.scripts = value
                case "--peer-python": setting.peerPython = value
                case "--programs": setting.programs = value
                case "--preloadable": setting.preloadable = value
                case "--messages": setting.messages = value
                case "--only": only += value.split(separator: ",").map(String.init)
                case "--json": json = value
                default: return nil
                }
            }
        }
    }

    static func run(_ words: [String]) async -> Int32 {
        guard let arguments = Arguments(words) else {
            complain("cannot read these arguments; start it with scripts/bench, which has --help")
            return 2
        }
        let known = parts.map(\.key)
        if let unknown = arguments.only.first(where: { !known.contains($0) }) {
            complain("there is no part '\(unknown)'; there are \(known.joined(separator: ", "))")
            return 2
        }
        say(Machine.current.text)
        var sections: [Section] = []
        for part in parts where arguments.only.isEmpty || arguments.only.contains(part.key) {
            do {
                let measured = try await part.run(arguments.setting)
                for section in measured { say(section.text) }
                sections += measured
            } catch {
                var failed = Section(key: part.key, title: part.key)
                failed.failure = "\(error)"
                say(failed.text)
                sections.append(failed)
            }
        }
        let figures = sections.flatMap(\.figures).filter(\.isMeaningful)
        let missed = figures.count { !$0.holds }
        let failures = sections.count { $0.failure != nil }
        say(
            "\n\(figures.count - missed) of \(figures.count) figures hold"
                + (failures > 0 ? ", \(failures) parts could not be measured\n" : "\n"))
        if let path = arguments.json {
            let report = JSONValue.object([
                .init("ok", .bool(missed == 0 && failures == 0)), .init("machine", Machine.current.json),
                .init("quick", .bool(arguments.setting.isQuick)), .init("sections", .array(sections.map(\.json))),
            ])
            guard FileManager.default.createFile(atPath: path, contents: Data((report.text + "\n").utf8)) else {
                complain("cannot write \(path)")
                return 1
            }
        }
        return missed == 0 && failures == 0 ? 0 : 1
    }

    private static func complain(_ text: String) {
        FileHandle.standardError.write(Data("uavlink-bench: \(text)\n".utf8))
    }

    /// At once, also into a pipe: a run takes minutes.
    private static func say(_ text: String) {
        FileHandle.standardOutput.write(Data(text.utf8))
    }
}
