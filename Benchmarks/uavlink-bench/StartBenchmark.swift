import IntegrationKit

/// How long until something is there: `uavlink --help`, and the first telemetry over UDP after a fresh login.
enum StartBenchmark {
    static func run(_ setting: Setting) async throws -> [Section] {
        [try await help(setting), try await firstTelemetry(setting)]
    }

    private static func help(_ setting: Setting) async throws -> Section {
        var section = Section(key: "help", title: "`uavlink --help`, from its start to its end")
        try await withCrew { crew in
            let help = try await crew.peer(
                "help", [setting.peers + "/spawn_loop", setting.programs + "/uavlink", "--help"],
                environment: Setting.environment)
            let nothing = try await crew.peer(
                "true", [setting.peers + "/spawn_loop", "/bin/true"], environment: Setting.environment)
            let python = try await crew.peer(
                "python", [setting.peers + "/spawn_loop", Setting.python, "-c", "pass"],
                environment: Setting.environment)
            var times: [[Int64]] = [[], [], []]
            let blocks = setting.amount(20, quick: 5)
            for _ in 0..<blocks {
                for (index, peer) in [help, nothing, python].enumerated() { times[index] += try await peer.run(10) }
            }
            section.notes.append("back to back, \(blocks) blocks of 10 by turns; files are in the system's cache")
            let mine = Latencies(nanoseconds: times[0])
            section.add("help", "uavlink --help", mine)
            section.add("true", "/bin/true: what starting a process costs", Latencies(nanoseconds: times[1]))
            section.add("python", "python3 -c pass", Latencies(nanoseconds: times[2]))
            section.figures.append(
                Figure(name: "uavlink --help: median", value: mine.median / 1e6, unit: "ms", limit: .atMost(8)))
        }
        return section
    }

    private static func firstTelemetry(_ setting: Setting) async throws -> Section {
        var section = Section(
            key: "first_telemetry",
            title: "A fresh login over SSH to the first telemetry over UDP, from program start to end")
        try await withCrew { crew in
            let vehicle = try await VehicleUnderTest(setting, crew)
            let server = try await SSHServer()
            await crew.atEnd { await server.stop() }
            try await server.start()
            let configuration = try server.folder.write(
                Self.configuration(setting, vehicle, server), to: "uavlink.yaml")
            func spawning(_ name: String, _ command: [String]) async throws -> Peer {
                try await crew.peer(
                    name, [setting.peers + "/spawn_loop"] + command, environment: Setting.environment)
            }
            let ssh = try await spawning("ssh", ["/usr/bin/ssh"] + server.clientOptions + ["127.0.0.1", "true"])
            let status = try await spawning(
                "status",
                [setting.programs + "/uavlink", "status", "--json", "--link", "udp", "--config", configuration])
            let rounds = setting.amount(30, quick: 6)
            var times: [[Int64]] = [[], [], []]
            for _ in 0..<rounds {
                times[0] += try await ssh.run(1)
                times[1] += try await status.run(1)
            }
            for _ in 0..<rounds {
                times[0] += try await ssh.run(1)
                try await vehicle.stopCompanion()
                times[2] += try await status.run(1)
            }
            try await vehicle.stopCompanion()
            section.notes.append(
                "\(rounds) rounds of one each by turns, with the companion running, then \(rounds) without")
            let all = times.map { Latencies(nanoseconds: $0) }
            section.add("ssh_true", "ssh HOST true, no master connection", all[0])
            section.add("status", "uavlink status --link udp", all[1])
            section.add("status_on_demand", "the same, companion started on demand", all[2])
            for (index, name) in [(1, "companion running"), (2, "companion started on demand")] {
                section.figures.append(
                    Figure(
                        name: "more than `ssh HOST true`, \(name) (medians)",
                        value: (all[index].median - all[0].median) / 1e6, unit: "ms", limit: .atMost(300)))
            }
        }
        return section
    }

    /// A configuration file with the vehicle behind that server.
    static func configuration(_ setting: Setting, _ vehicle: VehicleUnderTest, _ server: SSHServer) -> String {
        let exports = vehicle.environment.filter { $0.key.hasPrefix("ROS_") || $0.key == "XDG_RUNTIME_DIR" }
            .sorted { $0.key < $1.key }.map { "export \($0.key)='\($0.value)'" }.joined(separator: "; ")
        return """
            default: bench
            vehicles:
              bench:
                host: 127.0.0.1
                port: \(server.port)
                user: \(server.user)
                uav: \(VehicleUnderTest.name)
                identity: \(server.userKey)
                known-hosts: \(server.knownHosts)
                companion: \(setting.programs)/uavlink-companion
                setup: "\(exports)"

            """
    }
}
