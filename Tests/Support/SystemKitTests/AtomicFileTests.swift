import Foundation
import Glibc
import IntegrationKit
import SystemKit
import Testing

@Suite struct AtomicFileTests {
    private func write(
        _ text: String, to path: String, replaces: Bool = true, mode: UInt32 = 0o644, keepsMode: Bool = true
    ) -> Int32? {
        Array(text.utf8).withUnsafeBytes {
            AtomicFile.write($0, to: path, replaces: replaces, mode: mode, keepsMode: keepsMode, syncs: true)
        }
    }

    private func mode(of path: String) -> mode_t {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & 0o777 : 0
    }

    @Test func `an existing file is replaced only when that is wanted, and keeps its mode`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("old", to: "a")
        #expect(chmod(path, 0o640) == 0)
        #expect(write("new", to: path, replaces: false) == EEXIST)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "old")
        #expect(write("new", to: path) == nil && mode(of: path) == 0o640)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "new")
        #expect(write("secret", to: path, mode: 0o600, keepsMode: false) == nil && mode(of: path) == 0o600)
        let other = folder.path + "/b"
        #expect(write("1", to: other, replaces: false) == nil)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["a", "b"])
    }

    @Test func `a symbolic link stays, and what it leads to is written`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("old", to: "a")
        let link = folder.path + "/link"
        #expect(symlink("a", link) == 0)
        #expect(write("new", to: link) == nil)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "new")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "a")
    }

    @Test func `what is no regular file is written to and never replaced`() throws {
        let folder = try TemporaryFolder()
        let pipe = folder.path + "/pipe"
        #expect(mkfifo(pipe, 0o600) == 0)
        let reader = open(pipe, O_RDONLY | O_NONBLOCK)
        defer { close(reader) }
        for replaces in [true, false] {
            #expect(write("through", to: pipe, replaces: replaces) == nil)
            var bytes = [UInt8](repeating: 0, count: 16)
            #expect(read(reader, &bytes, 16) == 7)
        }
        var status = stat()
        #expect(stat(pipe, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO)
        // A device of our own: a fault must not take the machine's away.
        let device = folder.path + "/full"
        if mknod(device, S_IFCHR | 0o666, 0x107) == 0 {
            let code = write("x", to: device)
            // A file system may be mounted without devices.
            #expect(code == ENOSPC || code == EACCES)
            #expect(stat(device, &status) == 0 && status.st_mode & S_IFMT == S_IFCHR)
        }
        #expect(write("x", to: folder.path) == EISDIR)
    }

    @Test func `what cannot be written leaves nothing behind`() throws {
        let folder = try TemporaryFolder()
        #expect(write("x", to: folder.path + "/none/a") == ENOENT)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }
}
