import Foundation
import IntegrationKit
import MRS
import RemoteTerminalMode
import SSHTransport
import Synchronization
import Testing
import UAVLink
import VehicleAccess

extension SSHTests {
    /// A vehicle whose user has another log-in shell: what is sent there means the same in each, and ROS is found.
    @Suite(
        .enabled(if: TemporaryUser.canBeMade, "only root can make a user with a log-in shell"),
        .timeLimit(.minutes(MachinePace.minutes(4))))
    struct LoginShellTests {
        static let shells = ["/bin/dash", "/bin/bash", "/usr/bin/zsh", "/usr/bin/fish"]

        /// Skipped aloud where the shell is not installed; `scripts/setup --tests` installs all.
        private func with(
            _ shell: String, environment: (String) -> [String: String] = { _ in [:] },
            _ body: (VehicleHome) async throws -> Void
        ) async throws {
            guard FileManager.default.isExecutableFile(atPath: shell) else {
                return print("➜ the log-in shell \(shell) is skipped: it is not installed")
            }
            try await VehicleHome.with(shell: shell, environment: environment, body)
        }

        /// What the vehicle answers over a link that finds ROS in this way.
        private func answer(
            _ finder: EnvironmentFinder, over session: SSHSession, _ kind: LinkKind = .ssh
        ) async throws -> String {
            let link = try SSHCommandLink(kind, vehicle: "uav1", environment: finder) { _ in session }
            do {
                try await link.connect(within: .patient(seconds: 20))
                let reply = try await link.perform(.hover, within: .patient(seconds: 20))
                await link.close()
                return reply.message
            } catch {
                await link.close()
                throw error
            }
        }

        @Test(arguments: shells)
        func `the set-up line of the README works over every SSH path`(_ shell: String) async throws {
            try await with(shell) { home in
                try home.makeROS("mine", in: "my ws/devel")
                try home.write(
                    "#!/bin/sh\necho \"$ROS_DISTRO $ROS_MASTER_URI\" >\"${0%/*}/started\"; exit 3\n", to: "companion")
                let setup = "source \(RemoteShell.word(home.path + "/my ws/devel/setup.bash"))"
                let session = try await home.session()
                let expected = "mine http://mine:11311"
                // A command in a channel of its own, and one in a persistent shell.
                let finder = EnvironmentFinder(vehicle: "uav1", setup: setup)
                #expect(try await answer(finder, over: session) == expected)
                #expect(try await answer(finder, over: session, .sshShell) == expected)
                let warm = SSHWarmShell(session, setup: setup)
                let typed = try await warm.run("rosservice type /x", within: .patient(seconds: 20))
                #expect(typed.outputText == "std_srvs/Trigger\n", "\(typed.errorText)")
                let whole = ROSCommandLines(names: try VehicleNames(vehicle: "uav1"))
                let called = try await warm.run(whole.call(ServiceCall(.hover)).line, within: .patient(seconds: 20))
                #expect(called.outputText.contains(expected), "\(called.errorText)")
                warm.close()
                await session.close()
                // The companion's start, the simple form of the terminal, and the inspection.
                let connector = try home.connector(setup: setup, companion: "~/companion")
                let error = await linkError {
                    _ = try await connector.connect(.only(.udp), within: .patient(seconds: 20))
                }
                #expect(error?.code == .companionUnavailable, "\(String(describing: error))")
                let started = try String(contentsOfFile: home.path + "/started", encoding: .utf8)
                #expect(started == expected + "\n")
                #expect(try await printed("echo $ROS_DISTRO 'it is' \"here\"", by: connector) == "mine it is here\n")
                let report = try await connector.inspection(within: .patient(seconds: 20))
                #expect(try await report.clockOffset(within: .patient(seconds: 20)).bound < .patient(seconds: 20))
                #expect(try await report.environment(within: .patient(seconds: 20)).source == .profile)
                await connector.close()
            }
        }

        private func printed(_ line: String, by connector: VehicleConnector) async throws -> String {
            let output = Mutex<[UInt8]>([])
            let (interrupt, _) = AsyncStream<Void>.makeStream()
            let runner = SSHCommandRunner(connector: connector, timeout: .patient(seconds: 20))
            _ = try await runner.run(line, interrupt: interrupt) { chunk in
                if !chunk.isError { output.withLock { $0 += chunk.bytes } }
            }
            return String(decoding: output.withLock { $0 }, as: UTF8.self)
        }

        @Test(arguments: shells)
        func `without a set-up, ROS is found in each of its places`(_ shell: String) async throws {
            try await with(shell) { home in
                let session = try await home.session()
                func found() async throws -> String {
                    let finder = EnvironmentFinder(vehicle: "uav1", setup: "", installations: home.path + "/opt/ros")
                    return try await answer(finder, over: session)
                }
                try home.makeROS("noetic", in: "opt/ros/noetic")
                #expect(try await found() == "noetic http://noetic:11311")
                try home.makeROS("old", in: "old ws/devel")
                try FileManager.default.setAttributes(
                    [.modificationDate: Date(timeIntervalSince1970: 1_000_000_000)],
                    ofItemAtPath: home.path + "/old ws/devel/setup.bash")
                try home.makeROS("new", in: "new ws/install")
                #expect(try await found() == "new http://new:11311")
                try home.makeROS("rc", in: "rc ros")
                try home.write(
                    """
                    case $- in *i*) ;; *) return ;; esac
                    source "$HOME/rc ros/setup.bash"
                    export ROS_MASTER_URI="http://$(echo rc).invalid:11311"

                    """, to: ".bashrc")
                #expect(try await found() == "rc http://rc.invalid:11311")
                try home.makeROS("master", in: "master ros")
                let master = try await home.start(
                    "rosmaster", ["--core"], in: "master ros", ["ROS_MASTER_URI": "http://rc.invalid:11311"],
                    over: session)
                #expect(try await found() == "master http://rc.invalid:11311")
                try home.makeROS("node", in: "node ros")
                let node = try await home.start(
                    "manager", ["__name:=control_manager"], in: "node ros",
                    ["ROS_MASTER_URI": "http://node.invalid:11311", "ROS_NAMESPACE": "/uav1"], over: session)
                #expect(try await found() == "node http://node.invalid:11311")
                node.close()
                master.close()
                await session.close()
            }
        }

        @Test(arguments: shells)
        func `the environment of the log-in is used as it is`(_ shell: String) async throws {
            let environment = { (folder: String) in
                [
                    "PATH": "\(folder)/login/bin:/usr/bin:/bin", "PYTHONPATH": "\(folder)/login/lib",
                    "ROS_MASTER_URI": "http://login.invalid:11311",
                ]
            }
            try await with(shell, environment: environment) { home in
                try home.makeROS("login", in: home.folder.path + "/login")
                let connector = try home.connector()
                let link = try await connector.connect(.only(.ssh), within: .patient(seconds: 20))
                let reply = try await link.perform(.hover, within: .patient(seconds: 20))
                #expect(reply.message == "login http://login.invalid:11311")
                #expect(connector.knownROSEnvironment?.source == .logIn)
                await link.close()
                await connector.close()
            }
        }

        @Test(arguments: shells)
        func `an environment that is gone is searched anew`(_ shell: String) async throws {
            try await with(shell) { home in
                try home.makeROS("one", in: "one/devel")
                let connector = try home.connector()
                let link = try await connector.connect(.only(.ssh), within: .patient(seconds: 20))
                func message() async throws -> String {
                    try await link.perform(.hover, within: .patient(seconds: 20)).message
                }
                #expect(try await message() == "one http://one:11311")
                let first = try #require(connector.knownROSEnvironment)
                #expect(first.source == .workspace && first.files == [home.path + "/one/devel/setup.bash"], "\(first)")
                try FileManager.default.removeItem(atPath: home.path + "/one")
                try home.makeROS("two", in: "two/devel")
                #expect(try await message() == "two http://two:11311")
                // One that still works stays, whatever else there is.
                try home.makeROS("three", in: "three/devel")
                #expect(try await message() == "two http://two:11311")
                await link.close()
                await connector.close()
            }
        }
    }
}
