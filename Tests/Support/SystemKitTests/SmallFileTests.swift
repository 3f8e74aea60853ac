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

    @Test func `what is no file is refused with the system's reason`() throws {
        let folder = try TemporaryFolder()
        #expect(throws: SmallFile.Failure.system(ENOENT)) { try SmallFile.read(folder.path + "/none", limit: 10) }
        #expect(throws: SmallFile.Failure.system(EISDIR)) { try SmallFile.read(folder.path, limit: 10) }
        #expect(SmallFile.Failure.system(ENOENT).description == "no such file or directory")
        #expect(SmallFile.exists(folder.path))
        #expect(!SmallFile.exists(folder.path + "/none"))
    }
}
