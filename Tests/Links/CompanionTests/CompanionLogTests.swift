import Foundation
import IntegrationKit
import Testing
import UAVLink

@testable import Companion

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
