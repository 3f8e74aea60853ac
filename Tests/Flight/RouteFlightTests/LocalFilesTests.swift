import IntegrationKit
import RouteFlight
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

@Suite("Files of this machine", .timeLimit(.minutes(1)))
struct LocalFilesTests {
    @Test("a pipe, a folder and a device are refused, and a pipe is not waited for")
    func notRegular() async throws {
        let folder = try TemporaryFolder()
        let pipe = folder.path + "/pipe"
        try #require(mkfifo(pipe, 0o600) == 0)
        for path in [pipe, folder.path, "/dev/zero"] {
            let failure = await #expect(throws: FileAccessError.self) {
                try await LocalFiles().read(path, atMost: 100)
            }
            #expect(failure?.what == "cannot read \(path): not a regular file")
        }
    }
}
