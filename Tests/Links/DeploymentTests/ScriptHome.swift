import Foundation
import IntegrationKit
import MRS
import Testing

@testable import Deployment

/// A home, and programs of the test that come first on the `PATH`.
struct ScriptHome {
    let folder: TemporaryFolder
    let shell: String
    let path: String
    let tools: String

    /// What a home that is a link leads to.
    var physicalPath: String { folder.path + "/disk" }

    /// - Parameter isLink: whether the home is a symbolic link to the folder that it is in.
    init(_ shell: String, isLink: Bool = false) throws {
        self.shell = shell
        folder = try TemporaryFolder()
        path = folder.path + "/it's a \"home\" of $x"
        tools = folder.path + "/tools"
        let files = FileManager.default
        for path in [isLink ? physicalPath : path, tools] {
            try files.createDirectory(atPath: path, withIntermediateDirectories: true)
        }
        if isLink { try files.createSymbolicLink(atPath: path, withDestinationPath: physicalPath) }
    }

    var lib: String { path + "/.local/lib/uavlink" }
    /// Where a companion that is started on demand has its lock and its log.
    var runtime: String { folder.path + "/runtime" }
    var bin: String { path + "/.local/bin/uavlink-companion" }

    /// - Parameter home: the home as the user's environment spells it; `nil` for ``path``.
    func run(_ script: String, home: String? = nil) async throws -> ScriptAnswer {
        let child = try ChildProcess(
            [shell, "-c", RemoteShell.posixLine(running: script)],
            environment: [
                "HOME": home ?? path, "PATH": "\(tools):/usr/bin:/bin", "LC_ALL": "C.UTF-8",
                "UAVLINK_RUNTIME_DIR": runtime,
            ])
        _ = try await child.exit()
        let answer = ScriptAnswer(child.output)
        #expect(answer.isComplete, "\(child.output) \(child.errors)")
        return answer
    }

    func write(_ text: String, to file: String) throws {
        guard
            FileManager.default.createFile(
                atPath: file, contents: Data(text.utf8), attributes: [.posixPermissions: 0o755])
        else { throw ProcessFailure("cannot write \(file)") }
    }

    /// What an upload of a program with this version leaves.
    func upload(_ version: String) throws -> CompanionFile {
        let text = "#!/bin/sh\necho 'uavlink-companion \(version)'\n"
        let file = CompanionFile(path: "", bytes: Array(text.utf8))
        try write(text, to: "\(lib)/incoming-\(file.checksum.prefix(12))")
        return file
    }

    /// Prepares, uploads and installs it.
    func deploy(_ version: String) async throws -> ScriptAnswer {
        #expect(try await run(InstallScripts.prepare).has("prepared"))
        let file = try upload(version)
        return try await run(
            InstallScripts.install("incoming-\(file.checksum.prefix(12))", checksum: file.checksum))
    }

    func facts(home: String? = nil) async throws -> HostFacts {
        try #require(HostFacts(try await run(FactsScript.text, home: home)))
    }

    /// All that is in the home, and where the links lead.
    func listing() throws -> [String] {
        let files = FileManager.default
        return try files.subpathsOfDirectory(atPath: path).sorted().map { name in
            let target = try? files.destinationOfSymbolicLink(atPath: "\(path)/\(name)")
            return name + (target.map { " -> \($0)" } ?? "")
        }
    }
}
