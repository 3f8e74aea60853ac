import IntegrationKit
import Testing

@testable import VehicleAccess

/// Where a real shell finds the companion.
@Suite struct CompanionPlacePeerTests {
    private func run(_ folder: TemporaryFolder, home: String?) async throws -> (status: Int32, output: String) {
        let (program, arguments) = VehicleProfile(name: "hexa1").companionCommand(["it's", "two words"])
        var environment = ["PATH": folder.file("path") + ":/usr/bin:/bin"]
        environment["HOME"] = home
        let child = try ChildProcess([program] + arguments, environment: environment)
        let status = try await child.exit()
        return (status, child.output)
    }

    private func install(_ place: String, in folder: TemporaryFolder, mode: Int = 0o755) async throws {
        let file = folder.file(place)
        let maker = try ChildProcess(["/bin/mkdir", "-p", String(file.dropLast("/uavlink-companion".count))])
        _ = try await maker.exit()
        try folder.write("#!/bin/sh\necho \"\(place):$*\"\n", to: place, mode: mode)
    }

    @Test func `one in the home comes before one on the PATH, with all arguments`() async throws {
        let folder = try TemporaryFolder()
        #expect(try await run(folder, home: folder.file("home")).status == 127)
        try await install("path/uavlink-companion", in: folder)
        #expect(try await run(folder, home: folder.file("home")).output == "path/uavlink-companion:it's two words\n")
        #expect(try await run(folder, home: nil).status == 0)
        try await install("home/.local/bin/uavlink-companion", in: folder)
        let deployed = "home/.local/bin/uavlink-companion:it's two words\n"
        #expect(try await run(folder, home: folder.file("home")).output == deployed)
    }

    @Test func `one in the home that cannot run is not passed over`() async throws {
        let folder = try TemporaryFolder()
        try await install("path/uavlink-companion", in: folder)
        try await install("home/.local/bin/uavlink-companion", in: folder, mode: 0o644)
        #expect(try await run(folder, home: folder.file("home")).status == 126)
    }
}
