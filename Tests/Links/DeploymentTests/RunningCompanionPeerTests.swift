import Foundation
import IntegrationKit
import Testing

@testable import Deployment

/// Which companions the script sees, and what it calls their programs.
@Suite(.timeLimit(.minutes(MachinePace.minutes(2)))) struct RunningCompanionPeerTests {
    /// A program that goes on whatever its arguments are, and says when it does.
    private static let program = "/usr/bin/tail"

    /// Starts a program of the test as a companion is, and waits until it runs.
    private func start(_ path: String, vehicle: String) async throws -> ChildProcess {
        let child = try ChildProcess([path, "-v", "-f", "--", "/dev/null", "run", "--uav", vehicle])
        _ = try await child.line(containing: "/dev/null")
        return child
    }

    private func install(_ place: String) throws {
        try FileManager.default.copyItem(atPath: Self.program, toPath: place)
    }

    private func programs(_ home: ScriptHome, _ vehicle: String, spelled: String? = nil) async throws -> [String] {
        try await home.facts(home: spelled).running.filter { $0.vehicle == vehicle }.map(\.program)
    }

    @Test(arguments: [false, true])
    func `a deployed program is one of our folder, also if the home is a symbolic link`(isLink: Bool) async throws {
        let home = try ScriptHome("/bin/sh", isLink: isLink)
        let name = try #require(try await home.deploy("0.1.0")["name"])
        let place = "\(home.lib)/\(name)"
        try FileManager.default.removeItem(atPath: place)
        try install(place)
        let companion = try await start(home.bin, vehicle: "uav71")
        #expect(try await programs(home, "uav71") == [place])
        #expect(try await home.facts().installed == .deployed(name))
        if isLink {
            // The same home, spelled otherwise by another log-in.
            let facts = try await home.facts(home: home.physicalPath)
            #expect(facts.installed == .deployed(name))
            #expect(try await programs(home, "uav71", spelled: home.physicalPath) == ["\(facts.folder)/\(name)"])
        }
        await companion.stop()
    }

    @Test func `a home that is a link is switched, rolled back and removed under either name`() async throws {
        let home = try ScriptHome("/bin/sh", isLink: true)
        let first = try #require(try await home.deploy("0.1.0")["name"])
        let second = try await home.deploy("0.2.0")
        #expect(second["previous"] == first)
        let back = try await home.run(InstallScripts.rollBack, home: home.physicalPath)
        #expect(back["name"] == first && back["previous"] == second["name"])
        _ = try await home.run(RemoveScripts.remove(for: "uav1"), home: home.physicalPath)
        #expect(try FileManager.default.contentsOfDirectory(atPath: home.physicalPath) == [])
    }

    @Test(arguments: [false, true])
    func `the program that was there before is seen, whatever it is called`(isLink: Bool) async throws {
        let home = try ScriptHome("/bin/sh")
        let files = FileManager.default
        try files.createDirectory(atPath: home.path + "/.local/bin", withIntermediateDirectories: true)
        let own = isLink ? home.path + "/my companion of last year" : home.bin
        try install(own)
        if isLink { try files.createSymbolicLink(atPath: home.bin, withDestinationPath: own) }
        let before = try await start(own, vehicle: "uav72")
        #expect(try await programs(home, "uav72") == [own])
        _ = try await home.deploy("0.1.0")
        // A bootstrap starts the file at the end of all links.
        let original = "\(home.lib)/original"
        let after = try await start(isLink ? own : original, vehicle: "uav73")
        #expect(try await programs(home, "uav73") == [original])
        await after.stop()
        await before.stop()
    }
}
