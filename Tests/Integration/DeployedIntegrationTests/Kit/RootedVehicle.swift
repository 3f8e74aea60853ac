#if os(Linux)
    import FlightTestKit
    import Foundation
    import IntegrationKit
    import Testing

    /// A vehicle in a root of its own, with its own sshd and its own network, and a ground at the other end of a cable.
    ///
    /// ```
    ///   ground  198.18.0.1 ══ veth ══ 198.18.0.2  vehicle: chroot, sshd, ROS master of the root
    ///   uavlink                                   beside the root: uavlink-sim
    /// ```
    ///
    /// The vehicle's root is read-only. Its users are `mrs`, who has a workspace with the flight stack's messages, and `homeless`.
    final class RootedVehicle: Sendable {
        /// What the vehicle's computer is to have.
        enum Part: Hashable, Sendable {
            /// A ROS master and a vehicle that flies.
            case flightStack
            /// A kernel with IPv6.
            case ipv6
        }

        /// The ROS master of the vehicle.
        private static let master = "http://localhost:11311"
        private static let path = "/usr/sbin:/usr/bin:/sbin:/bin"

        /// The networks of both.
        let networks: SeparateNetworks
        /// What lies on the ground: keys, configuration, programs to be deployed.
        let folder: TemporaryFolder
        /// The vehicle's first process.
        private let process: Int32
        private let computer: ChildProcess

        /// Starts one, runs `body` with it and ends it whatever `body` does.
        static func with(
            _ parts: Set<Part> = [.flightStack, .ipv6], _ body: (RootedVehicle) async throws -> Void
        ) async throws {
            try await SeparateNetworks.with { networks in
                let folder = try TemporaryFolder()
                try await prepare(folder)
                let peers = BuiltPrograms.repository + "/Tests/Peers"
                let before = parts.contains(.ipv6) ? [] : ["/usr/bin/python3", peers + "/without_ipv6.py"]
                let new = ["/usr/bin/unshare", "--mount", "--pid", "--uts", "--fork", "--kill-child", "--"]
                let script = ["/bin/sh", peers + "/vehicle_computer.sh", VehicleRoot.path, folder.path]
                let computer = try ChildProcess(
                    networks.entering(.far) + new + script + before,
                    environment: ["PATH": path, "LC_ALL": "C.UTF-8"])
                var programs = [computer]
                let outcome: Result<Void, any Error>
                do {
                    let line = try await computer.line(containing: "vehicle ")
                    guard let process = line.split(separator: " ").last.flatMap({ Int32($0) }) else {
                        throw ProcessFailure("no vehicle: \(line)")
                    }
                    // Its lines end as on a terminal.
                    guard await eventually({ computer.errors.contains("Server listening") }) else {
                        throw ProcessFailure("the vehicle's sshd does not listen: \(computer.errors)")
                    }
                    let vehicle = RootedVehicle(networks, folder, process, computer)
                    if parts.contains(.flightStack) {
                        programs.append(try await vehicle.startMaster())
                        programs.append(try await vehicle.startSimulator())
                    }
                    outcome = .success(try await body(vehicle))
                } catch {
                    outcome = .failure(error)
                }
                for program in programs.reversed() { await program.stop() }
                try outcome.get()
            }
        }

        private init(
            _ networks: SeparateNetworks, _ folder: TemporaryFolder, _ process: Int32, _ computer: ChildProcess
        ) {
            self.networks = networks
            self.folder = folder
            self.process = process
            self.computer = computer
        }

        /// Keys, the messages of the flight stack and the configuration of the ground.
        private static func prepare(_ folder: TemporaryFolder) async throws {
            let (key, host) = (folder.file("user_key"), folder.file("ssh_host_key"))
            try await SSHServer.makeKey(key, type: "ed25519")
            try await SSHServer.makeKey(host, type: "ed25519")
            try FileManager.default.copyItem(atPath: key + ".pub", toPath: folder.file("authorized_keys"))
            let addresses = [SeparateNetworks.farAddress, Radio.farAddress]
            try folder.write(
                addresses.map { try SSHServer.line(publicKey: host, host: $0) }.joined(), to: "known_hosts")
            let messages = try ChildProcess(
                [BuiltPrograms.repository + "/scripts/generate-python-messages", folder.file("python")])
            guard try await messages.exit() == 0 else { throw ProcessFailure(messages.errors) }
            let usual = "    uav: uav1\n    identity: \(key)\n    known-hosts: \(folder.file("known_hosts"))\n"
            let cable = usual + "    host: \(SeparateNetworks.farAddress)\n"
            try folder.write(
                "default: hexa\nvehicles:\n" + "  hexa:\n    user: mrs\n\(cable)"
                    + "  radio:\n    user: mrs\n\(usual)    host: \(Radio.farAddress)\n"
                    // What the set-up limits is limited for the companion that a log-in starts after it.
                    + "  small:\n    user: mrs\n\(cable)    setup: ulimit -v 65536\n"
                    // With the companion that placeCompanion() has put there: nothing has to be deployed.
                    + "  placed:\n    user: mrs\n\(cable)    companion: /opt/uavlink/uavlink-companion\n"
                    + "  homeless:\n    user: homeless\n\(cable)    companion: /opt/uavlink/uavlink-companion\n",
                to: "config.yaml")
        }

        // MARK: On the vehicle

        /// A program of the root, run by one of its users.
        private func inside(_ words: [String], user: String = "mrs") -> [String] {
            let home = user == "mrs" ? ["HOME=/home/mrs"] : []
            return entering("--root", "--wd") + ["/usr/sbin/chroot", "--userspec=\(user):", "/", "/usr/bin/env", "-i"]
                + home + ["PATH=\(Self.path)", "LC_ALL=C.UTF-8", "ROS_MASTER_URI=\(Self.master)"] + words
        }

        private func entering(_ options: String...) -> [String] {
            ["/usr/bin/nsenter", "--target", "\(process)", "--net", "--mount", "--pid", "--uts"] + options + ["--"]
        }

        /// Its roscore gives its master ten seconds to start and then ends, however busy this machine is: it is started again.
        private func startMaster() async throws -> ChildProcess {
            for attempt in 1... {
                let script = ". ~/workspace/devel/setup.sh && exec roscore"
                let core = try ChildProcess(inside(["PYTHONUNBUFFERED=1", "/bin/sh", "-c", script]))
                do {
                    try await core.line(containing: "started core service [/rosout]")
                    return core
                } catch {
                    await core.stop()
                    guard attempt < 5 else { throw error }
                    print("the vehicle's roscore did not start, once more: \(error)")
                }
            }
            throw ProcessFailure("no roscore")
        }

        /// The simulated vehicle is no part of what is deployed: it runs beside the root, with the libraries of this machine.
        private func startSimulator() async throws -> ChildProcess {
            let simulator = try ChildProcess(
                entering() + [try BuiltPrograms.path("uavlink-sim"), "--uav", "uav1"],
                environment: [
                    "PATH": Self.path, "HOME": folder.path, "ROS_MASTER_URI": Self.master, "ROS_HOSTNAME": "hexa",
                ])
            do {
                try await simulator.line(ofErrorsContaining: "ready")
                return simulator
            } catch {
                await simulator.stop()
                throw error
            }
        }

        /// Runs a program of the root to its end and returns what it printed, its errors behind it.
        func run(_ words: String..., user: String = "mrs") async throws -> String {
            let program = try ChildProcess(inside(words, user: user))
            _ = try await program.exit()
            return program.output + program.errors
        }

        /// The path at which this machine reaches a file of the vehicle.
        func file(_ path: String) -> String { "/proc/\(process)/root" + path }

        /// What there is below the user's home, without what ROS and the workspace have there.
        func homeListing() throws -> [String] {
            try FileManager.default.subpathsOfDirectory(atPath: file("/home/mrs")).sorted()
                .filter { !$0.hasPrefix("workspace") && !$0.hasPrefix(".ros") }
        }

        /// The command lines of the companions that run there.
        func companions() async throws -> [String] {
            let script = "for f in /proc/[0-9]*/cmdline; do tr '\\0' ' ' <$f; echo; done 2>/dev/null"
            return try await run("/bin/sh", "-c", script).split(separator: "\n").map(String.init).filter {
                $0.contains("companion") && $0.contains(" run ")
            }
        }

        /// What its sshd has logged.
        var log: String { computer.errors }

        // MARK: On the ground

        /// Runs `uavlink` on the ground to its end.
        ///
        /// - Parameter vehicle: `hexa`, `radio`, `small`, `placed` or `homeless` of the configuration.
        func uavlink(
            _ subcommand: String, _ arguments: String..., to vehicle: String = "hexa",
            within limit: Duration = .seconds(120)
        ) async throws -> FlightStack.Outcome {
            let begun = ContinuousClock.now
            let child = try launch(subcommand, arguments, to: vehicle)
            let status: Int32
            do { status = try await child.exit(within: limit) } catch {
                await child.stop()
                throw error
            }
            return FlightStack.Outcome(child, status: status, since: begun)
        }

        /// Starts `uavlink` on the ground.
        func launch(_ subcommand: String, _ arguments: [String], to vehicle: String = "hexa") throws -> ChildProcess {
            let usual = [
                "--config", folder.file("config.yaml"), "--vehicle", vehicle, "--timeout",
                "\(Int(20 * MachinePace.factor))s",
            ]
            return try ChildProcess(
                networks.entering(.near) + [try BuiltPrograms.path("uavlink"), subcommand] + usual + arguments,
                environment: ["PATH": "/usr/bin:/bin", "HOME": folder.path, "USER": "ground", "LC_ALL": "C.UTF-8"])
        }

        /// Deploys a program and returns the report.
        func deploy(_ arguments: String..., to vehicle: String = "hexa") async throws -> [String: Any] {
            let begun = ContinuousClock.now
            let child = try launch("deploy", ["--json", "--quiet"] + arguments, to: vehicle)
            let status = try await child.exit(within: .seconds(180))
            return try json(FlightStack.Outcome(child, status: status, since: begun))
        }

        /// The static companion with some bytes behind it, which change nothing but its checksum.
        func companion(_ ending: String) throws -> String {
            let path = folder.file("companion-\(ending)")
            try FileManager.default.copyItem(atPath: try StaticCompanion.program.get(), toPath: path)
            let file = try FileHandle(forWritingTo: URL(filePath: path))
            try file.seekToEnd()
            try file.write(contentsOf: Data(ending.utf8))
            try file.close()
            return path
        }

        /// A program of a given size, another one each time, that starts the static companion, which is put on the vehicle for it.
        func companion(bytes: Int, version: String) throws -> String {
            let there = "/opt/uavlink/uavlink-companion"
            if !FileManager.default.fileExists(atPath: file(there)) { try placeCompanion() }
            let text = """
                #!/bin/sh
                [ "$1" != --version ] || { echo 'uavlink-companion \(version)'; exit; }
                exec \(there) "$@"
                #
                """
            var program = Data(text.utf8)
            var random = SystemRandomNumberGenerator()
            while program.count < bytes { withUnsafeBytes(of: random.next()) { program.append(contentsOf: $0) } }
            let path = folder.file("companion-\(UInt32.random(in: 0 ... .max))")
            try program.prefix(bytes).write(to: URL(filePath: path))
            return path
        }

        /// Puts the static companion into `/opt/uavlink`, for users who cannot have one of their own.
        func placeCompanion() throws {
            let path = file("/opt/uavlink/uavlink-companion")
            try FileManager.default.copyItem(atPath: try StaticCompanion.program.get(), toPath: path)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        }
    }

    /// Expects that a deployment has read from the vehicle's telemetry that it stands on the ground with its motors off.
    ///
    /// Over SSH it waits six seconds for `rostopic`, which takes longer if too much runs beside it.
    func expectKnownToStand(_ report: [String: Any], sourceLocation: SourceLocation = #_sourceLocation) {
        let warnings = report["warnings"] as? [String] ?? ["no report"]
        let (late, others) = (
            warnings.filter { $0.contains("no telemetry over ssh") },
            warnings.filter { !$0.contains("no telemetry over ssh") }
        )
        if !late.isEmpty { print("deploy: NOT JUDGED on this machine: \(late)") }
        #expect(others.isEmpty, "\(report)", sourceLocation: sourceLocation)
    }
#endif
