import Foundation
import IntegrationKit
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// What scripts get when a command fails, is stopped, or cannot write; no vehicle is needed for it.
@Suite(.enabled(if: BuiltPrograms.folder != nil), .timeLimit(.minutes(MachinePace.minutes(2))))
struct CommandOutputTests {
    private let home: TemporaryFolder

    init() throws { home = try TemporaryFolder() }

    private func environment(_ more: [String: String] = [:]) throws -> [String: String] {
        let own = [
            "PATH": "/usr/bin:/bin", "HOME": home.path, "XDG_RUNTIME_DIR": home.path,
            "UAVLINK": try BuiltPrograms.path("uavlink"),
        ]
        return own.merging(more) { $1 }
    }

    private func uavlink(_ arguments: [String], _ more: [String: String] = [:]) throws -> ChildProcess {
        try ChildProcess([BuiltPrograms.path("uavlink")] + arguments, environment: environment(more))
    }

    private func shell(_ line: String) throws -> ChildProcess {
        try ChildProcess(["/bin/bash", "-c", line], environment: environment())
    }

    @Test(
        arguments: [
            (["--json", "takof"], 2, "'uavlink' has no subcommand 'takof'", "did you mean 'takeoff'?"),
            (["goto", "1", "2", "--json"], 2, "Z is missing", "try 'uavlink goto --help'"),
            (["--json", "--vehicle", "nobody", "status"], 2, "'nobody'", ""),
            (
                ["--json", "--host", "127.0.0.1", "--port", "9", "--user", "x", "hover"], 3, "127.0.0.1 port 9",
                "SSH server"
            ),
            // The relays in front of the links accept what the host refuses.
            (
                ["-q", "--json", "--host", "127.0.0.1", "--port", "9", "--user", "x", "latency", "--links", "ssh,tcp"],
                3, "127.0.0.1 port 9", "SSH server"
            ),
            (["--json", "trajectory", "check", "--offline", "/nowhere/a.csv"], 2, "/nowhere/a.csv", ""),
            (["--json", "map", "info", "/nowhere/a.pcd"], 2, "/nowhere/a.pcd", ""),
            (["--json", "--password-file", "pw"], 2, "--password-file is of a log-in", "--vehicle"),
        ])
    func `an error is one object, beside the line for people`(
        arguments: [String], code: Int, error: String, hint: String
    ) async throws {
        let child = try uavlink(arguments)
        #expect(try await child.exit() == Int32(code), "\(child.output) \(child.errors)")
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(child.output.utf8)) as? [String: Any], "\(child.output)")
        #expect(object["ok"] as? Bool == false)
        #expect(object["exit_code"] as? Int == code)
        #expect((object["error"] as? String)?.contains(error) == true, "\(child.output)")
        #expect(hint.isEmpty || (object["hint"] as? String)?.contains(hint) == true, "\(child.output)")
        #expect(child.errors.hasPrefix("uavlink: ") && child.errors.contains(error), "\(child.errors)")
    }

    @Test func `a check that fails says why in its own object`() async throws {
        let path = try home.write("0,0,2\n30,0,2\n", to: "high.csv")
        let child = try uavlink(
            ["--json", "trajectory", "check", "--offline", "--frame", "world_origin", "--max-z", "1", path])
        #expect(try await child.exit() == 1, "\(child.output) \(child.errors)")
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(child.output.utf8)) as? [String: Any], "\(child.output)")
        #expect(object["ok"] as? Bool == false && object["findings"] is [Any])
        #expect(object["error"] as? String == "the flight check failed" && object["exit_code"] as? Int == 1)
    }

    /// Each of them once had a form of its own.
    @Test func `every result is one object that says ok`() async throws {
        let map = try home.write("0 0 0\n1 1 1\n2 2 2\n", to: "room.xyz")
        let route = try home.write("0,0,2\n10,0,2\n", to: "route.csv")
        let bag = home.path + "/flight.bag"
        let flight = try uavlink(["--link", "sim", "status", "--record", bag, "--json"])
        #expect(try await flight.exit() == 0, "\(flight.errors)")
        let offline = ["--offline", "--frame", "world_origin", route]
        let commands = [
            ["map", "info", map], ["map", "slice", map, "--layer", "1"],
            ["map", "slice", map, "--layer", "1", "--output", home.path + "/slice.pcd"],
            ["review", bag], ["review", bag, "--replay"], ["trajectory", "check"] + offline,
            ["trajectory", "preview"] + offline, ["--link", "sim", "status"], ["--link", "sim", "map", "world"],
            ["--link", "sim", "map", "pull", "--list"], ["--link", "sim", "doctor"],
        ]
        for command in commands {
            let child = try uavlink(command + ["--json"])
            #expect(try await child.exit() == 0, "\(command): \(child.output) \(child.errors)")
            let object = try JSONSerialization.jsonObject(with: Data(child.output.utf8)) as? [String: Any]
            #expect(object?["ok"] as? Bool == true, "\(command): \(child.output)")
        }
        // What could not be written was not well.
        let refused = try uavlink(["map", "slice", map, "--layer", "1", "--output", "/nowhere/slice.pcd", "--json"])
        #expect(try await refused.exit() != 0)
        let object = try JSONSerialization.jsonObject(with: Data(refused.output.utf8)) as? [String: Any]
        #expect(object?["ok"] as? Bool == false, "\(refused.output)")
    }

    @Test func `every answer of a vehicle names it`() async throws {
        let route = try home.write("0,0,2\n10,0,2\n", to: "route.csv")
        let check = ["trajectory", "check", route, "--frame", "world_origin"]
        for command in [["map", "world"], ["map", "pull", "--list"], check] {
            let child = try uavlink(["--link", "sim"] + command)
            _ = try await child.exit()
            #expect(child.output.hasPrefix("uav1 (simulated):\n"), "\(command): \(child.output)")
        }
        let file = try uavlink(check + ["--offline"])
        _ = try await file.exit()
        #expect(!file.output.contains("uav1"), "\(file.output)")
        let refused = try uavlink(["--link", "sim", "map", "pull", "--topic", "/nowhere"])
        #expect(try await refused.exit() == 1, "\(refused.output)")
        #expect(refused.errors.contains("uavlink: uav1 (simulated): the vehicle"), "\(refused.errors)")
        let latency = try uavlink(["--link", "sim", "latency", "--csv", "/nowhere/values.csv", "--json"])
        #expect(try await latency.exit() != 0)
        let object = try JSONSerialization.jsonObject(with: Data(latency.output.utf8)) as? [String: Any]
        #expect(object?["target"] as? String == "uav1 (simulated)", "\(latency.output)")
    }

    @Test func `what is in doubt about a map is a warning of what uses it`() async throws {
        let map = try home.write("1,234;567;12\n2,345;678;13\n", to: "doubtful.xyz")
        let points = try home.write("1.5,600,12\n1.6,601,12\n", to: "points.csv")
        let plan = ["map", "plan", map, "--points", points, "--open-unknown", "--offline"]
        for command in [["map", "slice", map, "--layer", "1"], plan] {
            let child = try uavlink(command + ["--json"])
            _ = try await child.exit()
            #expect(child.errors.contains("warning: every comma has three digits behind it"), "\(child.errors)")
            let object = try JSONSerialization.jsonObject(with: Data(child.output.utf8)) as? [String: Any]
            let warnings = object?["warnings"] as? [String] ?? []
            #expect(warnings.contains { $0.hasPrefix("every comma has three digits") }, "\(child.output)")
        }
    }

    @Test func `a map that a full disk does not take is an error of output`() async throws {
        let map = try home.write("x y z\n0 0 1\n1 0 1.5\n", to: "full.xyz")
        let child = try uavlink(["map", "slice", map, "--layer", "1", "--output", "/dev/full", "--force"])
        #expect(try await child.exit() == 74, "\(child.errors)")
        let room = try home.write("-5 -5 0\n5 5 6\n", to: "large.xyz")
        let walls = try home.write("0,0,3\n2,0,3\n", to: "walls.csv")
        let output = home.path + "/full.csv"
        try FileManager.default.createSymbolicLink(atPath: output, withDestinationPath: "/dev/full")
        let plan = try uavlink([
            "map", "plan", room, "--points", walls, "--open-unknown", "--offline", "--output", output, "--force",
        ])
        #expect(try await plan.exit() == 74, "\(plan.output) \(plan.errors)")
    }

    @Test func `-- ends the options, also --json`() async throws {
        let child = try uavlink(["exec", "--no-such-option", "--", "--json"])
        #expect(try await child.exit() == 2)
        #expect(child.output.isEmpty, "\(child.output)")
    }

    @Test(arguments: [
        "$UAVLINK --help", "$UAVLINK --json takof", "$UAVLINK completion bash",
        // Its verdict, 1, is in what was not written.
        "$UAVLINK --host 127.0.0.1 --port 9 --user x doctor",
    ])
    func `a full disk is an error`(line: String) async throws {
        let child = try shell("\(line) >/dev/full")
        let status = try await child.exit()
        #expect(status == (line.contains("takof") ? 2 : 74), "\(child.errors)")
        #expect(
            child.errors.contains("uavlink: cannot write to standard output: no space left on device\n"),
            "\(child.errors)")
    }

    @Test func `a terminal that can only print lines gets a sentence`() async throws {
        let child = try shell("script -qec 'env TERM=dumb $UAVLINK' /dev/null </dev/null")
        #expect(try await child.exit() == 2, "\(child.output)")
        #expect(child.output.contains("this one is TERM=dumb; set TERM"), "\(child.output)")
        #expect(!child.output.contains("\u{1B}"), "\(child.output)")
    }

    @Test func `a reader that has gone ends a command without a word`() async throws {
        let child = try shell("$UAVLINK --help | true; echo ${PIPESTATUS[0]}; $UAVLINK status --help | head -n 1")
        #expect(try await child.exit() == 0)
        #expect(["0", "141"].contains(child.output.split(separator: "\n").first.map(String.init)), "\(child.output)")
        #expect(child.errors.isEmpty, "\(child.errors)")
    }

    @Test(arguments: [(SIGINT, 130), (SIGTERM, 143), (SIGHUP, 129)] as [(Int32, Int32)])
    func `a signal gives the code that shells know`(signal: Int32, code: Int32) async throws {
        let simulator = try uavlink(["sim"])
        try await simulator.line(ofErrorsContaining: "is ready")
        let child = try uavlink(["--vehicle", "sim", "status", "--watch", "--every", "50ms", "--json"])
        let first = try await child.line(containing: "\"vehicle\"")
        child.signal(signal)
        #expect(try await child.exit() == code, "\(child.errors)")
        let status = try #require(
            try JSONSerialization.jsonObject(with: Data(first.utf8)) as? [String: Any], "\(first)")
        #expect(status["ok"] as? Bool == true)
        #expect(
            (status["time"] as? String)?.wholeMatch(of: #/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/#) != nil, "\(first)")
        // What is printed without a reader ends too.
        let piped = try shell(
            "$UAVLINK --vehicle sim status --watch --every 20ms | head -n 2 >/dev/null; echo ${PIPESTATUS[0]}")
        #expect(try await piped.exit() == 0)
        #expect(piped.output == "141\n", "\(piped.output) \(piped.errors)")
        // It runs until a signal ends it, and gives the same codes.
        simulator.signal(signal)
        #expect(try await simulator.exit() == code)
    }

    /// How many metres east the vehicle was, as its status said last.
    private static func east(_ watch: ChildProcess) -> Double {
        let positions = watch.output.suffix(10_000).matches(of: #/"position_m": \[([0-9.]+),/#)
        return positions.last.flatMap { Double($0.1) } ?? 0
    }

    @Test func `who interrupts a wait is told that the vehicle goes on, and what stops it`() async throws {
        let simulator = try uavlink(["sim"])
        try await simulator.line(ofErrorsContaining: "is ready")
        let takeOff = try uavlink(["--vehicle", "sim", "takeoff", "--arm", "--wait"])
        #expect(try await takeOff.exit() == 0, "\(takeOff.errors)")
        let goto = try uavlink(["--vehicle", "sim", "goto", "30", "0", "3", "--wait"])
        let watch = try uavlink(["--vehicle", "sim", "status", "--watch", "--every", "50ms", "--json"])
        // It is under way, 1 m at least.
        #expect(await eventually { Self.east(watch) >= 1 }, "\(watch.errors)")
        goto.signal(SIGINT)
        #expect(try await goto.exit() == 130)
        #expect(
            goto.errors.contains("uav1 (simulated): interrupted: the vehicle goes on with 'goto'"), "\(goto.errors)")
        #expect(goto.errors.contains("'hover' with the same options stops it"), "\(goto.errors)")
        // A reference that the vehicle has accepted is not taken back by the program's end.
        let interrupted = Self.east(watch)
        #expect(await eventually { Self.east(watch) >= min(interrupted + 2, 29) }, "\(watch.errors)")
        watch.signal(SIGTERM)
        simulator.signal(SIGTERM)
        _ = try await (watch.exit(), simulator.exit())
    }

    @Test func `a refusal names the vehicle as an accepted answer does`() async throws {
        let simulator = try uavlink(["sim"])
        try await simulator.line(ofErrorsContaining: "is ready")
        let child = try uavlink(["--vehicle", "sim", "--json", "hover"])
        #expect(try await child.exit() == 1, "\(child.output)")
        #expect(child.errors.hasPrefix("uavlink: uav1 (simulated): the vehicle refused hover: "), "\(child.errors)")
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(child.output.utf8)) as? [String: Any], "\(child.output)")
        #expect(object["target"] as? String == "uav1 (simulated)")
        #expect((object["error"] as? String)?.hasPrefix("the vehicle refused hover: ") == true, "\(child.output)")
        simulator.signal(SIGTERM)
        _ = try await simulator.exit()
    }

    @Test func `a ticket is a line, and in JSON a member of the object`() async throws {
        let simulator = try uavlink(["sim"])
        try await simulator.line(ofErrorsContaining: "is ready")
        let plain = try uavlink(["--uav", "uav1", "bootstrap"])
        #expect(try await plain.exit() == 0, "\(plain.errors)")
        #expect(plain.output.hasPrefix("uavlink-channel ") && plain.output.hasSuffix("\n"))
        let child = try uavlink(["--uav", "uav1", "--json", "bootstrap"])
        #expect(try await child.exit() == 0, "\(child.errors)")
        let object = try #require(try JSONSerialization.jsonObject(with: Data(child.output.utf8)) as? [String: Any])
        #expect(object["ok"] as? Bool == true)
        let ticket = try #require(object["ticket"] as? String)
        #expect(ticket.hasPrefix("uavlink-channel ") && ticket.contains(" key=") && !ticket.contains("\n"))
        simulator.signal(SIGTERM)
        _ = try await simulator.exit()
    }

    @Test func `links are measured without a vehicle, on a simulated one that ends with the command`() async throws {
        let child = try uavlink(["--link", "sim", "latency", "--for", "2s", "--json"])
        #expect(try await child.exit() == 0, "\(child.errors)")
        let report = try #require(
            try JSONSerialization.jsonObject(with: Data(child.output.utf8)) as? [String: Any], "\(child.output)")
        let conditions = try #require(report["conditions"] as? [[String: Any]], "\(report.keys)")
        let links = try #require(conditions.first?["links"] as? [[String: Any]], "\(conditions)")
        #expect(Set(links.compactMap { $0["link"] as? String }) == ["tcp", "udp"])
        #expect(!child.errors.contains("left out"), "\(child.errors)")
    }

    @Test func `a ROS master that refuses is said at once`() async throws {
        let port = try freePort()
        let child = try uavlink(
            ["--link", "ros", "--timeout", "10min", "--json", "status"], ["ROS_MASTER_URI": "http://127.0.0.1:\(port)"])
        // Not after the ten minutes that an answer may take.
        #expect(try await child.exit() == 3, "\(child.errors)")
        #expect(child.errors.contains("cannot reach the ROS master"), "\(child.errors)")
    }

    /// Swift's runtime traps where it cannot open what it needs, and the ground would start the companion again and again.
    @Test func `a companion that may open too few files says so before it flies anything`() async throws {
        let companion = try BuiltPrograms.path("uavlink-companion")
        let limited = try shell("ulimit -n 20; exec '\(companion)' run --uav uav1")
        #expect(try await limited.exit() == 3)
        #expect(limited.errors.contains("this program may open 20 files, and needs 64; raise"), "\(limited.errors)")
    }
}
