import Foundation
import IntegrationKit
import ROS1
import Testing

/// Bags that rosbag itself writes.
@Suite struct RecordedBagTests {
    private static let writer = """
        import sys, rosbag, rospy
        from std_msgs.msg import String, Int64
        bag = rosbag.Bag(sys.argv[1], 'w', compression=sys.argv[2], chunk_threshold=4096)
        for number in range(1000):
            bag.write('/text', String('message %d %s' % (number, 'abc' * (number % 50))), rospy.Time(1 + number, number))
            bag.write('/number', Int64(number), rospy.Time(1 + number, number))
        bag.close()
        """

    private func messages(of path: String) throws -> (texts: [String], numbers: [Int64]) {
        var reader = ROSBagReader()
        reader.feed(try Data(contentsOf: URL(filePath: path)))
        var texts: [String] = []
        var numbers: [Int64] = []
        while let message = try reader.next() {
            var bytes = message.reader
            switch message.connection.topic {
            case "/text":
                texts.append(try Text(from: &bytes).data)
                #expect(message.connection.header.md5 == Text.md5)
            default: numbers.append(try Number(from: &bytes).data)
            }
        }
        try reader.finish()
        return (texts, numbers)
    }

    @Test(arguments: ["none", "lz4"])
    func `bags of rosbag are read`(compression: String) async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/test.bag"
        let writer = try ChildProcess(
            ["/usr/bin/python3", "-c", Self.writer, path, compression],
            environment: ["PATH": "/usr/bin:/bin", "HOME": folder.path])
        #expect(try await writer.exit(within: .seconds(30)) == 0, "\(writer.errors)")
        let (texts, numbers) = try messages(of: path)
        #expect(numbers == Array(0..<1000))
        #expect(
            texts == (0..<1000).map { "message \($0) " + String(repeating: "abc", count: $0 % 50) })
        if compression == "lz4" {
            let size = try Data(contentsOf: URL(filePath: path)).count
            #expect(size < 100_000, "rosbag did not compress")
        }
    }

    @Test func `what cannot be read is named with a way out`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/test.bag"
        let writer = try ChildProcess(
            ["/usr/bin/python3", "-c", Self.writer, path, "bz2"],
            environment: ["PATH": "/usr/bin:/bin", "HOME": folder.path])
        #expect(try await writer.exit(within: .seconds(30)) == 0, "\(writer.errors)")
        let error = #expect(throws: ROSError.self) { _ = try messages(of: path) }
        #expect(error?.code == .badBag)
        #expect(error?.description.contains("rosbag decompress") == true)
    }
}
