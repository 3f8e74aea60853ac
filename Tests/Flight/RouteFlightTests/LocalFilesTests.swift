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

    @Test(
        "a full disk is another failure than a file that cannot be made", .enabled(if: access("/dev/full", W_OK) == 0))
    func full() async throws {
        let full = await #expect(throws: FileAccessError.self) {
            try await LocalFiles().write([1], to: "/dev/full", replacing: true)
        }
        #expect(full?.isUnwritten == true && full?.what.contains("no space left on device") == true)
        let nowhere = await #expect(throws: FileAccessError.self) {
            try await LocalFiles().write([1], to: "/no/such/folder/a", replacing: true)
        }
        #expect(nowhere?.isUnwritten == false)
    }
}
