import Foundation
import IntegrationKit
import MRS
import Testing

@testable import Deployment

/// The scripts, run by real shells in a home of the test's own, with what shells treat as special in its path.
@Suite(.timeLimit(.minutes(MachinePace.minutes(2)))) struct DeploymentScriptPeerTests {
    static let shells = ["/bin/dash", "/bin/bash", "/usr/bin/zsh"]

    /// Skipped aloud where the shell is not installed.
    private func home(_ shell: String) throws -> ScriptHome? {
        guard FileManager.default.isExecutableFile(atPath: shell) else {
            print("➜ \(shell) is skipped: it is not installed")
            return nil
        }
        return try ScriptHome(shell)
    }

    @Test(arguments: shells)
    func `two are kept, the newest is used, and all goes as it came`(shell: String) async throws {
        guard let home = try home(shell) else { return }
        let before = try await home.facts()
        #expect(before.home == home.path && before.missingFolders == [".local/bin", ".local/lib/uavlink"])
        #expect(before.system == "Linux" && before.isNoexec != nil && (before.freeBytes ?? 0) > 0)
        let first = try #require(try await home.deploy("0.1.0")["name"])
        let second = try #require(try await home.deploy("0.2.0")["name"])
        let third = try await home.deploy("0.3.0")
        let name = try #require(third["name"])
        #expect(third["previous"] == second && third.all("removed") == [first] && third["version"] == "0.3.0")
        let facts = try await home.facts()
        #expect(facts.installed == .deployed(name) && facts.previous == second)
        #expect(facts.stored.sorted() == [second, name] && facts.foundVersion == "0.3.0" && facts.partial.isEmpty)
        // Again the same one.
        let again = try await home.run(
            InstallScripts.install(name, checksum: CompanionFile(path: "", bytes: Array(try read(home, name))).checksum)
        )
        #expect(again["name"] == name && again["previous"] == second)
        // To and fro.
        #expect(try await home.run(InstallScripts.rollBack)["name"] == second)
        #expect(try await home.facts().installed == .deployed(second))
        #expect(try await home.run(InstallScripts.rollBack)["name"] == name)
        _ = try await home.run(RemoveScripts.remove(for: "uav1"))
        #expect(try home.listing() == [])
    }

    private func read(_ home: ScriptHome, _ name: String) throws -> Data {
        try #require(FileManager.default.contents(atPath: "\(home.lib)/\(name)"))
    }

    @Test func `what does not run, or is not what was sent, changes nothing`() async throws {
        let home = try ScriptHome("/bin/sh")
        let name = try #require(try await home.deploy("0.1.0")["name"])
        let good = try home.upload("0.2.0")
        let source = "incoming-\(good.checksum.prefix(12))"
        let damaged = try await home.run(InstallScripts.install(source, checksum: String(repeating: "0", count: 64)))
        #expect(damaged["damaged"] == source)
        for version in ["", "1;reboot", "../../x", String(repeating: "1", count: 33)] {
            let answer = try await home.deploy(version)
            #expect(answer.has("broken") && !answer.has("name"), "\(version)")
        }
        let other = CompanionFile(path: "", bytes: Array("#!/bin/sh\nexit 3\n".utf8))
        try home.write("#!/bin/sh\nexit 3\n", to: "\(home.lib)/incoming-x")
        #expect(try await home.run(InstallScripts.install("incoming-x", checksum: other.checksum))["broken"] == "3 ")
        let facts = try await home.facts()
        #expect(facts.installed == .deployed(name) && facts.stored == [name] && facts.partial.isEmpty)
    }

    @Test func `what is left of an upload that was cut is seen and removed`() async throws {
        let home = try ScriptHome("/bin/sh")
        _ = try await home.run(InstallScripts.prepare)
        let name = ".incoming-0123456789ab.abc"
        try home.write("x", to: "\(home.lib)/\(name)")
        #expect(try await home.facts().partial == [name])
        // It may be of another deployment that goes on.
        _ = try await home.run(InstallScripts.prepare)
        #expect(try await home.facts().partial == [name])
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -700)], ofItemAtPath: "\(home.lib)/\(name)")
        _ = try await home.run(InstallScripts.prepare)
        #expect(try await home.facts().partial.isEmpty)
    }

    @Test(arguments: [false, true])
    func `a program of the user is kept, can come back, and is put back`(isLink: Bool) async throws {
        let home = try ScriptHome("/bin/sh")
        let files = FileManager.default
        try files.createDirectory(atPath: home.path + "/.local/bin", withIntermediateDirectories: true)
        let own = isLink ? home.path + "/mine" : home.bin
        try home.write("#!/bin/sh\necho uavlink-companion 0.0.1\n", to: own)
        if isLink { try files.createSymbolicLink(atPath: home.bin, withDestinationPath: own) }
        let before = try home.listing()
        let answer = try await home.deploy("0.1.0")
        #expect(answer["previous"] == "original")
        #expect(try await home.facts().hasOriginal)
        #expect(try await home.run(InstallScripts.rollBack)["version"] == "0.0.1")
        #expect(
            try await home.run(RemoveScripts.remove(for: "uav1")).all("restored") == [".local/bin/uavlink-companion"])
        #expect(try home.listing() == before)
    }

    @Test func `folders of the user stay`() async throws {
        let home = try ScriptHome("/bin/sh")
        try FileManager.default.createDirectory(
            atPath: home.path + "/.local/lib", withIntermediateDirectories: true)
        _ = try await home.deploy("0.1.0")
        try home.write("x", to: home.path + "/.local/bin/mine")
        _ = try await home.run(RemoveScripts.remove(for: "uav1"))
        #expect(try home.listing() == [".local", ".local/bin", ".local/bin/mine", ".local/lib"])
    }

    @Test func `a service is written with its folders, and goes with them`() async throws {
        let home = try ScriptHome("/bin/sh")
        try home.write(
            """
            #!/bin/sh
            echo "$*" >>"$HOME/../calls"
            [ "$2" != "$(cat "$HOME/../failing" 2>/dev/null)" ] || { echo "no $2"; exit 1; }

            """, to: home.tools + "/systemctl")
        _ = try await home.deploy("0.1.0")
        let text = ServiceUnit.text(vehicle: "uav1", bind: nil, variables: [.init(name: "ROS_IP", value: "it's 1")])
        #expect(try await home.run(ServiceScripts.install(text, for: "uav1")).has("active"))
        let unit = home.path + "/" + ServiceUnit.path
        #expect(try String(contentsOfFile: unit, encoding: .utf8) == text)
        let facts = try await home.facts()
        #expect(facts.unit == .ours && facts.unitVehicle == "uav1")
        try home.folder.write("enable", to: "failing")
        #expect(try await home.run(ServiceScripts.install(text, for: "uav1"))["failed"] == "no enable")
        try home.folder.write("show-environment", to: "failing")
        #expect(try await home.run(ServiceScripts.install(text, for: "uav1"))["absent"] == "no show-environment")
        try home.folder.write("restart", to: "failing")
        #expect(try await home.run(ServiceScripts.restart)["failed"] == "no restart")
        // A service that the manager does not stop stays, with all that it runs from.
        try home.folder.write("disable", to: "failing")
        let before = try home.listing()
        let answer = try await home.run(RemoveScripts.remove(for: "uav1"))
        #expect(answer["failed"] == "no disable" && !answer.has("removed"))
        #expect(try home.listing() == before)
        try home.folder.write("", to: "failing")
        _ = try await home.run(RemoveScripts.remove(for: "uav1"))
        #expect(try home.listing() == [])
        let calls = try String(contentsOfFile: home.folder.path + "/calls", encoding: .utf8)
        #expect(calls.contains("--user disable --now uavlink-companion.service"))
    }

    @Test func `a unit of another origin is neither replaced nor removed`() async throws {
        let home = try ScriptHome("/bin/sh")
        try home.write("#!/bin/sh\n", to: home.tools + "/systemctl")
        _ = try await home.deploy("0.1.0")
        let folder = home.path + "/.config/systemd/user"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try home.write("[Unit]\n", to: home.path + "/" + ServiceUnit.path)
        #expect(try await home.facts().unit == .foreign)
        #expect(try await home.run(ServiceScripts.install("x", for: "uav1")).has("foreign"))
        _ = try await home.run(RemoveScripts.remove(for: "uav1"))
        #expect(try home.listing().last == ServiceUnit.path)
    }

    @Test func `the variables of a set-up are printed`() async throws {
        let child = try ChildProcess(
            ["/bin/sh", "-c", ServiceScripts.variables],
            environment: ["ROS_MASTER_URI": "http://a:11311", "ROS_IP": "", "PATH": "/bin"])
        _ = try await child.exit()
        #expect(ServiceUnit.variables(child.output) == [.init(name: "ROS_MASTER_URI", value: "http://a:11311")])
    }

    @Test func `the end of a process is waited for`() async throws {
        let home = try ScriptHome("/bin/sh")
        let child = try ChildProcess(["/bin/sleep", "1000"])
        let process = try #require(child.pid)
        #expect(try await home.run(RemoveScripts.awaitEnd(of: Int(process))).has("alive"))
        await child.stop()
        #expect(try await !home.run(RemoveScripts.awaitEnd(of: Int(process))).has("alive"))
    }
    /// In a container without an init nobody collects a companion whose starter has ended.
    @Test func `a process that has ended is not waited for, though its parent does not collect it`() async throws {
        let home = try ScriptHome("/bin/sh")
        let parent = try ChildProcess(["/bin/sh", "-c", "sleep 0 & echo $!; exec sleep 1000"])
        #expect(await eventually { parent.output.hasSuffix("\n") })
        let process = try #require(Int(parent.output.filter(\.isNumber)))
        #expect(
            await eventually {
                (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8))?.contains(") Z ") == true
            })
        #expect(try await !home.run(RemoveScripts.awaitEnd(of: process)).has("alive"))
        await parent.stop()
    }
}
