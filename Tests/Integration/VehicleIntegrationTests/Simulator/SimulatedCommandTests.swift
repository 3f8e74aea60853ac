import Foundation
import IntegrationKit
import Testing

/// `uavlink sim`, and the commands of a user who flies its vehicle from other terminals.
struct SimulatedProgram {
    let folder: TemporaryFolder
    let environment: [String: String]

    /// Starts the simulated vehicle, and ends it whatever `body` does.
    static func run(_ body: (SimulatedProgram) async throws -> Void) async throws {
        let folder = try TemporaryFolder()
        let environment = [
            "UAVLINK_RUNTIME_DIR": folder.path + "/run", "HOME": folder.path, "PATH": "/usr/bin:/bin",
        ]
        let simulator = try ChildProcess([BuiltPrograms.path("uavlink"), "sim"], environment: environment)
        do {
            _ = try await simulator.line(ofErrorsContaining: "is ready")
            try await body(SimulatedProgram(folder: folder, environment: environment))
        } catch {
            await simulator.stop()
            throw error
        }
        await simulator.stop()
    }

    /// A command to the simulated vehicle, which runs.
    func start(_ arguments: [String]) throws -> ChildProcess {
        try ChildProcess(
            [BuiltPrograms.path("uavlink"), "--vehicle", "sim"] + arguments, environment: environment)
    }

    /// Runs a command to its end.
    @discardableResult
    func uavlink(_ arguments: String..., expecting status: Int32 = 0) async throws -> ChildProcess {
        let child = try start(arguments)
        #expect(try await child.exit(within: .seconds(90)) == status, "\(arguments): \(child.output) \(child.errors)")
        return child
    }

    /// A member of what `uavlink status --json` prints.
    func status(_ key: String) async throws -> Any? {
        let child = try await uavlink("status", "--json")
        let object = try JSONSerialization.jsonObject(with: Data(child.output.utf8)) as? [String: Any]
        return try #require(object)[key]
    }

    /// Metres east in the vehicle's frame.
    func east() async throws -> Double {
        let position = try await status("position_m") as? [Any]
        return try #require(position?.first as? Double)
    }
}

/// What a user is told who flies by commands.
@Suite(
    .enabled(if: BuiltPrograms.folder != nil), .serialized, .timeLimit(.minutes(MachinePace.minutes(4))))
struct SimulatedCommandTests {
    private static let target = "uav1 (simulated)"

    @Test func `every answer names the vehicle`() async throws {
        try await SimulatedProgram.run { flight in
            try await flight.uavlink("takeoff", "--arm", "--wait")
            let commands = [
                ["hover"], ["steer", "--vx", "0.5", "--for", "300ms"], ["control"], ["heading", "10"],
                ["altitude", "2"],
            ]
            for command in commands {
                let told = try flight.start(command)
                #expect(try await told.exit() == 0, "\(command): \(told.errors)")
                #expect(told.output.hasPrefix(Self.target + ": "), "\(command): \(told.output)")
                let script = try flight.start(command + ["--json"])
                #expect(try await script.exit() == 0, "\(command): \(script.errors)")
                #expect(script.output.contains("\"target\": \"\(Self.target)\""), "\(command): \(script.output)")
            }
            let refused = try await flight.uavlink("goto", "9999", "0", "3", expecting: 1)
            #expect(refused.errors.contains(Self.target + ": "), "\(refused.errors)")
            try await flight.uavlink("land")
        }
    }

    @Test func `a goto tells where it arrived, or that another command replaced it`() async throws {
        try await SimulatedProgram.run { flight in
            try await flight.uavlink("takeoff", "--arm", "--wait")
            let there = try await flight.uavlink("goto", "3", "0", "3", "--wait")
            #expect(there.output.contains("arrived at ") && there.output.contains(" after "), "\(there.output)")
            let x = try await flight.east()
            #expect(abs(x - 3) < 0.5)

            let far = try flight.start(["goto", "95", "0", "3", "--wait"])
            let isUnderWay = try await eventually { try await flight.east() > 5 }
            #expect(isUnderWay)
            try await flight.uavlink("hover")
            #expect(try await far.exit() == 1, "\(far.output) \(far.errors)")
            #expect(far.errors.contains("not reached: replaced at "), "\(far.output) \(far.errors)")
            #expect(!far.output.contains("arrived"), "\(far.output)")
            try await flight.uavlink("land")
        }
    }

    @Test(.enabled(if: TmuxTerminal.isAvailable, "tmux is needed"))
    func `the motors of a vehicle in flight stop only after its name was typed`() async throws {
        try await SimulatedProgram.run { flight in
            try await flight.uavlink("takeoff", "--arm", "--wait")
            let refused = try await flight.uavlink("disarm", expecting: 1)
            #expect(refused.errors.contains("without its motors it falls"), "\(refused.errors)")
            let unasked = try await flight.uavlink("disarm", "--force", expecting: 2)
            #expect(unasked.errors.contains("there is no terminal for the confirmation"), "\(unasked.errors)")
            #expect(unasked.errors.contains(Self.target + ": "), "\(unasked.errors)")
            #expect(refused.errors.contains("--force, at a terminal, stops"), "\(refused.errors)")
            try await disarm(flight, typing: "yes", code: 2, saying: "disarming was not confirmed")
            let state = try await flight.status("flight_state") as? String
            #expect(state == "flying")
            try await disarm(flight, typing: "uav1", code: 0, saying: Self.target + ": ")
            let isOff = try await eventually { try await flight.status("armed") as? Bool == false }
            #expect(isOff)
        }
    }

    /// Stops the motors at a terminal, and answers the question.
    private func disarm(
        _ flight: SimulatedProgram, typing answer: String, code: Int, saying words: String
    ) async throws {
        let program = try BuiltPrograms.path("uavlink")
        let script = try flight.folder.write(
            "\(program) --vehicle sim disarm --force\necho ended with $?.\nread line\n", to: "person.sh")
        let terminal = try await TmuxTerminal(
            ["/bin/sh", script], environment: flight.environment, columns: 120)
        do {
            try await terminal.sees("Type uav1 to confirm:")
            try await terminal.type(answer)
            try await terminal.press("Enter")
            let screen = try await terminal.sees("ended with \(code).")
            #expect(screen.contains { $0.contains(words) }, "\(screen)")
        } catch {
            await terminal.stop()
            throw error
        }
        await terminal.stop()
    }

    /// A world with an obstacle across the way from the origin to the east.
    private static let walled = """
        world_origin: {units: "LATLON", origin_x: 47.397743, origin_y: 8.545594}
        safety_area:
          enabled: true
          horizontal: {frame_name: "world_origin", points: [-50, -50, 50, -50, 50, 50, -50, 50]}
          vertical: {frame_name: "world_origin", min_z: -1.0, max_z: 15.0}
          obstacles:
            present: true
            obstacle_0:
              horizontal: {frame_name: "world_origin", points: [1.5, -1, 2.5, -1, 2.5, 1, 1.5, 1]}
              vertical: {frame_name: "world_origin", min_z: -1.0, max_z: 10.0}
        """

    /// The flight stack starts whatever it holds.
    @Test func `another trajectory than that of the file is not started, and one that was flown is noticed`()
        async throws
    {
        try await SimulatedProgram.run { flight in
            let frame = ("--frame", "world_origin")
            let sent = try flight.folder.write("x,y,z\n0,0,3\n4,0,3\n", to: "sent.csv")
            let longer = try flight.folder.write("x,y,z\n0,0,3\n12,0,3\n", to: "longer.csv")
            let north = try flight.folder.write("x,y,z\n0,0,3\n0,4,3\n", to: "north.csv")
            try await flight.uavlink("takeoff", "--arm", "--wait")
            try await flight.uavlink("trajectory", "send", sent, frame.0, frame.1)
            for action in ["start", "goto-start"] {
                let refused = try await flight.uavlink(
                    "trajectory", action, longer, frame.0, frame.1, "--wait", expecting: 1)
                #expect(refused.errors.contains("the vehicle holds another trajectory, of "), "\(refused.errors)")
            }
            // Nor through an obstacle of a world that was given later.
            let near = try flight.folder.write(Self.walled, to: "near.yaml")
            for action in ["start", "goto-start"] {
                let refused = try await flight.uavlink(
                    "trajectory", action, sent, frame.0, frame.1, "--world", near, "--wait", expecting: 1)
                #expect(refused.errors.contains("of the obstacle 'obstacle_0'"), "\(refused.errors)")
            }
            let east = try await flight.east()
            #expect(abs(east) < 0.5, "nothing was flown")
            try await flight.uavlink("trajectory", "goto-start", sent, frame.0, frame.1, "--wait")
            let flown = try await flight.uavlink(
                "trajectory", "start", north, frame.0, frame.1, "--wait", "--json", expecting: 1)
            #expect(flown.errors.contains("the vehicle did not fly along this trajectory"), "\(flown.errors)")
            #expect(flown.output.contains("\"ok\": false"), "\(flown.output)")
            // Without FILE nothing is known of its start, and a recording has no plan.
            let bag = flight.folder.path + "/blind.bag"
            let blind = try await flight.uavlink("trajectory", "start", "--json", "--record", bag)
            let warning = "not checked whether the vehicle is at the start of the trajectory"
            #expect(blind.errors.contains("warning: \(warning)"), "\(blind.errors)")
            #expect(blind.errors.contains("from afar it cuts across to the moving trajectory"), "\(blind.errors)")
            #expect(blind.output.contains("\"warnings\": [\"\(warning)"), "\(blind.output)")
            #expect(blind.errors.contains("warning: the recording has no plan"), "\(blind.errors)")
            #expect(blind.output.contains("\"the recording has no plan"), "\(blind.output)")
            // Nor where it was stopped; it may be flown to its end by now.
            let resumed = try flight.start(["trajectory", "resume", "--json"])
            _ = try await resumed.exit(within: .seconds(90))
            let place = "not checked whether the vehicle is where the trajectory was stopped"
            #expect(resumed.errors.contains("warning: \(place)"), "\(resumed.errors)")
            try await flight.uavlink("land")
        }
    }

    /// The tracker passes the last sample long before the vehicle comes near.
    @Test func `a trajectory that is started from afar is not said to be flown`() async throws {
        try await SimulatedProgram.run { flight in
            let sent = try flight.folder.write("x,y,z\n0,0,3\n6,0,3\n", to: "sent.csv")
            try await flight.uavlink("takeoff", "--arm", "--wait")
            try await flight.uavlink("trajectory", "send", sent, "--frame", "world_origin")
            try await flight.uavlink("goto", "25", "25", "5", "--wait")
            let flown = try await flight.uavlink("trajectory", "start", "--wait", "--json", expecting: 1)
            let words = "it is not known whether the end of the trajectory was reached: the flight ended at "
            #expect(flown.errors.contains(words), "\(flown.errors)")
            #expect(flown.output.contains("\"outcome\": \"not_compared\""), "\(flown.output)")
            let east = try await flight.east()
            #expect(abs(east - 6) < 0.5, "it was waited for")
            try await flight.uavlink("land")
        }
    }

    /// Altitudes count from home: before the take-off the vehicle shows it, in flight only the file does. (340 m is the
    /// ground's height above sea level in the simulated world.)
    @Test func `a plan with altitudes above home is checked on the ground, and flown from the air`() async throws {
        try await SimulatedProgram.run { flight in
            let items = [(0.5, 0.5), (0.9, 0.5), (0.9, 0.9)].map { north, east in
                """
                {"type": "SimpleItem", "command": 16, "frame": 3,
                 "params": [0, 0, 0, null, \(47.397743 + north * 1e-4), \(8.545594 + east * 1e-4), 4]}
                """
            }
            let plan = try flight.folder.write(
                """
                {"fileType": "Plan", "version": 1, "mission": {"items": [\(items.joined(separator: ","))],
                 "plannedHomePosition": [47.397743, 8.545594, 340]}}
                """, to: "home.plan")
            try await flight.uavlink("trajectory", "check", plan)
            try await flight.uavlink("takeoff", "--arm", "--wait")
            // Away from where it took off, and higher.
            try await flight.uavlink("goto", "-4", "0", "7", "--wait")
            let sent = try await flight.uavlink("trajectory", "send", plan)
            #expect(sent.output.hasPrefix(Self.target + ": "), "\(sent.output)")
            try await flight.uavlink("trajectory", "goto-start", plan, "--wait")
            let flown = try await flight.uavlink("trajectory", "start", plan, "--wait")
            #expect(
                flown.output.contains(Self.target + ": the trajectory was flown to its end"),
                "\(flown.output) \(flown.errors)")
            // 4 m above the ground that it took off from, and not above where it was.
            let height = try await flight.status("height_agl_m") as? Double
            #expect(abs((height ?? 0) - 4) < 0.6)
            try await flight.uavlink("land")
        }
    }
}
