import Foundation
import IntegrationKit
import SystemKit
import Testing

@Suite struct FilePathTests {
    @Test(arguments: [
        ("a", ""), ("a/b", "a"), ("/a", "/"), ("/a/b", "/a"), ("a//b", "a"), ("a/b/", "a"), ("/", "/"), ("", ""),
        ("//", "/"), ("../a/b.yaml", "../a"), ("a b/ä", "a b"), ("a/\u{301}b", "a"),
    ])
    func `the folder of a path is what precedes its last part`(path: String, folder: String) {
        #expect(FilePath.folder(of: path) == folder)
    }

    @Test(arguments: [("", "b", "b"), ("/", "b", "/b"), ("a", "b", "a/b"), ("/a/", "b/c", "/a/b/c")])
    func `a name is joined to a folder by one slash`(folder: String, name: String, whole: String) {
        #expect(FilePath.joined(folder, name) == whole)
    }

    @Test func `a relative path starts at the working directory`() {
        #expect(FilePath.absolute("/a/b") == "/a/b")
        #expect(FilePath.absolute("a/b") == FileManager.default.currentDirectoryPath + "/a/b")
    }

    @Test func `a leading tilde is the home folder`() {
        #expect(FilePath.expandingHome("~/a") == HostProcess.homeFolder() + "/a")
        #expect(FilePath.expandingHome("~") == HostProcess.homeFolder())
        for path in ["~anna/a", "a/~", "", "/~"] { #expect(FilePath.expandingHome(path) == path) }
    }

    @Test func `folders are made with those above, listed, and found again`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/a/b"
        #expect(!Folder.exists(path))
        #expect(Folder.make(path) == nil)
        #expect(Folder.make(path) == nil)
        #expect(Folder.exists(path))
        #expect(Folder.names(in: folder.path) == ["a"])
        #expect(Folder.names(in: path) == [])
        #expect(Folder.names(in: path + "/c") == nil)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o700)
        #expect(Folder.make("/dev/null/a") == ENOTDIR)
    }
}
