import Foundation
import IntegrationKit
import Testing

/// `uavlink plan` as a script calls it, without a drone.
@Suite(.enabled(if: BuiltPrograms.folder != nil), .timeLimit(.minutes(MachinePace.minutes(2))))
struct PlanCommandTests {
    private let home: TemporaryFolder

    init() throws { home = try TemporaryFolder() }

    private func plan(_ arguments: [String]) async throws -> (child: ChildProcess, status: Int32) {
        let child = try ChildProcess(
            [BuiltPrograms.path("uavlink"), "plan"] + arguments,
            environment: ["PATH": "/usr/bin:/bin", "HOME": home.path, "XDG_RUNTIME_DIR": home.path])
        return (child, try await child.exit())
    }

    private static let mission = """
        {"fileType": "Plan", "version": 1, "mission": {"items": [
          {"type": "SimpleItem", "command": 16, "frame": 3, "params": [0, 0, 0, null, 47.397743, 8.545594, 2]},
          {"type": "SimpleItem", "command": 18, "frame": 3, "params": [2, 0, 5, 0, 47.397743, 8.545594, 2]},
          {"type": "SimpleItem", "command": 177, "frame": 2, "params": [1, 5, 0, 0, 0, 0, 0]},
          {"type": "SimpleItem", "command": 115, "frame": 2, "params": [90, 0, 1, 1, 0, 0, 0]},
          {"type": "SimpleItem", "command": 16, "frame": 3, "params": [0, 0, 0, null, 47.397773, 8.545594, 2]}
        ]}, "geoFence": {"version": 2, "circles": [], "polygons": [{"inclusion": false, "version": 1, "polygon":
          [[47.3977, 8.5455], [47.3978, 8.5455], [47.3978, 8.5456]]}]}}
        """

    @Test(arguments: [["--json", "--quiet"], ["--quiet"]])
    func `a route with parts that are left out is not imported, unless that is allowed`(output: [String]) async throws {
        let path = try home.write(Self.mission, to: "a.plan")
        let file = home.path + "/made.txt"
        let lost = [
            "(LOITER_TURNS) is left out", "(DO_JUMP) is left out", "a yaw by an angle", "an area of the geofence",
        ]
        let (child, status) = try await plan(["import", path, file] + output)
        #expect(status == 1, "\(child.output) \(child.errors)")
        for words in lost { #expect(child.errors.contains(words), "\(child.errors)") }
        #expect(child.errors.contains("--allow-omissions"), "\(child.errors)")
        #expect(!FileManager.default.fileExists(atPath: file))
        let (allowed, code) = try await plan(["import", path, file, "--allow-omissions"] + output)
        #expect(code == 0, "\(allowed.output) \(allowed.errors)")
        for words in lost { #expect(allowed.errors.contains(words), "\(allowed.errors)") }
        #expect(FileManager.default.fileExists(atPath: file))
        guard output.contains("--json") else { return }
        for (child, isWarning) in [(child, false), (allowed, true)] {
            let object = try JSONSerialization.jsonObject(with: Data(child.output.utf8)) as? [String: Any]
            #expect(object?["ok"] as? Bool == isWarning, "\(child.output)")
            let problems = object?["problems"] as? [[String: Any]] ?? []
            for words in lost {
                let found = problems.first { ($0["what"] as? String)?.contains(words) == true }
                #expect(found?["is_warning"] as? Bool == isWarning, "\(words): \(child.output)")
            }
        }
    }

    @Test func `a plan without a drone to fly it names the option for its address`() async throws {
        let path = try home.write("takeoff\nland\n", to: "p.txt")
        let (child, status) = try await plan(["run", path])
        #expect(status == 2 && child.errors.contains("--link tello://ADDRESS"), "\(child.errors)")
    }

    @Test func `a table is no flight plan, which is said once`() async throws {
        let path = try home.write(String(repeating: "1,2,3\n", count: 100), to: "p.csv")
        for command in ["check", "show"] {
            let (child, status) = try await plan([command, path])
            #expect(status == 1 && child.output.split(separator: "\n").count == 1, "\(child.output)")
            #expect(child.output.hasPrefix("this is no flight plan: 100 of its 100 lines"), "\(child.output)")
        }
    }
}
