import Foundation
import IntegrationKit
import ROS2
import ROS2Interfaces
import ROSMessages
import Testing

@testable import ROSRecordings

/// Bags with the storage sqlite3, which the rosbags package (PyPI) writes.
@Suite(.timeLimit(.minutes(MachinePace.minutes(2)))) struct SQLiteBagPeerTests {
    /// A message as the Python program prints it.
    private struct Line: Decodable, Hashable {
        var topic: String
        var time: UInt64
        var msg: String
        var line: UInt32
    }

    private static let python = BuiltPrograms.repository + "/.build/peers/bin/python3"

    /// Writes a bag; `nil` when rosbags is not installed.
    private static func write(_ folder: String) async throws -> [Line]? {
        let isThere = FileManager.default.isExecutableFile(atPath: python)
        let probe = isThere ? try ChildProcess([python, "-c", "import rosbags"]) : nil
        guard let probe, try await probe.exit(within: .seconds(60)) == 0 else {
            print("skipped: rosbags is missing: scripts/setup --tests gets it")
            return nil
        }
        let program = "\(BuiltPrograms.repository)/Tests/Peers/mcap_peer.py"
        let process = try ChildProcess([python, program, "write", folder, "sqlite3", "7"])
        guard try await process.exit(within: .seconds(60)) == 0 else { throw ProcessFailure(process.errors) }
        return try process.output.split(separator: "\n").map {
            try JSONDecoder().decode(Line.self, from: Data($0.utf8))
        }
    }

    @Test func `the messages of a bag that rosbags wrote are read`() async throws {
        let folder = try TemporaryFolder()
        guard let expected = try await Self.write(folder.file("theirs")) else { return }
        let files = try RecordingFolder.files(at: folder.file("theirs"))
        #expect(files == [folder.file("theirs/theirs.db3")] && SQLiteBag.isOne(files[0]))
        let bag = try SQLiteBag(path: files[0])
        var found: [Line] = []
        while let message = try bag.next() {
            let log = try #require(try message.decoded(as: LogOfBoth.self)).log
            let time = UInt64(message.time.seconds) * 1_000_000_000 + UInt64(message.time.nanoseconds)
            found.append(Line(topic: message.topic, time: time, msg: log.msg, line: log.line))
        }
        #expect(found == expected && found.count == 3000)
    }

    @Test func `a file that is damaged or no database is an error, and none traps`() async throws {
        let folder = try TemporaryFolder()
        #expect(throws: ROSError.self) { try SQLiteBag(path: folder.file("none.db3")) }
        try folder.write("no database at all, whatever its name says", to: "text.db3")
        let error = #expect(throws: ROSError.self) { try SQLiteBag(path: folder.file("text.db3")) }
        #expect(error?.what.contains("the database of the bag cannot be read: ") == true)
        guard try await Self.write(folder.file("theirs")) != nil else { return }
        let whole = [UInt8](try Data(contentsOf: URL(filePath: folder.file("theirs/theirs.db3"))))
        var dice = SystemRandomNumberGenerator()
        for round in 0..<40 {
            var bytes = whole
            if round.isMultiple(of: 2) { bytes.removeLast(Int.random(in: 1..<bytes.count, using: &dice)) }
            for _ in 0..<20 where !bytes.isEmpty {
                // Most of what matters is at the beginning of pages.
                bytes[Int.random(in: 0..<min(bytes.count, 1 << 15), using: &dice)] = .random(in: 0...255, using: &dice)
            }
            let path = folder.file("damaged\(round).db3")
            try Data(bytes).write(to: URL(filePath: path))
            do {
                let bag = try SQLiteBag(path: path)
                while let message = try bag.next() { _ = try? message.decoded(as: LogOfBoth.self) }
            } catch { #expect(error.code == .badBag) }
            try FileManager.default.removeItem(atPath: path)
        }
    }

    private struct LogOfBoth: ROSMessage, ROS2Message {
        static let typeName = "none/None"
        static let md5 = "*"
        static let definition = ""
        static let ros2TypeName = RclInterfaces.Log.ros2TypeName
        static let ros2TypeHash = RclInterfaces.Log.ros2TypeHash
        static let ros2Definition = RclInterfaces.Log.ros2Definition
        var log = RclInterfaces.Log()

        init() {}
        init(from reader: inout ROSReader) throws(ROSDecodingError) {}
        init(from reader: inout CDRReader) throws(ROSDecodingError) { log = try RclInterfaces.Log(from: &reader) }
        func write(to writer: inout ROSWriter) {}
        func write(to writer: inout CDRWriter) {}
    }
}
