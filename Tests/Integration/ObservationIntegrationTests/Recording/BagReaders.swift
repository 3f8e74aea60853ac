import Foundation
import IntegrationKit

/// What others read in a recording, each with its own code.
enum BagReaders {
    /// What a reader found.
    struct Account: Decodable, Equatable {
        /// Messages on each topic.
        var counts: [String: Int]
        /// Setpoints whose times are all known.
        var whole: Int
        /// What became of the setpoints, by the recording's words; an empty word where it is not known.
        var fates: [String: Int]
        /// Setpoints whose times are not in their order: intended, sent, received, applied, within the clock's bound.
        var disordered: Int
        /// The widest bound, nanoseconds.
        var bound: Int64
        /// The commands by their names, with whether received and applied are known and in their order.
        var commands: [String]
    }

    /// Debian's, which reads by the index.
    static let rosbag = "/usr/bin/python3"
    /// The package rosbags from PyPI; `nil` where scripts/setup --tests has not got it.
    static let rosbags: String? = {
        let path = BuiltPrograms.repository + "/.build/peers/bin/python3"
        return FileManager.default.isExecutableFile(atPath: path) ? path : nil
    }()

    /// Reads every message.
    static func account(of path: String, _ python: String) async throws -> Account {
        let program = (python == rosbag ? byRosbag : byRosbags) + common
        let child = try ChildProcess([python, "-c", program, path], environment: ["PATH": "/usr/bin:/bin"])
        guard try await child.exit(within: .seconds(60)) == 0 else { throw ProcessFailure(child.errors) }
        return try JSONDecoder().decode(Account.self, from: Data(child.output.utf8))
    }

    private static let byRosbag = """
        import sys, json, rosbag
        def messages(path):
            for topic, message, _ in rosbag.Bag(path).read_messages(): yield topic, message
        def seconds(t): return t.to_sec()

        """

    private static let byRosbags = """
        import sys, json
        from rosbags.rosbag1 import Reader
        from rosbags.typesys import Stores, get_types_from_msg, get_typestore
        store = get_typestore(Stores.EMPTY)
        def messages(path):
            with Reader(path) as reader:
                for c in reader.connections: store.register(get_types_from_msg(c.msgdef.data, c.msgtype))
                for c, _, raw in reader.messages(): yield c.topic, store.deserialize_ros1(raw, c.msgtype)
        def seconds(t): return t.sec + t.nanosec * 1e-9

        """

    private static let common = """
        counts, fates, whole, disordered, worst, commands = {}, {}, 0, 0, 0.0, []
        def order(message):
            times = [seconds(t) for t in (message.intended, message.sent, message.received, message.applied)]
            bound = seconds(message.clock_bound) + 1e-6
            known = all(times)
            return known, known and times[0] <= times[1] and times[1] <= times[2] + bound and times[2] <= times[3]
        for topic, message in messages(sys.argv[1]):
            counts[topic] = counts.get(topic, 0) + 1
            if topic.endswith('uavlink/setpoint'):
                known, good = order(message)
                whole += known
                fates[message.fate] = fates.get(message.fate, 0) + 1
                disordered += known and not good
                worst = max(worst, seconds(message.clock_bound))
            if topic.endswith('uavlink/command'):
                known, good = order(message)
                commands.append(message.name + (' ordered' if good else ' disordered' if known else ' unknown'))
        print(json.dumps(dict(counts=counts, whole=int(whole), fates=fates, disordered=int(disordered),
                              bound=round(worst * 1e9), commands=commands)))
        """
}
