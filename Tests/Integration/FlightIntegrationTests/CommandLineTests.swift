import FlightTestKit
import Foundation
import IntegrationKit
import Testing

/// What a user and a script see of `uavlink` in front of the whole stack.
@Suite(
    .enabled(if: FlightStack.missing == nil, "\(FlightStack.missing ?? "")"), .serialized, .oneFlightStack,
    .timeLimit(.minutes(MachinePace.minutes(6))))
struct CommandLineTests {
    @Test(arguments: ["udp", "tcp", "ssh", "ros"])
    func `status tells all it promises`(link: String) async throws {
        let stack = try await sharedStack()
        let environment = link == "ros" ? stack.rosEnvironment : [:]
        // What loads the machine may make a program over SSH start slower than the 15 s that a user waits.
        let arguments = ["status", "--link", link, "--json", "--timeout", "60s"]
        var outcome = try await stack.uavlink(arguments, environment: environment)
        var status = try json(outcome)
        // Over SSH each part comes from a program of its own: what a slow machine has not brought in time is asked for again.
        for _ in 0..<5 where link == "ssh" && outcome.status == 0 && status["tracker"] is NSNull {
            outcome = try await stack.uavlink(arguments, environment: environment)
            status = try json(outcome)
        }
        #expect(outcome.status == 0, "\(outcome)")
        let keys = [
            "vehicle", "link", "connected", "position_m", "frame", "heading_rad", "velocity_m_s", "height_agl_m",
            "battery",
            "gnss", "flight_state", "tracker", "age_ms",
        ]
        // Over SSH the parts come as the vehicle's computer gets round to starting a program for each.
        for key in keys where link != "ssh" || status[key] == nil {
            #expect(status[key] != nil && !(status[key] is NSNull), "\(key): \(outcome)")
        }
        #expect(status["vehicle"] as? String == "uav1")
        #expect(status["link"] as? String == link)
        #expect(status["connected"] as? Bool == true)
        #expect((status["position_m"] as? [Double])?.count == 3)
        #expect(status["flight_state"] as? String == "disarmed")
        #expect(status["tracker"] as? String == "NullTracker")
        #expect((status["battery"] as? [String: Any])?["voltage_v"] is Double)
        #expect(((status["age_ms"] as? Double) ?? -1) >= 0)
    }

    @Test func `a flight by commands, each with its exit code and its object`() async throws {
        let stack = try await sharedStack()
        let witness = try await stack.witness()
        func succeed(_ arguments: String...) async throws -> [String: Any] {
            try succeeded(
                arguments,
                try await stack.uavlink(arguments + ["--json", "--quiet", "--link", "udp"], within: .seconds(120)))
        }

        let refused = try await stack.uavlink("takeoff", "--link", "udp")
        #expect(refused.status == 1, "\(refused)")
        #expect(refused.errors.contains("can not takeoff, UAV not armed!"), "\(refused)")

        _ = try await succeed("takeoff", "--arm", "--wait")
        try await witness.sees("the vehicle in the air") { $0.flying == true && $0.tracker == "MpcTracker" }
        _ = try await succeed("goto", "3", "-2", "2.5", "--wait")
        try await witness.sees("the goal reached") { seen in
            guard let place = seen.position else { return false }
            return abs(place[0] - 3) < 0.5 && abs(place[1] + 2) < 0.5 && abs(place[2] - 2.5) < 0.5
        }
        // On a busy machine a pause can outlast the lease, and ends the motion: then it is steered again.
        for attempt in 1...4 {
            let (before, lapses) = (try await witness.account(), stack.leaseLapses)
            let arguments = ["steer", "--vy", "1", "--for", "2s", "--rate", "50", "--json", "--quiet", "--link", "udp"]
            let steering = try await stack.uavlink(arguments, within: .seconds(120))
            if steering.status == 1, steering.errors.contains("the lease expired") {
                print("steer: the lease lapsed; " + (attempt < 4 ? "once more" : "NOT JUDGED: how far two seconds go"))
                continue
            }
            let steered = try succeeded(arguments, steering)
            for key in ["setpoints_sent", "setpoints_applied", "sent_hz"] {
                #expect(steered[key] is NSNumber, "\(key)")
            }
            let after = try await witness.account()
            #expect(after.setpoints > before.setpoints)
            guard stack.leaseLapses == lapses else {
                print("steer: the lease lapsed; " + (attempt < 4 ? "once more" : "NOT JUDGED: how far two seconds go"))
                continue
            }
            #expect(after.setpoints - before.setpoints > 20)
            #expect((after.position?[1] ?? 0) - (before.position?[1] ?? 0) > 0.8, "\(before) \(after)")
            break
        }

        let outside = try await stack.uavlink("goto", "5000", "0", "2", "--link", "udp", "--json")
        #expect(outside.status == 1, "\(outside)")
        #expect(outside.errors.contains("outside of the safety area"), "\(outside)")

        _ = try await succeed("land", "--wait")
        try await witness.sees("the vehicle landed") { $0.isLanded }
    }

    /// The object of a command that is expected to have succeeded.
    private func succeeded(_ arguments: [String], _ outcome: FlightStack.Outcome) throws -> [String: Any] {
        #expect(outcome.status == 0, "\(arguments): \(outcome)")
        #expect(outcome.errors.isEmpty, "\(arguments): \(outcome.errors)")
        let object = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
        #expect(object?["ok"] as? Bool == true)
        #expect(object?["message"] is String)
        #expect(((object?["round_trip_ms"] as? Double) ?? -1) > 0)
        return object ?? [:]
    }

    @Test func `exec keeps streams and exit status apart`() async throws {
        let stack = try await sharedStack()
        let good = try await stack.uavlink("exec", "--json", "--", "echo out; echo err >&2")
        #expect(good.status == 0, "\(good)")
        let object = try json(good)
        #expect(object["stdout"] as? String == "out\n")
        #expect(object["stderr"] as? String == "err\n")
        #expect(object["exit_status"] as? Int == 0)
        let bad = try await stack.uavlink("exec", "--", "echo half; exit 7")
        #expect(bad.status == 1, "\(bad)")
        #expect(bad.output == "half\n")
        #expect(bad.errors.contains("exit status 7"), "\(bad)")
    }

    @Test(arguments: ["", "trap '' TERM INT; "])
    func `an interrupted exec ends the command on the vehicle, also one that ignores it`(_ first: String) async throws {
        let stack = try await sharedStack()
        let child = try stack.launch(["exec", "--", first + "echo process $$; while true; do sleep 0.2; done"])
        let line = try await child.line(containing: "process ", within: .seconds(30))
        let process = try #require(pid_t(line.dropFirst("process ".count)))
        #expect(kill(process, 0) == 0)
        child.signal(SIGINT)
        #expect(try await child.exit(within: .seconds(30)) == 130)
        #expect(child.errors.contains("interrupted; the command was ended"), "\(child.errors)")
        // sshd waits for it when it gets to it.
        #expect(await eventually(within: .seconds(20)) { kill(process, 0) != 0 }, "process \(process) still runs")
    }

    @Test(
        arguments: [
            ["goto", "nan", "0", "2"], ["goto", "1", "inf", "2"], ["goto", "1", "2", "-inf"],
            ["goto", "1", "2", "3", "nan"],
            ["altitude", "nan"], ["altitude", "1e999"], ["heading", "inf"], ["steer", "--vx", "nan", "--for", "1s"],
            ["steer", "--vx", "1", "--for", "nan"], ["steer", "--vx", "1", "--for", "1s", "--rate", "inf"],
            ["steer", "--vx", "1", "--for", "1s", "--rate", "9.9"],
            ["steer", "--vx", "1", "--heading-rate", "nan", "--for", "1s"], ["goto", "91", "0", "2", "--latlon"],
            ["goto", "1", "2", "3", "--frame", "a b; reboot"], ["flyaway"], [], ["goto", "1", "2"],
            ["status", "--link", "x"],
            ["status", "--vehicle", "nobody"], ["status", "--config", "/nowhere/config.yaml"],
            ["control", "--reason", "a tree"], ["control", "--release", "--reason", " "],
            ["control", "--take", "--reason", "\t"], ["control", "--release"],
        ])
    func `what cannot be meant is refused before anything is sent`(arguments: [String]) async throws {
        let stack = try await sharedStack()
        let child = try stack.launch(arguments)
        let status = try await child.exit(within: .seconds(30))
        #expect(status == 2, "\(child.output) \(child.errors)")
        #expect(child.output.isEmpty)
        #expect(child.errors.split(separator: "\n").count == 1, "\(child.errors)")
        #expect(child.errors.hasPrefix("uavlink: "), "\(child.errors)")
    }

    @Test func `a vehicle that does not answer is a time-out, with its own exit code`() async throws {
        let stack = try await sharedStack()
        // The companion is up and knows the vehicle before the vehicle freezes.
        #expect(try await stack.uavlink("status", "--link", "udp").status == 0)
        await stack.freezeSimulator(true)
        // The log-in has to be over in this time, too.
        let timeout = "\(Int(8 * MachinePace.factor))s"
        let outcome = try await stack.uavlink("hover", "--link", "udp", "--timeout", timeout)
        await stack.freezeSimulator(false)
        expectFailure(outcome, code: 4, saying: ["hover"], within: .seconds(25))
    }

    @Test func `the doctor finds this set-up well`() async throws {
        let stack = try await sharedStack()
        let outcome = try await stack.uavlink("doctor", "--json")
        #expect(outcome.status == 0, "\(outcome)")
        let object = try json(outcome)
        #expect(object["ok"] as? Bool == true)
        let checks = try #require(object["findings"] as? [[String: Any]]).compactMap { $0["check"] as? String }
        // The way between both ends is the loopback; what the login shell and rosservice cost is reported separately.
        for check in ["MTU here", "MTU on the vehicle", "login shell", "rosservice", "keystroke obscuring", "link udp"]
        {
            #expect(checks.contains(check), "\(check) is missing: \(outcome)")
        }
    }
}
