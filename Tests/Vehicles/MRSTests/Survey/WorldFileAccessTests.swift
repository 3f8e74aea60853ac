import IntegrationKit
import Testing
import UAVLink

@testable import MRS

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

@Suite("A world file is read where it lies") struct WorldFileAccessTests {
    private func read(_ path: String) async -> VehicleWorld {
        await WorldFileAccess.read(path, within: .seconds(60))
    }

    @Test func `its bytes come with its path`() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("safety_area: {}\n", to: "world.yaml")
        let world = await read(path)
        #expect(world == VehicleWorld(path: path, .document(.file, Array("safety_area: {}\n".utf8))))
    }

    @Test func `each reason why it is not read is told`() async throws {
        let folder = try TemporaryFolder()
        #expect(await read(folder.file("none.yaml")).obstruction == .missing)
        let path = try folder.write("safety_area: {}\n", to: "world.yaml")
        #expect(await read(path + "/x").obstruction == .missing)
        #expect(await read(folder.path).obstruction == .notAFile)
        let pipe = folder.file("pipe")
        try #require(mkfifo(pipe, 0o600) == 0)
        #expect(await read(pipe).obstruction == .notAFile)
        #expect(await read("/dev/zero").obstruction == .notAFile)
        let secret = try folder.write("-----BEGIN OPENSSH PRIVATE KEY-----\n", to: "id_ed25519")
        let refused = await read(secret)
        #expect(refused == VehicleWorld(path: secret, .notAWorld))
        let large = try folder.write(
            "safety_area: {}\n" + String(repeating: "#", count: VehicleWorld.mostBytes), to: "large.yaml")
        #expect(await read(large).obstruction == .tooLarge)
        for bad in ["world.yaml", "", "~/world.yaml", "/a\0b", "/" + String(repeating: "d", count: 4096)] {
            let world = await read(bad)
            #expect(world.obstruction == .failed && !world.details.isEmpty && world.content == .unknown, "\(world)")
        }
    }

    @Test(.enabled(if: geteuid() != 0, "root may read every file"))
    func `a file of another user is not read`() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("safety_area: {}\n", to: "world.yaml")
        try #require(chmod(path, 0) == 0)
        #expect(await read(path).obstruction == .permissionDenied)
    }
}
