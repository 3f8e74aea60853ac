import Foundation
import IntegrationKit
import Testing

@testable import Deployment

/// Two deployments to one home, and what is in it that is not ours.
@Suite(.timeLimit(.minutes(MachinePace.minutes(3)))) struct ConcurrentScriptPeerTests {
    static let shells = ["/bin/dash", "/bin/bash"]

    /// A home with two programs.
    private func home(_ shell: String = "/bin/sh") async throws -> ScriptHome {
        let home = try ScriptHome(shell)
        _ = try await home.deploy("0.1.0")
        _ = try await home.deploy("0.2.0")
        return home
    }

    private func install(_ file: CompanionFile) -> String {
        InstallScripts.install("incoming-\(file.checksum.prefix(12))", checksum: file.checksum)
    }

    /// Makes a lock; the link leads nowhere.
    private func lock(_ home: ScriptHome, _ holder: String) throws {
        try FileManager.default.createSymbolicLink(atPath: home.lib + "/.lock", withDestinationPath: holder)
    }

    private func host() async throws -> String { try await output(["/bin/uname", "-n"]) }

    private func output(_ words: [String]) async throws -> String {
        let child = try ChildProcess(words)
        _ = try await child.exit()
        return child.output.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
    }

    private func holder(_ process: Int, age: Int = 0) async throws -> String {
        let start = try await output([
            "/bin/sh", "-c", "sed 's/.*) //' /proc/\(process)/stat 2>/dev/null | cut -d ' ' -f 20",
        ])
        let host = try await host()
        return "\(process):\(start):\(Int(Date().timeIntervalSince1970) - age):\(host)"
    }

    // MARK: The lock

    @Test(arguments: shells)
    func `of two at once the link leads to a program that is there`(shell: String) async throws {
        let home = try await home(shell)
        for round in 0..<3 {
            let first = try home.upload("1.\(round)")
            let second = try home.upload("2.\(round)")
            async let one = home.run(install(first))
            async let two = home.run(install(second))
            let answers = try await [one, two]
            #expect(answers.allSatisfy { $0.has("name") }, "\(answers)")
            #expect(FileManager.default.isExecutableFile(atPath: home.bin))
        }
        #expect(try !home.listing().contains { $0.contains(".lock") })
    }

    @Test func `nothing is changed while another deployment holds the lock`() async throws {
        let home = try await home()
        try home.write(
            """
            #!/bin/sh
            [ "$2" = show-environment ] || echo "$*" >>"$HOME/../calls"

            """, to: home.tools + "/systemctl")
        let file = try home.upload("0.3.0")
        let other = try ChildProcess(["/bin/sleep", "1000"])
        let process = Int(try #require(other.pid))
        let present = try await holder(process)
        try lock(home, present)
        let before = try home.listing()
        let scripts = [
            install(file), InstallScripts.rollBack, InstallScripts.prepare, RemoveScripts.remove(for: "uav1"),
            ServiceScripts.restart, ServiceScripts.install("uavlink deploy", for: "uav1"),
        ]
        // At once, since each waits for 5 s.
        let answers = try await withThrowingTaskGroup(of: ScriptAnswer.self) { group in
            for script in scripts { group.addTask { try await home.run(script) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.count == scripts.count)
        for answer in answers {
            #expect(answer["busy"]?.hasPrefix("process \(process), for ") == true, "\(answer)")
        }
        #expect(try home.listing() == before)
        #expect(!FileManager.default.fileExists(atPath: home.path + "/../calls"))
        await other.stop()
        // Its process is gone.
        #expect(try await home.run(install(file))["version"] == "0.3.0")
        #expect(try !home.listing().contains { $0.contains(".lock") })
    }

    @Test func `no service is written for a companion that another deployment has removed`() async throws {
        let home = try await home()
        try home.write("#!/bin/sh\n", to: home.tools + "/systemctl")
        _ = try await home.run(RemoveScripts.remove(for: "uav1"))
        let answer = try await home.run(ServiceScripts.install("uavlink deploy", for: "uav1"))
        #expect(answer["failed"] == "another deployment has removed the companion")
        #expect(try home.listing() == [])
    }

    @Test func `a lock that is too old, or is of a process that is another one by now, is taken over`() async throws {
        let home = try await home()
        let other = try ChildProcess(["/bin/sleep", "1000"])
        let process = Int(try #require(other.pid))
        let host = try await host()
        let again = "\(process):1:\(Int(Date().timeIntervalSince1970)):\(host)"
        let aged = try await holder(process, age: 700)
        for old in [aged, again, "something else"] {
            try lock(home, old)
            #expect(try await home.run(InstallScripts.rollBack).has("name"), "\(old)")
        }
        await other.stop()
    }

    @Test func `a program that another deployment has removed or put in its place meanwhile`() async throws {
        let home = try await home()
        let file = try home.upload("0.3.0")
        let name = try #require(try await home.run(install(file))["name"])
        // The other one's upload of the same program is gone, and the program is there.
        #expect(try await home.run(install(file))["name"] == name)
        let gone = "companion-0.9.0-0123456789ab"
        let answer = try await home.run(
            InstallScripts.install(gone, checksum: "0123456789ab" + String(repeating: "0", count: 52)))
        #expect(answer["gone"] == gone)
        #expect(try await home.facts().installed == .deployed(name))
    }

    @Test func `an upload of another deployment stays`() async throws {
        let home = try await home()
        let file = try home.upload("0.3.0")
        let other = "\(home.lib)/.incoming-0123456789ab.q1"
        try home.write("x", to: other)
        #expect(try await home.run(install(file)).has("name"))
        #expect(try await home.run(InstallScripts.prepare).has("prepared"))
        #expect(FileManager.default.fileExists(atPath: other))
    }

    // MARK: What is not ours

    @Test func `files of other names stay, also those that begin as ours do`() async throws {
        let home = try await home()
        let foreign = [
            "companion-important", "incoming-mail", ".incoming-0123456789ab.tar.gz", "companion-1-0123456789aX",
        ]
        for name in foreign { try home.write("x", to: "\(home.lib)/\(name)") }
        _ = try await home.deploy("0.3.0")
        let facts = try await home.facts()
        #expect(facts.stored.count == 2 && facts.partial.isEmpty && facts.hasMadeFolders)
        _ = try await home.run(RemoveScripts.remove(for: "uav1"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: home.lib).sorted() == foreign.sorted())
    }

    @Test func `a list of folders that is not ours is neither read nor removed`() async throws {
        let home = try await home()
        try home.write(".local/lib\n.ssh\n", to: home.lib + "/made")
        #expect(try await !home.facts().hasMadeFolders)
        _ = try await home.run(RemoveScripts.remove(for: "uav1"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: home.lib) == ["made"])
    }

    @Test func `what a first upload that was cut has left is seen, and goes`() async throws {
        let home = try ScriptHome("/bin/sh")
        _ = try await home.run(InstallScripts.prepare)
        #expect(try await home.facts().hasDeployment)
        #expect(try await home.run(RemoveScripts.remove(for: "uav1")).all("removed").contains(".local/lib/uavlink"))
        #expect(try home.listing() == [])
    }

    @Test func `the lock and the log of a companion go with it, unless one still runs`() async throws {
        let home = try await home()
        let files = FileManager.default
        try files.createDirectory(
            atPath: home.runtime, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        for name in ["uav1.lock", "uav1.log", "uav2.log"] { try home.write("", to: "\(home.runtime)/\(name)") }
        let companion = try ChildProcess(["/usr/bin/tail", "-v", "-f", home.runtime + "/uav1.lock"])
        _ = try await companion.line(containing: "uav1.lock")
        _ = try await home.run(RemoveScripts.remove(for: "uav1"))
        #expect(try files.contentsOfDirectory(atPath: home.runtime).count == 3)
        await companion.stop()
        _ = try await home.run(RemoveScripts.remove(for: "uav1"))
        #expect(try files.contentsOfDirectory(atPath: home.runtime) == ["uav2.log"])
    }

    // MARK: What is in the way

    @Test func `a link to a folder is refused, and nothing is moved into it`() async throws {
        let home = try ScriptHome("/bin/sh")
        let files = FileManager.default
        let folder = home.path + "/folder"
        for path in [folder, home.path + "/.local/bin"] {
            try files.createDirectory(atPath: path, withIntermediateDirectories: true)
        }
        try files.createSymbolicLink(atPath: home.bin, withDestinationPath: folder)
        #expect(try await home.facts().installed == .folder)
        #expect(try await home.deploy("0.1.0")["failed"]?.contains("a link to one") == true)
        #expect(try files.contentsOfDirectory(atPath: folder).isEmpty)
    }

    @Test func `a link to nowhere in the place of our folder is named`() async throws {
        let home = try ScriptHome("/bin/sh")
        try FileManager.default.createDirectory(
            atPath: home.path + "/.local/lib", withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: home.lib, withDestinationPath: "/nonexistent/disk")
        #expect(try await home.facts().homeProblem == .dangling("\(home.lib) -> /nonexistent/disk"))
    }

    @Test func `a program that does not end is killed, and nothing is changed`() async throws {
        // Both at once, since each takes 5 s.
        try await withThrowingTaskGroup(of: Void.self) { group in
            for hasOldTimeout in [false, true] { group.addTask { try await killsWhatDoesNotEnd(hasOldTimeout) } }
            try await group.waitForAll()
        }
    }

    private func killsWhatDoesNotEnd(_ hasOldTimeout: Bool) async throws {
        let home = try await home()
        if hasOldTimeout { try home.write("#!/bin/sh\nexit 1\n", to: home.tools + "/timeout") }
        let before = try home.listing()
        let text = "#!/bin/sh\nexec sleep 1000\n"
        let file = CompanionFile(path: "", bytes: Array(text.utf8))
        try home.write(text, to: "\(home.lib)/incoming-\(file.checksum.prefix(12))")
        #expect(try await home.run(install(file))["hung"] == "5", "old timeout: \(hasOldTimeout)")
        #expect(try home.listing() == before)
    }
}
