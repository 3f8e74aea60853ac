import Foundation
import IntegrationKit
import Testing
import UAVLink

@testable import Companion

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Each write to it fails as on a full disk.
private let fullDisk = "/dev/full"
private let hasFullDisk = FileManager.default.fileExists(atPath: fullDisk)

@Suite struct CompanionLogTests {
    @Test func `a file of lines is bounded, and its newest lines are kept`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/uav1.log"
        // What the one before has left counts.
        try folder.write(String(repeating: "old\n", count: 300), to: "uav1.log")
        var file = BoundedLogFile(path: path, limit: 1000)
        for number in 0..<1000 { file.write("line \(number)\n") }
        let files = try [path, path + ".1"].map { try String(contentsOfFile: $0, encoding: .utf8) }
        #expect(files.allSatisfy { (1...1010).contains($0.utf8.count) })
        #expect((files[1] + files[0]).hasSuffix("line 998\nline 999\n"))
        #expect(!files[1].contains("old"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 2)
        let modes = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(modes == 0o600)
    }

    @Test func `a file that cannot be written to is no end`() {
        var file = BoundedLogFile(path: "/nowhere/uav1.log")
        file.write("line")
    }

    @Test(.enabled(if: hasFullDisk)) func `on a full disk lines are dropped, and nobody waits for them`() throws {
        let log = CompanionLog(file: fullDisk)
        for number in 0..<2000 { log.say("line \(number)") }
        log.flush()
        let descriptor = open(fullDisk, O_WRONLY | O_CLOEXEC)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        #expect(!BoundedLogFile.append("line", to: descriptor))
    }

    @Test func `when the disk has room again, so has the log`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/uav1.log"
        // A file that cannot be opened stands for the disk: none can be made full and empty again here.
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        var file = BoundedLogFile(path: path)
        file.write("lost\n")
        try FileManager.default.removeItem(atPath: path)
        file.write("kept\n")
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "kept\n")
    }

    @Test func `what repeats is said at once, then with its count`() {
        var limit = EventRateLimiter()
        let start = MonotonicTime(nanoseconds: 1_000_000_000)
        let said = (0...100).map { limit.note(at: start + .milliseconds($0 * 100)) }
        #expect(said == [true] + [Bool](repeating: false, count: 100))
        let summaries = [59, 60, 120].map { limit.takeUnreported(at: start + .seconds($0)) }
        #expect(summaries == [nil, 100, nil])
        let saidAgain = limit.note(at: start + .seconds(120))
        #expect(saidAgain)
    }
}
