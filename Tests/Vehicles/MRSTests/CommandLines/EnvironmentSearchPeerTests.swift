import Foundation
import IntegrationKit
import Testing

@testable import MRS

/// The search for ROS by the shells of this machine, in a home of its own with programs of ours in place of ROS's.
///
/// The ROS master is named at log-in, so that no process of another test is taken for one of this vehicle.
@Suite struct EnvironmentSearchPeerTests {
    static let shells = ["/bin/dash", "/bin/bash"].filter { FileManager.default.isExecutableFile(atPath: $0) }
    private static let master = "http://search.invalid:11311"

    private let folder: TemporaryFolder
    private let home: String

    init() throws {
        folder = try TemporaryFolder()
        home = folder.path + "/it's a \"home\" of $x"
        try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
    }

    /// Makes an installation that knows the flight stack's messages; its files say that they were read with arguments.
    private func makeROS(_ place: String, version: Int = 1, hasMessages: Bool = true) throws {
        let path = home + "/" + place
        for part in hasMessages ? ["bin", "lib/mrs_msgs"] : ["bin"] {
            try FileManager.default.createDirectory(atPath: "\(path)/\(part)", withIntermediateDirectories: true)
        }
        try write("#!/bin/sh\n", to: place + (version == 2 ? "/bin/ros2" : "/bin/rosservice"), mode: 0o700)
        try write("", to: place + "/.catkin")
        let word = RemoteShell.word(path)
        for name in ["setup.bash", "setup.sh"] {
            try write(
                """
                export PATH=\(word)/bin:"$PATH" PYTHONPATH=\(word)/lib ROS_VERSION=\(version)
                export ROS_DISTRO=\(RemoteShell.word(place))"$*"
                echo 'found log-in nonsense'; read x
                """, to: "\(place)/\(name)")
        }
    }

    private func write(_ text: String, to name: String, mode: Int = 0o600) throws {
        let isWritten = FileManager.default.createFile(
            atPath: home + "/" + name, contents: Data(text.utf8), attributes: [.posixPermissions: mode])
        guard isWritten else { throw ProcessFailure("cannot write \(name)") }
    }

    private func search(
        _ shell: String, _ more: [String: String] = [:], ros: ROSVersion = .one
    ) async throws -> ROSEnvironment {
        let names = try VehicleNames(vehicle: "uavsearch")
        let script = EnvironmentSearch.script(for: names, installations: home + "/opt/ros", ros: ros)
        let usual = ["HOME": home, "PATH": "/usr/bin:/bin", "ROS_MASTER_URI": Self.master]
        let child = try ChildProcess([shell, "-c", script], environment: usual.merging(more) { _, new in new })
        #expect(try await child.exit() == 0, "\(child.output) \(child.errors)")
        #expect(child.errors.isEmpty)
        return try #require(ROSEnvironment(answer: Array(child.output.utf8)), "\(child.output)")
    }

    @Test(arguments: shells)
    func `an installation, then workspaces, the newest first`(_ shell: String) async throws {
        try makeROS("opt/ros/noetic")
        try makeROS("opt/ros/melodic")
        let installed = try await search(shell)
        #expect(installed.source == .installation && installed.distribution == "opt/ros/noetic", "\(installed)")
        #expect(installed.files.count == 1 && installed.place == home + "/opt/ros/noetic")

        try makeROS("old ws/devel")
        try makeROS("ws/install")
        try makeROS("ros2/install", version: 2)
        try makeROS("plain/devel", hasMessages: false)
        for file in ["setup.bash", "setup.sh"] {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 1_000_000_000)],
                ofItemAtPath: "\(home)/old ws/devel/\(file)")
        }
        let workspace = try await search(shell)
        #expect(workspace.source == .workspace && workspace.distribution == "ws/install", "\(workspace)")
        #expect(workspace.knowsMessages)
        try FileManager.default.removeItem(atPath: home + "/ws")
        #expect(try await search(shell).distribution == "old ws/devel")
        // A script of that name may be of anything.
        try FileManager.default.removeItem(atPath: home + "/old ws/devel/.catkin")
        #expect(try await search(shell).source == .installation)
    }

    @Test(arguments: shells)
    func `the setup files and addresses of a start-up file that is not run`(_ shell: String) async throws {
        try makeROS("base ros")
        try makeROS("over lay")
        try makeROS("some/devel")
        try write(
            """
            case $- in *i*) ;; *) return ;; esac
            touch ~/has-run
            # source ~/some/devel/setup.bash
            alias other='source ~/some/devel/setup.bash'
            [ -f ~/base\\ ros/setup.bash ] && . ~/base\\ ros/setup.bash
            if true; then source "$HOME/over lay/setup.bash"; fi # the workspace
            source /nowhere/setup.bash
            export ROS_IP="10.0.$(echo 0).1"
            export ROS_HOSTNAME=one
            export ROS_HOSTNAME=two
            export ROS_MASTER_URI=http://other.invalid:11311
            """, to: ".bashrc")
        let found = try await search(shell)
        #expect(found.source == .startUpFile && found.place == home + "/.bashrc", "\(found)")
        #expect(found.distribution == "over lay")
        let ending = shell.hasSuffix("bash") ? "bash" : "sh"
        #expect(found.files == ["\(home)/base ros/setup.\(ending)", "\(home)/over lay/setup.\(ending)"])
        let values = Dictionary(uniqueKeysWithValues: found.variables.map { ($0.name, $0.value) })
        #expect(values["ROS_IP"] == "10.0.0.1")
        #expect(values["ROS_HOSTNAME"] == nil && found.notes.contains { $0.contains("ROS_HOSTNAME") }, "\(found.notes)")
        #expect(values["ROS_MASTER_URI"] == nil, "that of the log-in stays")
        #expect(values["PATH"]?.hasPrefix(home + "/over lay/bin") == true)
        #expect(!FileManager.default.fileExists(atPath: home + "/has-run"))
    }

    @Test(arguments: shells)
    func `a running node of the vehicle, else the ROS master`(_ shell: String) async throws {
        try makeROS("some/devel")
        try makeROS("of master")
        try makeROS("of node")
        try write("#!/bin/sh\necho up\ncat\n", to: "rosmaster", mode: 0o700)
        func environment(_ place: String, _ more: [String: String] = [:]) -> [String: String] {
            [
                "PATH": "\(home)/\(place)/bin:/usr/bin:/bin", "PYTHONPATH": "\(home)/\(place)/lib",
                "ROS_DISTRO": place, "ROS_MASTER_URI": Self.master, "SECRET": "no", "ROS_IP": "10.0.0.2",
            ].merging(more) { _, new in new }
        }
        let master = try ChildProcess([home + "/rosmaster"], environment: environment("of master"))
        try await master.line(containing: "up")
        let ofMaster = try await search(shell)
        #expect(ofMaster.source == .process && ofMaster.place == "ROS master", "\(ofMaster)")
        #expect(ofMaster.distribution == "of master" && Self.is(ofMaster.process, master))
        #expect(ofMaster.variables.contains(.init("ROS_IP", "10.0.0.2")))
        #expect(ofMaster.files.isEmpty)

        let node = try ChildProcess(
            [home + "/rosmaster", "__name:=control_manager"],
            environment: environment("of node", ["ROS_NAMESPACE": "/uavsearch"]))
        try await node.line(containing: "up")
        let ofNode = try await search(shell)
        #expect(ofNode.place == "node control_manager" && ofNode.distribution == "of node", "\(ofNode)")
        #expect(Self.is(ofNode.process, node))
        await node.stop()
        // Those of another master, and of other users, are none of this vehicle's.
        let elsewhere = try await search(shell, ["ROS_MASTER_URI": "http://else.invalid:11311"])
        #expect(elsewhere.source == .workspace, "\(elsewhere)")
        await master.stop()
    }

    @Test(arguments: shells)
    func `nodes of the vehicle on several ROS masters choose none, and all are listed`(_ shell: String) async throws {
        try makeROS("some/devel")
        try write("#!/bin/sh\necho up\ncat\n", to: "node", mode: 0o700)
        var nodes: [ChildProcess] = []
        for master in ["http://one.invalid:11311/", "http://two.invalid:11311"] {
            let node = try ChildProcess(
                [home + "/node", "__name:=control_manager"],
                environment: ["PATH": "/usr/bin:/bin", "ROS_NAMESPACE": "/uavsearch", "ROS_MASTER_URI": master])
            try await node.line(containing: "up")
            nodes.append(node)
        }
        let found = try await search(shell, ["ROS_MASTER_URI": ""])
        #expect(found.source == .workspace, "\(found)")
        let seen = Set(found.masters)
        #expect(seen.isSuperset(of: ["http://one.invalid:11311", "http://two.invalid:11311"]), "\(found)")
        #expect(found.needsMasterChoice)
        // Who names one has chosen.
        #expect(try await search(shell).needsMasterChoice == false)
        for node in nodes { await node.stop() }
    }

    /// Whether a process that was found is a program of the test, or what watches over it: that has the same words and environment.
    private static func `is`(_ found: Int?, _ program: ChildProcess) -> Bool {
        guard let found, let pid = program.pid else { return false }
        let status = try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
        return found == Int(pid) || status?.contains("PPid:\t\(found)\n") == true
    }

    @Test(arguments: shells)
    func `the environment of the log-in goes before all, unless it lacks the messages`(_ shell: String) async throws {
        try makeROS("some/devel")
        try makeROS("log in")
        let path = "\(home)/log in/bin:/usr/bin:/bin"
        let all = try await search(shell, ["PATH": path, "PYTHONPATH": home + "/log in/lib"])
        #expect(all.source == .logIn && all.variables.isEmpty && all.setup.isEmpty, "\(all)")
        #expect(all.searched.count == 1)
        let some = try await search(shell, ["PATH": path])
        #expect(some.source == .workspace && some.distribution == "some/devel", "\(some)")
        try FileManager.default.removeItem(atPath: home + "/some")
        #expect(try await search(shell, ["PATH": path]).source == .logIn)
    }

    @Test(arguments: shells)
    func `an empty home has nothing`(_ shell: String) async throws {
        let none = try await search(shell, ["PATH": folder.path])
        #expect(none.source == .missing && none.failure != nil, "\(none)")
        #expect(none.searched.contains(home + "/.bashrc") && none.searched.contains(home + "/opt/ros"))
    }

    @Test(arguments: shells)
    func `ROS 2 is found beside ROS 1, with what a start-up file and a node say of it`(_ shell: String) async throws {
        try makeROS("opt/ros/noetic")
        try makeROS("opt/ros/jazzy", version: 2)
        let ros = ROSVersion.two(domain: nil)
        #expect(try await search(shell, ros: ros).distribution == "opt/ros/jazzy")
        #expect(try await search(shell).distribution == "opt/ros/noetic")
        try makeROS("ws1/devel")
        try makeROS("ws2/install", version: 2)
        #expect(try await search(shell, ros: ros).distribution == "ws2/install")
        try write(
            """
            source ~/opt/ros/jazzy/setup.bash
            export RMW_IMPLEMENTATION=rmw_zenoh_cpp
            export ROS_DOMAIN_ID=7
            """, to: ".bashrc")
        let started = try await search(shell, ros: ros)
        #expect(started.source == .startUpFile, "\(started)")
        let values = Dictionary(uniqueKeysWithValues: started.variables.map { ($0.name, $0.value) })
        #expect(values["RMW_IMPLEMENTATION"] == "rmw_zenoh_cpp" && values["ROS_DOMAIN_ID"] == "7")

        try write("#!/bin/sh\necho up\ncat\n", to: "component_container", mode: 0o700)
        let node = try ChildProcess(
            [home + "/component_container", "--ros-args", "-r", "__node:=managers", "-r", "__ns:=/uavsearch"],
            environment: [
                "PATH": "\(home)/ws2/install/bin:/usr/bin:/bin", "PYTHONPATH": "\(home)/ws2/install/lib",
                "ROS_DISTRO": "of node", "ROS_VERSION": "2", "ROS_DOMAIN_ID": "9", "SECRET": "no",
            ])
        try await node.line(containing: "up")
        let running = try await search(shell, ros: ros)
        #expect(running.source == .process && running.place == "node managers", "\(running)")
        #expect(running.distribution == "of node")
        #expect(running.variables.contains(.init("ROS_DOMAIN_ID", "9")))
        #expect(!running.variables.contains { $0.name == "SECRET" })

        // Another one of this name in the usual domain: none is chosen by itself.
        let environment = [
            "PATH": "\(home)/ws2/install/bin:/usr/bin:/bin", "PYTHONPATH": "\(home)/ws2/install/lib",
            "ROS_VERSION": "2",
        ]
        let other = try ChildProcess(
            [home + "/component_container", "--ros-args", "-r", "__node:=others", "-r", "__ns:=/uavsearch"],
            environment: environment)
        try await other.line(containing: "up")
        #expect(try await search(shell, ros: ros).source != .process)
        await node.stop()
        // That of the log-in is not that of a node which has none.
        let usual = try await search(shell, ["PATH": "/usr/bin:/bin", "ROS_DOMAIN_ID": "7"], ros: ros)
        #expect(usual.source == .process && usual.variables.contains(.init("ROS_DOMAIN_ID", "")), "\(usual)")
        await other.stop()
    }
}
