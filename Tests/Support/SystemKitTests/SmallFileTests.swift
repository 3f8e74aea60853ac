import IntegrationKit
import SystemKit
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

@Suite struct SmallFileTests {
    private func file(_ folder: TemporaryFolder, bytes: Int) throws -> String {
        let path = folder.path + "/file"
        let stream = try #require(fopen(path, "w"))
        defer { fclose(stream) }
        let content = [UInt8](repeating: 7, count: bytes)
        #expect(fwrite(content, 1, content.count, stream) == bytes)
        return path
    }

    @Test(arguments: [0, 1, 65_536, 65_537, 200_000])
    func `a file is read up to the limit, and not one byte past it`(size: Int) throws {
        let folder = try TemporaryFolder()
        let path = try file(folder, bytes: size)
        #expect(try SmallFile.read(path, limit: size) == [UInt8](repeating: 7, count: size))
        guard size > 0 else { return }
        #expect(throws: SmallFile.Failure.tooLarge(limit: size - 1)) { try SmallFile.read(path, limit: size - 1) }
    }

    @Test func `of a file that is too long the end is read`() throws {
        let folder = try TemporaryFolder()
        let path = try file(folder, bytes: 100)
        let whole = try SmallFile.readEnd(path, limit: 100, keeping: 30)
        #expect(whole.isWhole && whole.bytes.count == 100)
        let end = try SmallFile.readEnd(path, limit: 99, keeping: 30)
        #expect(!end.isWhole && end.bytes.count == 30)
        #expect(throws: SmallFile.Failure.system(ENOENT)) {
            _ = try SmallFile.readEnd(path + "none", limit: 99, keeping: 30)
        }
    }

    @Test func `only a regular file is read where that is asked for, and a pipe is not waited for`() throws {
        let folder = try TemporaryFolder()
        let path = try file(folder, bytes: 100)
        #expect(try SmallFile.readRegular(path, limit: 100).count == 100)
        #expect(throws: SmallFile.Failure.tooLarge(limit: 99)) { try SmallFile.readRegular(path, limit: 99) }
        let pipe = folder.path + "/pipe"
        try #require(mkfifo(pipe, 0o600) == 0)
        for other in [pipe, folder.path, "/dev/zero"] {
            #expect(throws: SmallFile.Failure.notRegular) { try SmallFile.readRegular(other, limit: 100) }
        }
        let link = folder.path + "/link"
        try #require(symlink(path, link) == 0)
        #expect(try SmallFile.readRegular(link, limit: 100).count == 100)
        #expect(throws: SmallFile.Failure.system(ENOENT)) { try SmallFile.readRegular(path + "none", limit: 1) }
    }

    @Test func `a terminal is not read, and does not become the controlling one of a program that has none`() async {
        await #expect(processExitsWith: .success) {
            // A new session has no controlling terminal; the next one that its leader opens would become it.
            try #require(setsid() >= 0 || getsid(0) == getpid())
            var near: Int32 = 0
            var far: Int32 = 0
            var name = [CChar](repeating: 0, count: 128)
            try #require(openpty(&near, &far, &name, nil, nil) == 0)
            let path = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            #expect(throws: SmallFile.Failure.notRegular) { try SmallFile.readRegular(path, limit: 100) }
            let own = open("/dev/tty", O_RDONLY | O_NOCTTY)
            #expect(own == -1, "it has a controlling terminal now")
        }
    }

    @Test func `what is no file is refused with the system's reason`() throws {
        let folder = try TemporaryFolder()
        #expect(throws: SmallFile.Failure.system(ENOENT)) { try SmallFile.read(folder.path + "/none", limit: 10) }
        #expect(throws: SmallFile.Failure.system(EISDIR)) { try SmallFile.read(folder.path, limit: 10) }
        #expect(SmallFile.Failure.system(ENOENT).description == "no such file or directory")
        #expect(SmallFile.exists(folder.path))
        #expect(!SmallFile.exists(folder.path + "/none"))
    }
}
