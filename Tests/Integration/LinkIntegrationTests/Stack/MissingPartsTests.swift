import FlightTestKit
import FoundationEssentials
import IntegrationKit
import Testing
import UAVLink
import VehicleAccess

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A vehicle on which something is missing or other than expected, seen through the program.
@Suite(
    .enabled(if: FlightStack.missing == nil, "\(FlightStack.missing ?? "")"), .serialized, .oneFlightStack,
    .timeLimit(.minutes(MachinePace.minutes(5))))
struct MissingPartsTests {
    @Test func `no ROS on the vehicle`() async throws {
        let stack = try await sharedStack()
        let bare = try stack.configuration(["setup": "PATH=/nowhere", "link": "ssh"])
        expectFailure(
            try await stack.uavlink("hover", "--config", bare), code: 3, saying: ["rosservice", "setup"])
    }

    @Test(arguments: ["udp", "ssh"], ["hover", "status"])
    func `a setup line that fails`(link: String, subcommand: String) async throws {
        let stack = try await sharedStack()
        let setup = "source /nowhere/devel/setup.bash"
        let wrong = try stack.configuration(["setup": setup, "link": link])
        expectFailure(
            try await stack.uavlink(subcommand, "--config", wrong), code: 3,
            saying: ["setup", "status 1", "/nowhere/devel/setup.bash: No such file", "setup: \(setup)"])
    }

    @Test(arguments: ["udp", "tcp"])
    func `no companion on the vehicle`(link: String) async throws {
        let stack = try await sharedStack()
        let without = try stack.configuration(["companion": "/nowhere/uavlink-companion", "link": link])
        expectFailure(
            try await stack.uavlink("status", "--config", without), code: 3, saying: ["/nowhere/uavlink-companion"])
    }

    @Test func `no companion on the vehicle, and no link asked for by name`() async throws {
        let stack = try await sharedStack()
        // Another name than other tests' vehicles have, whose companions may run on this machine at the same time.
        let vehicle = try ChildProcess(
            [BuiltPrograms.path("uavlink-sim"), "--uav", "uav8"], environment: stack.rosEnvironment)
        _ = try await vehicle.line(ofErrorsContaining: "ready")
        let without = try stack.configuration(["companion": "/nowhere/uavlink-companion", "uav": "uav8"])
        let reason = "(udp and tcp: '/nowhere/uavlink-companion' is not installed on the vehicle"
        let warning = "no control authority over ssh \(reason)"
        let status = try await stack.uavlink("status", "--json", "--timeout", "60s", "--config", without)
        #expect(status.status == 0 && status.errors.contains("warning: \(warning)"), "\(status)")
        let warnings = try #require(try json(status)["warnings"] as? [String])
        #expect(warnings.count == 1 && warnings[0].hasPrefix(warning), "\(status)")
        expectFailure(
            try await stack.uavlink("control", "--quiet", "--config", without), code: 2,
            saying: ["--link ssh has no control authority \(reason)"])
        let hover = try await stack.uavlink("hover", "--json", "--timeout", "60s", "--config", without)
        let reported = try json(hover)
        #expect(reported["link"] as? String == "ssh", "\(hover)")
        #expect((reported["warnings"] as? [String])?.first?.hasPrefix(warning) == true, "\(hover)")
        let named = try await stack.uavlink("status", "--link", "ssh", "--timeout", "60s", "--config", without)
        await vehicle.stop()
        // Now SSH has nothing to command either: of the program that is named it is said first that it is not there.
        expectFailure(
            try await stack.uavlink("hover", "--timeout", "60s", "--config", without), code: 3,
            saying: ["'/nowhere/uavlink-companion' is not installed on the vehicle", "(over udp; ssh: "],
            within: .seconds(60))
        #expect(named.status == 0 && !named.errors.contains("warning"), "\(named)")
    }

    @Test(arguments: [false, true])
    func `a companion that runs and cannot be used is not gone around`(isStopped: Bool) async throws {
        let stack = try await sharedStack()
        await stack.endCompanion()
        #expect(try await stack.uavlink("control", "--link", "udp").status == 0)
        let process = try #require(stack.companionProcess())
        let other = try stack.configuration(isStopped ? [:] : ["companion": "/nowhere/uavlink-companion"])
        if isStopped { kill(process, SIGSTOP) }
        let outcome = try await stack.uavlink("hover", "--config", other)
        if isStopped { kill(process, SIGCONT) }
        await stack.endCompanion()
        expectFailure(
            outcome, code: 3,
            saying: [
                isStopped ? "does not answer" : "a companion for uav1 runs on the vehicle",
                "'--link ssh' bypasses it",
            ],
            within: .seconds(60))
    }

    @Test(arguments: [
        "uavlink-channel 9 session=0123456789abcdef later=unknown", "uavlink-channel 0",
    ])
    func `a companion of another version`(ticket: String) async throws {
        let stack = try await sharedStack()
        let stub = try stack.folder.write("#!/bin/sh\necho '\(ticket)'\n", to: "stub", mode: 0o700)
        let other = try stack.configuration(["companion": stub, "link": "udp"])
        expectFailure(
            try await stack.uavlink("status", "--config", other), code: 3, saying: ["version", "both ends"])
    }

    @Test(arguments: ["echo hello", "exit 3", "echo 'uavlink-channel 1 session=zz'", "echo no disk left >&2; exit 1"])
    func `a companion that gives no ticket`(script: String) async throws {
        let stack = try await sharedStack()
        let stub = try stack.folder.write("#!/bin/sh\n\(script)\n", to: "stub", mode: 0o700)
        let other = try stack.configuration(["companion": stub, "link": "udp"])
        let outcome = try await stack.uavlink("status", "--config", other)
        expectFailure(outcome, code: 3, saying: [])
        if script.contains("disk") { #expect(outcome.errors.contains("no disk left"), "\(outcome)") }
        if script == "exit 3" {
            #expect(outcome.errors.contains("it ended with exit status 3 and printed nothing"), "\(outcome)")
        }
    }

    /// The clean-up of C libraries once ran beside the SSH session's thread: one run in ten ended with a signal.
    @Test func `a failure ends cleanly each time`() async throws {
        let stack = try await sharedStack()
        let stub = try stack.folder.write("#!/bin/sh\necho hello\n", to: "stub", mode: 0o700)
        let other = try stack.configuration(["companion": stub, "link": "udp"])
        // Five at once: each waits for the server most of its time.
        for _ in 0..<5 {
            try await withThrowingTaskGroup(of: FlightStack.Outcome.self) { group in
                for _ in 0..<5 { group.addTask { try await stack.uavlink("status", "--config", other) } }
                for try await outcome in group { expectFailure(outcome, code: 3, saying: ["no ticket"]) }
            }
        }
    }

    @Test func `a companion that hangs`() async throws {
        let stack = try await sharedStack()
        let stub = try stack.folder.write("#!/bin/sh\nexec sleep 100\n", to: "stub", mode: 0o700)
        let other = try stack.configuration(["companion": stub, "link": "udp"])
        let outcome = try await stack.uavlink("status", "--config", other, "--timeout", "3s")
        expectFailure(
            outcome, code: 3, saying: ["did not answer within "], within: .seconds(20))
    }

    /// A renewed session once had 5 s where a new one has 15, so a slow set-up line connected and never reconnected.
    @Test func `a set-up line that takes six seconds connects, and reconnects after the companion has ended`()
        async throws
    {
        let stack = try await sharedStack()
        await stack.endCompanion()
        let log = stack.folder.path + "/set-ups"
        let slow = try stack.configuration([
            "setup": "echo begin >> \(log); sleep 6; echo end >> \(log); \(stack.setup)", "link": "udp",
        ])
        let connector = try stack.connector(slow)
        let link = try await connector.connect(.only(.udp), within: .patient(seconds: 15))
        let first = stack.companionProcess()
        #expect(first != nil)
        await stack.endCompanion()
        let isBack = await eventually(within: .seconds(60)) {
            let process = stack.companionProcess()
            return process != nil && process != first && link.quality.isConnected && link.latestTelemetry?.pose != nil
        }
        #expect(isBack, "\(link.quality)")
        let reply = try? await link.perform(.hover, within: .patient(seconds: 10))
        #expect(reply != nil)
        // Attempts one after another, each to its end: programs on the vehicle do not pile up.
        let lines = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
        #expect(lines.count { $0 == "begin" } >= 2, "\(lines)")
        for (line, next) in zip(lines, lines.dropFirst()) { #expect(line != next, "\(lines)") }
        await link.close()
        await connector.close()
        await stack.endCompanion()
    }

    @Test(arguments: ["ros", "ssh", "udp"])
    func `a service that another node offers with another type`(link: String) async throws {
        let stack = try await sharedStack()
        let impostor = try ChildProcess(
            [
                "/usr/bin/python3", "-c",
                """
                import rosgraph, rospy, time
                from std_srvs.srv import SetBool
                rospy.init_node('impostor', disable_signals=True)
                name = '/uav1/control_manager/hover'
                service = rospy.Service(name, SetBool, lambda request: (True, 'impostor'))
                master = rosgraph.Master(rospy.get_name())
                print('ready', flush=True)
                # Again and again: the vehicle's node takes its name back when it finds that the master has lost it.
                while True:
                    master.registerService(name, service.uri, rospy.get_node_uri())
                    time.sleep(0.05)
                """,
            ], environment: stack.rosEnvironment)
        try await impostor.line(containing: "ready", within: .seconds(30))
        let environment = link == "ros" ? stack.rosEnvironment : [:]
        let outcome = try await stack.uavlink("hover", "--link", link, environment: environment)
        await impostor.stop()
        // The vehicle's own service is no longer known to the master.
        await stack.stopSimulator()
        try await stack.startSimulator()
        expectFailure(outcome, code: 3, saying: ["type", "control_manager/hover"])
    }

    // The two below end the vehicle and the master: they stand last, and put back what they took.

    @Test(arguments: ["ros", "ssh", "udp"])
    func `a master without the vehicle`(link: String) async throws {
        let stack = try await sharedStack()
        await stack.endCompanion()
        await stack.stopSimulator()
        let environment = link == "ros" ? stack.rosEnvironment : [:]
        let command = try await stack.uavlink(
            "hover", "--link", link, "--timeout", "\(Int(12 * MachinePace.factor))s", environment: environment)
        let status = try await stack.uavlink(
            "status", "--link", link, "--timeout", "\(Int(12 * MachinePace.factor))s", environment: environment)
        try await stack.startSimulator()
        await stack.dismissWitness()
        expectFailure(command, code: 3, saying: ["flight stack"], within: .seconds(40))
        expectFailure(status, code: status.status, saying: [], within: .seconds(40))
        #expect([3, 4].contains(status.status), "\(status)")
    }

    @Test(arguments: ["ros", "ssh", "udp"])
    func `no master`(link: String) async throws {
        let stack = try await sharedStack()
        await stack.endCompanion()
        await stack.stopSimulator()
        await stack.dismissWitness()
        await stack.master.stop()
        let environment = link == "ros" ? stack.rosEnvironment : [:]
        let outcome = try await stack.uavlink(
            "hover", "--link", link, "--timeout", "\(Int(12 * MachinePace.factor))s", environment: environment)
        try await stack.master.start()
        try await stack.startSimulator()
        expectFailure(outcome, code: 3, saying: ["ROS master", "roscore"], within: .seconds(40))
    }
}
