import Deployment
import Foundation
import IntegrationKit
import SSHTransport
import Testing
import UAVLink
import VehicleAccess

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

extension SSHTests {
    @Suite(
        .enabled(if: BuiltPrograms.folder != nil, "the programs are not built"),
        .timeLimit(.minutes(MachinePace.minutes(5))))
    struct DeployTests {
        @Test func `deployed, used, not uploaded again, replaced, rolled back, removed`() async throws {
            try await DeployComputer.with { computer in
                #expect(try await !computer.opensChannel())
                let before = try computer.listing()
                let first = try await computer.deploy(try computer.standIn("1.0.0"))
                #expect(first.version == "1.0.0" && first.upload != nil && first.previous == nil)
                #expect((first.proof?.roundTrip ?? .zero) > .zero && first.proof?.link == .udp)
                #expect(try await computer.opensChannel())
                let again = try await computer.deploy(try computer.standIn("1.0.0"))
                #expect(again.upload == nil && again.name == first.name && again.hasRestarted)
                let running = try #require(computer.companion)
                let second = try await computer.deploy(try computer.standIn("2.0.0"))
                #expect(second.previous == first.name && second.hasRestarted && second.version == "2.0.0")
                #expect(computer.companion != running)
                let third = try await computer.deploy(try computer.standIn("3.0.0"))
                let stored = try computer.listing().filter { $0.hasPrefix(".local/lib/uavlink/companion-") }
                #expect(stored.count == 2 && third.previous == second.name, "\(stored)")
                let back = try await computer.deploy(nil, DeploymentOptions(.rollBack))
                #expect(back.name == second.name && back.previous == third.name && back.proof != nil)
                #expect(try await computer.opensChannel())
                // The stand-in's process is the companion of this build, which is not in the home.
                await computer.endCompanion()
                let away = try await computer.deploy(nil, DeploymentOptions(.remove))
                #expect(away.removed.contains(".local/bin/uavlink-companion"))
                #expect(try computer.listing() == before)
                #expect(try await !computer.opensChannel())
                let nothing = try await computer.deploy(nil, DeploymentOptions(.remove))
                #expect(nothing.removed.isEmpty)
            }
        }

        @Test func `a dry run changes nothing`() async throws {
            try await DeployComputer.with { computer in
                let report = try await computer.deploy(
                    try computer.standIn("1.0.0"), DeploymentOptions(isDryRun: true))
                #expect(report.steps.contains { $0.hasPrefix("upload ") })
                #expect(try computer.listing().isEmpty)
            }
        }

        @Test(.enabled(if: TemporaryUser.canBeMade, "only root can make a user"))
        func `an ordinary user gets the companion of this build, which can be taken away while it runs`() async throws {
            let folder = try DeployComputer.makeFolder()
            try await TemporaryUser.with(shell: "/bin/dash", home: folder.file("home")) { user in
                for name in ["home", "run"] {
                    try FileManager.default.setAttributes(
                        [.ownerAccountName: user.name], ofItemAtPath: folder.file(name))
                }
                try await DeployComputer.with(user: user, folder: folder) { computer in
                    let program = try BuiltPrograms.path("uavlink-companion")
                    let report = try await computer.deploy(program)
                    #expect(report.version == Version.text && report.proof?.version == Version.text)
                    #expect(report.facts.user == user.name)
                    let deployed = try #require(report.name)
                    let process = try #require(computer.companion)
                    let running = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/exe")
                    #expect(running == "\(computer.home)/.local/lib/uavlink/\(deployed)")
                    // It is the deployed one: it stays, and goes with it.
                    let again = try await computer.deploy(program)
                    #expect(!again.hasRestarted && again.upload == nil && computer.companion == process)
                    try await computer.deploy(nil, DeploymentOptions(.remove))
                    #expect(try computer.listing().isEmpty)
                    #expect(await eventually { computer.companion == nil })
                }
            }
        }

        @Test(
            .enabled(if: TemporaryUser.canBeMade, "only root can make a user with a log-in shell"),
            arguments: ["/bin/dash", "/bin/bash", "/usr/bin/zsh", "/usr/bin/fish"])
        func `whatever the log-in shell is`(shell: String) async throws {
            guard FileManager.default.isExecutableFile(atPath: shell) else {
                return print("➜ the log-in shell \(shell) is skipped: it is not installed")
            }
            let folder = try DeployComputer.makeFolder()
            try await TemporaryUser.with(isOurself: true, shell: shell, home: folder.file("home")) { user in
                try await DeployComputer.with(user: user, folder: folder) { computer in
                    let report = try await computer.deploy(try computer.standIn("1.0.0"))
                    #expect(report.proof != nil && report.facts.home == computer.home)
                    #expect(try await computer.opensChannel())
                    try await computer.deploy(nil, DeploymentOptions(.remove))
                    #expect(
                        try computer.listing().filter { $0.hasPrefix(".local/lib") || $0.hasPrefix(".local/bin") } == []
                    )
                }
            }
        }

        @Test(.enabled(if: getuid() == 0, "only root can mount"))
        func `a home from which no program can run`() async throws {
            let folder = try DeployComputer.makeFolder()
            try await DeployComputer.withMount("noexec,size=64m", at: folder.file("home")) {
                try await DeployComputer.with(folder: folder) { computer in
                    let program = try computer.standIn("1.0.0")
                    let error = await computer.failure(program)
                    #expect(error?.what.contains("noexec") == true, "\(error as Any)")
                    #expect(try computer.listing().isEmpty)
                    // Where neither findmnt nor the mount table say so, running the program does.
                    for tool in ["findmnt", "df"] {
                        try folder.write("#!/bin/sh\nexit 1\n", to: "tools/\(tool)", mode: 0o755)
                    }
                    let tried = await computer.failure(program)
                    #expect(tried?.what.contains("cannot run on the vehicle") == true, "\(tried as Any)")
                    #expect(try !computer.listing().contains { $0.contains("companion-") || $0.contains("incoming") })
                }
            }
        }

        @Test(.enabled(if: getuid() == 0, "only root can mount"))
        func `a full disk`() async throws {
            let folder = try DeployComputer.makeFolder()
            try await DeployComputer.withMount("size=3m", at: folder.file("home")) {
                try await DeployComputer.with(folder: folder) { computer in
                    try await computer.deploy(try computer.standIn("1.0.0"))
                    let large = try computer.standIn("2.0.0", padding: 8 << 20)
                    let error = await computer.failure(large)
                    #expect(error?.what.contains("free") == true, "\(error as Any)")
                    // Where the free space is not what it seems, as with a quota.
                    try folder.write(
                        "#!/bin/sh\necho x\necho 'tmpfs 9999999 0 9999999 0% /'\n", to: "tools/df", mode: 0o755)
                    let full = await computer.failure(large)
                    #expect(full?.what.hasPrefix("the upload ended after") == true, "\(full as Any)")
                    #expect(try !computer.listing().contains { $0.contains("incoming") })
                    #expect(try await computer.opensChannel())
                }
            }
        }

        @Test func `an upload that is cut leaves the old one, and the next one succeeds`() async throws {
            try await DeployComputer.with { computer in
                let first = try await computer.deploy(try computer.standIn("1.0.0"))
                let large = try computer.standIn("2.0.0", padding: 64 << 20)
                let (begun, begin) = AsyncStream<Void>.makeStream()
                let server = computer.server
                let cut = Task {
                    for await _ in begun { break }
                    return await server.killSessions()
                }
                let error = await computer.failure(large) { event in
                    if case .uploaded = event { begin.yield() }
                }
                begin.finish()
                #expect(await cut.value > 0)
                #expect(error?.what.hasPrefix("the upload ended after") == true, "\(error as Any)")
                guard case .link(let link)? = error, link.code == .notConnected else {
                    Issue.record("\(error as Any)")
                    return
                }
                let left = try computer.listing()
                #expect(left.contains { $0.contains(".incoming-") }, "\(left)")
                #expect(left.contains { $0.hasSuffix("/\(first.name ?? "?")") && $0.contains("->") }, "\(left)")
                #expect(try await computer.opensChannel())
                let second = try await computer.deploy(large)
                #expect(second.version == "2.0.0" && second.upload != nil)
                #expect(try !computer.listing().contains { $0.contains("incoming") })
            }
        }

        @Test func `a program that cannot run there is not used`() async throws {
            try await DeployComputer.with { computer in
                let first = try await computer.deploy(try computer.standIn("1.0.0"))
                let broken = try computer.folder.write("#!/nonexistent/sh\n", to: "broken", mode: 0o755)
                let error = await computer.failure(broken)
                #expect(error?.what.contains("cannot run on the vehicle") == true, "\(error as Any)")
                let facts = try await computer.deploy(nil, DeploymentOptions(.remove, isDryRun: true)).facts
                #expect(facts.installed == .deployed(first.name ?? "") && facts.stored.count == 1)
                #expect(try await computer.opensChannel())
            }
        }

        @Test func `the command line prints one object, also of a failure`() async throws {
            try await DeployComputer.with { computer in
                func run(_ words: String...) async throws -> (status: Int32, object: [String: Any], errors: String) {
                    let server = computer.server
                    let child = try ChildProcess(
                        [
                            BuiltPrograms.path("uavlink"), "deploy", "\(server.user)@127.0.0.1", "--port",
                            "\(server.port)", "--identity", server.userKey, "--uav", DeployComputer.vehicle,
                            "--accept-new-host-key", "--json", "--quiet", "--timeout",
                            "\(Int(20 * MachinePace.factor))s",
                        ] + words,
                        environment: ["PATH": "/usr/bin:/bin", "HOME": computer.folder.path, "USER": "x"])
                    let status = try await child.exit(within: .seconds(120))
                    let object = try JSONSerialization.jsonObject(with: Data(child.output.utf8)) as? [String: Any]
                    return (status, try #require(object, "\(child.output) \(child.errors)"), child.errors)
                }
                // The companion itself, which then runs from the folder that is removed; a stand-in does not.
                let good = try await run("--program", try BuiltPrograms.path("uavlink-companion"))
                // Quiet is no reason to keep a warning back: no flight stack says that the vehicle is on the ground.
                let warned = good.errors.split(separator: "\n")
                #expect(good.status == 0 && warned.allSatisfy { $0.hasPrefix("warning: ") }, "\(good)")
                #expect(warned.contains { $0.contains("is not known") }, "\(good)")
                #expect((good.object["warnings"] as? [String])?.count == warned.count, "\(good)")
                #expect(good.object["ok"] as? Bool == true && good.object["version"] as? String == Version.text)
                #expect((good.object["round_trip_ms"] as? Double ?? 0) > 0 && good.object["architecture"] is String)
                let missing = try await run("--program", "/nonexistent/companion")
                #expect(missing.status == 2 && missing.object["ok"] as? Bool == false, "\(missing)")
                #expect(missing.object["architecture"] is String && missing.object["exit_code"] as? Int == 2)
                #expect((missing.object["error"] as? String)?.contains("/nonexistent/companion") == true)
                let back = try await run("--rollback")
                #expect(back.status == 1 && (back.object["hint"] as? String)?.isEmpty == false, "\(back)")
                // A companion runs now, and no flight stack says that the vehicle is on the ground.
                let refused = try await run("--remove")
                #expect(refused.status == 1 && refused.errors.contains("is not known"), "\(refused)")
                #expect((refused.object["hint"] as? String)?.contains("--force") == true, "\(refused)")
                let away = try await run("--remove", "--force")
                #expect(away.status == 0, "\(away)")
                #expect((away.object["warnings"] as? [String])?.contains { $0.contains("is not known") } == true)
                #expect(try computer.listing().isEmpty, "\(away)")
            }
        }
    }
}
