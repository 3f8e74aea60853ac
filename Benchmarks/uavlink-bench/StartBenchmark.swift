import BenchmarkKit
import IntegrationKit
import Statistics

/// How long until something is there: `uavlink --help`, and the first telemetry over UDP after a fresh login.
enum StartBenchmark {
    static func run(_ setting: Setting) async throws -> [Section] {
        [try await help(setting), try await firstTelemetry(setting)]
    }

    private static func spawning(_ setting: Setting, _ command: [String]) -> [String] {
        [setting.peers + "/spawn_loop"] + command
    }

    private static func help(_ setting: Setting) async throws -> Section {
        var section = Section(key: "help", title: "`uavlink --help`, from its start to its end")
        let plan = setting.plan(blocks: 2, of: 10)
        section.notes = [plan.text, "files are in the system's cache; what starting any process costs is /bin/true"]
        section.rows = try await plan.measure(
            [
                ("help", "uavlink --help", [setting.programs + "/uavlink", "--help"]),
                ("true", "/bin/true", ["/bin/true"]), ("python", "python3 -c pass", [Setting.python, "-c", "pass"]),
            ].map { .peer($0.0, $0.1, spawning(setting, $0.2), startsProcess: true) })
        section.figures = [
            Figure(
                name: "uavlink --help: median", estimate: section.series("help").estimate(.p50, per: 1e6), unit: "ms",
                limit: .atMost(6))
        ]
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
            let ssh = Contender.peer(
                "ssh_true", "ssh HOST true, no master connection",
                spawning(setting, ["/usr/bin/ssh"] + server.clientOptions + ["127.0.0.1", "true"]),
                startsProcess: true, startAlone: spawning(setting, ["/usr/bin/ssh", "-V"]))
            let program = setting.programs + "/uavlink"
            let status = Contender.peer(
                "status", "uavlink status --link udp",
                spawning(setting, [program, "status", "--json", "--link", "udp", "--config", configuration]),
                startsProcess: true, startAlone: spawning(setting, [program, "--help"]))
            var onDemand = status
            (onDemand.key, onDemand.name) = ("status_on_demand", "the same, companion started on demand")
            (onDemand.warmUp, onDemand.startAlone) = (0, nil)
            onDemand.start = { crew in
                let runner = try await status.start(crew)
                return { count, period in
                    var timings = Timings()
                    for _ in 0..<count {
                        try await vehicle.stopCompanion()
                        timings += try await runner(1, period)
                    }
                    return timings
                }
            }
            let plan = setting.plan(blocks: 6, of: 1)
            section.notes.append("first with the companion running, then started by each status; \(plan.text)")
            section.rows = try await plan.measure([ssh, status])
            var later = try await plan.measure([ssh, onDemand])
            try await vehicle.stopCompanion()
            (later[0].key, later[0].name) = ("ssh_true_on_demand", "ssh HOST true, beside it")
            section.rows += later
            for (key, peer, name) in [
                ("status", "ssh_true", "companion running"),
                ("status_on_demand", "ssh_true_on_demand", "companion started on demand"),
            ] {
                section.figures.append(
                    Figure(
                        name: "more than `ssh HOST true`, \(name) (medians)",
                        estimate: section.series(key).compared(with: section.series(peer), at: .p50) {
                            ($0 - $1) / 1e6
                        },
                        unit: "ms", limit: .atMost(300)))
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
