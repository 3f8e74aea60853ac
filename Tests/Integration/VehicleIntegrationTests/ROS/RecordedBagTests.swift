import Foundation
import IntegrationKit
import ROSBag
import ROSMessages
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

    @Test(arguments: ["none", "lz4", "bz2"])
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
        if compression != "none" {
            let size = try Data(contentsOf: URL(filePath: path)).count
            #expect(size < 100_000, "rosbag did not compress")
        }
    }

    private static let reader = """
        import sys, rosbag, rospy
        bag = rosbag.Bag(sys.argv[1])
        info = bag.get_type_and_topic_info().topics
        print(bag.get_message_count(), bag.get_start_time(), bag.get_end_time())
        print(sorted((topic, entry.msg_type, entry.message_count) for topic, entry in info.items()))
        numbers = [message.data for _, message, _ in bag.read_messages(topics=['/number'])]
        print(numbers == list(range(1000)))
        later = [message.data for _, message, _ in bag.read_messages(topics=['/text'], start_time=rospy.Time(998))]
        print(later)
        """

    @Test func `rosbag reads what is written here, by its index too`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/ours.bag"
        var encoder = ROSBagEncoder(chunkBytes: 4096)
        let texts = encoder.topic("/text", Text.self, caller: "/test")
        let numbers = encoder.topic("/number", Number.self, caller: "/test")
        var file = ROSBagEncoder.beginning
        for number in 0..<1000 {
            let time = ROSTime(seconds: UInt32(1 + number), nanoseconds: UInt32(number))
            var text = Text()
            text.data = "message \(number)"
            var value = Number()
            value.data = Int64(number)
            file += encoder.message(on: texts, at: time, text)
            file += encoder.message(on: numbers, at: time, value)
        }
        let ending = encoder.finish()
        file += ending.tail
        file.replaceSubrange(0..<ending.head.count, with: ending.head)
        try Data(file).write(to: URL(filePath: path))
        let peer = try ChildProcess(
            ["/usr/bin/python3", "-c", Self.reader, path],
            environment: ["PATH": "/usr/bin:/bin", "HOME": folder.path])
        #expect(try await peer.exit(within: .seconds(30)) == 0, "\(peer.errors)")
        let lines = peer.output.split(separator: "\n")
        #expect(lines[0].hasPrefix("2000 1.0 1000.0000"))
        #expect(lines[1] == "[('/number', 'std_msgs/Int64', 1000), ('/text', 'std_msgs/String', 1000)]")
        #expect(lines[2] == "True")
        #expect(lines[3] == "['message 997', 'message 998', 'message 999']")
    }
}
