import Foundation
import IntegrationKit
import MCAP
import ROS2
import ROS2Interfaces
import ROSMessages
import Testing

/// What we write is read by the rosbags package (PyPI), and the other way round.
@Suite(.timeLimit(.minutes(MachinePace.minutes(2)))) struct MCAPPeerTests {
    /// A message as the Python program prints it.
    private struct Line: Decodable, Hashable {
        var topic: String
        var time: UInt64
        var sec: UInt32
        var nanosec: UInt32
        var level: UInt8
        var msg: String
        var line: UInt32

        init(_ topic: String, _ time: UInt64, _ log: RclInterfaces.Log) {
            self.topic = topic
            self.time = time
            (sec, nanosec) = (log.stamp.seconds, log.stamp.nanoseconds)
            (level, msg, line) = (log.level, log.msg, log.line)
        }
    }

    private static let python = BuiltPrograms.repository + "/.build/peers/bin/python3"

    /// The lines that the program prints; `nil` when rosbags is not installed.
    private static func peer(_ arguments: String...) async throws -> [Line]? {
        guard FileManager.default.isExecutableFile(atPath: python) else { return missing() }
        let probe = try ChildProcess([python, "-c", "import rosbags"])
        guard try await probe.exit(within: .seconds(60)) == 0 else { return missing() }
        let program = "\(BuiltPrograms.repository)/Tests/Peers/mcap_peer.py"
        let process = try ChildProcess([python, program] + arguments)
        guard try await process.exit(within: .seconds(60)) == 0 else { throw ProcessFailure(process.errors) }
        let decoder = JSONDecoder()
        return try process.output.split(separator: "\n").map { try decoder.decode(Line.self, from: Data($0.utf8)) }
    }

    private static func missing() -> [Line]? {
        print("skipped: rosbags is missing: scripts/setup --tests gets it")
        return nil
    }

    @Test(arguments: MCAPEncoder.Compression.allCases)
    func `rosbags reads what we write, by its index and without it`(compression: MCAPEncoder.Compression) async throws {
        let folder = try TemporaryFolder()
        var encoder = MCAPEncoder(library: "uavlink", compression: compression, chunkBytes: 4096)
        let channels = ["/rosout", "/uav1/other"].map { ($0, encoder.channel($0, RclInterfaces.Log.self)) }
        var file = encoder.beginning
        var expected: [Line] = []
        for number: UInt32 in 0..<500 {
            let log = RclInterfaces.Log(
                stamp: ROSTime(seconds: number, nanoseconds: 7), level: RclInterfaces.Log.warn, name: "ours",
                msg: String(repeating: "ü水 ", count: Int(number % 50)), line: number)
            let time = 1_700_000_000_000_000_000 + UInt64(number) * 1000
            let (topic, channel) = channels[number.isMultiple(of: 3) ? 1 : 0]
            file += encoder.message(on: channel, at: time, log.cdr)
            expected.append(Line(topic, time, log))
        }
        file += encoder.finish()
        let path = folder.file("ours.mcap")
        try Data(file).write(to: URL(filePath: path))
        guard let found = try await Self.peer("read", path) else { return }
        #expect(found == expected)
    }

    @Test(arguments: ["none", "zstd"])
    func `we read what rosbags writes, in a row and by its index`(compression: String) async throws {
        let folder = try TemporaryFolder()
        let seed = "\(UInt32.random(in: 0...UInt32.max))"
        guard let expected = try await Self.peer("write", folder.file("theirs"), compression, seed) else { return }
        #expect(expected.count == 3000, "seed \(seed)")
        let file = [UInt8](try Data(contentsOf: URL(filePath: folder.file("theirs/theirs.mcap"))))
        var reader = MCAPReader()
        var found: [Line] = []
        for start in stride(from: 0, to: file.count, by: 100_000) {
            reader.feed(file[start...].prefix(100_000))
            while let message = try reader.next() { found.append(try Self.line(message)) }
        }
        try reader.finish()
        #expect(reader.isFinished && reader.profile == "ros2")
        #expect(found == expected, "seed \(seed)")

        let read: MCAPIndex.Read = { (range) throws(ROSError) in
            Array(file[Int(range.lowerBound)..<Int(range.upperBound)])
        }
        let index = try MCAPIndex(fileBytes: UInt64(file.count), read: read)
        #expect(index.chunks.count > 1 && index.statistics?.messages == 3000)
        #expect(index.chunks.allSatisfy { $0.compression == (compression == "zstd" ? "zstd" : "") })
        let indexed = try index.chunks.flatMap { try index.messages(in: $0, read: read) }
        #expect(try indexed.map(Self.line) == expected, "seed \(seed)")
    }

    private static func line(_ message: MCAPMessage) throws -> Line {
        let schema = try #require(message.channel.schema)
        // The definition is the one that our hash is of, whatever its comments.
        let set = try InterfaceSet(fullText: schema.text, typeName: schema.name)
        #expect(try set.description(of: schema.name).hash == RclInterfaces.Log.ros2TypeHash)
        var reader = try message.cdr()
        return Line(message.channel.topic, message.logTime, try RclInterfaces.Log(from: &reader))
    }
}
