import Foundation
import IntegrationKit
import Synchronization
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

    /// Each command is a line, and a thread that wakes for it would take the processor from the one that waits for the answer.
    @Test func `a line wakes nobody as long as lines come, and all are written in order`() {
        let written = Mutex("")
        let threads = Mutex<[@Sendable () -> Void]>([])
        let lines = LogLines(
            { text in written.withLock { $0 += text } },
            startThread: { body in
                threads.withLock { $0.append(body) }
                return true
            }, pause: { _ in })
        for number in 0..<500 { lines.write("line \(number)", at: 0) }
        #expect(threads.withLock { $0.count } == 1)
        lines.finish()
        let text = written.withLock { $0 }.split(separator: "\n")
        #expect(text.compactMap { Int($0.split(separator: " ").last ?? "") } == Array(0..<500))
        // It goes on for a second without a line, and then the next line starts another one.
        lines.write("line 500", at: 0)
        for body in threads.withLock({ $0 }) { body() }
        #expect(written.withLock { $0 }.hasSuffix("line 500\n"))
        lines.write("line 501", at: 0)
        #expect(threads.withLock { $0.count } == 2)
    }

    @Test func `without a thread lines are kept for the next one`() {
        for count in [3, 1200] {
            let written = Mutex("")
            let hasThreads = Atomic(false)
            let lines = LogLines(
                { text in written.withLock { $0 += text } },
                startThread: { body in
                    guard hasThreads.load(ordering: .relaxed) else { return false }
                    body()
                    return true
                }, pause: { _ in })
            for number in 0..<count { lines.write("line \(number)", at: 0) }
            #expect(written.withLock { $0.isEmpty })
            hasThreads.store(true, ordering: .relaxed)
            lines.write("the next one", at: 0)
            #expect(written.withLock { $0 }.split(separator: "\n").count == min(count + 1, 1000))
            lines.finish()
        }
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
