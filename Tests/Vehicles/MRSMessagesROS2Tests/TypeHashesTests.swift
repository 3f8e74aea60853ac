import MRSMessages
import MRSMessagesROS2
import ROS2
import ROS2Interfaces
import ROSMessages
import Testing

/// The hashes that Jazzy's tools give the types of the flight stack.
@Suite struct TypeHashesTests {
    @Test(arguments: [
        Announced("std_srvs/srv/Trigger", "eeff2cd6fa5ad9d27cdf4dec64818317839b62f212a91e6b5304b634b2062c5f"),
        Announced("std_srvs/srv/SetBool", "abe9e4bb6b41b40e6789712c00ec8871923e089af3f667a79992a428cff2da0a"),
        Announced("mrs_msgs/srv/Vec1", "3a511b7a0cb3f4526b3abe25635fe56c83150c17d4d6c193f389c1bdb2600d27"),
        Announced("mrs_msgs/srv/Vec4", "f5be046275a8c7c23ae92e229d8a80575cd7c52d3ada4bfc314ebc2a45bbc2f0"),
        Announced("mrs_msgs/srv/String", "d70dd2166c5ba4e6606ba327bfd17d1f8f7bedee5b78141716a2376f931c6ffd"),
        Announced(
            "mrs_msgs/srv/ReferenceStampedSrv", "3671b4678abd3ebf951349c02b26852be93475d15d2963f632499db6a17e20c7"),
        Announced(
            "mrs_msgs/srv/VelocityReferenceStampedSrv",
            "34e957a8759d8f759fefdf8229b7ecd55617aa85c9e44f9a566900e179206c59"),
        Announced(
            "mrs_msgs/srv/TrajectoryReferenceSrv", "e6bcbe2894c47c88661441a80afa83fb1e494d78c6e73ec278a1d884eff6a0ee"),
        Announced("mrs_msgs/srv/PathSrv", "cddd0ea0bedd4e6f5fb7a6f5e3b97044658f10a248c7ad0ba1fb3977334c71f5"),
        Announced("mrs_msgs/srv/GetPathSrv", "92c3e40b8e36bfc7989153e86ff6ab7ebc7d38106792f52c523ae3a6f53f2ad8"),
        Announced("mrs_msgs/srv/ValidateReference", "6c3fb3f20ed9cae5b1b9421b9ec2ebae420350ce2484a33c0d547e1b0d6c0258"),
        Announced(
            "mrs_msgs/msg/VelocityReferenceStamped", "ff3cb15a2a03d6521933ff17b77c6dadd70e952a37fab3c634831e0d7d70796f"),
        Announced("mrs_msgs/msg/ReferenceStamped", "beedbc784732249ca5d7b09f79e2b35b72a7769e3863f16a0682e4cef7e643f6"),
        Announced(
            "mrs_msgs/msg/TrajectoryReference", "fe2d2336472a7ef69297a55e5a98fb1f8f65300556e2f61e6c3099d74de43d15"),
        Announced(
            "mrs_msgs/msg/ControlManagerDiagnostics", "31bffff4a91f3b54972736caf693021037187c6f0d419beec5f35eee5818a9ff"
        ),
        Announced(
            "mrs_msgs/msg/EstimationDiagnostics", "2297316cdf9fe0edcd3c1f435417c09756866e52f6d7e7b60d91c475559ec922"),
        Announced("mrs_msgs/msg/HwApiStatus", "daf06f76c80fc88deabb89af07512495f4e378d3ca7f5545d43a14218575de1c"),
        Announced("mrs_msgs/msg/UavState", "5c400b89869f89fdd4c4e313799852263038d1846f6180caaa19ffb20185fd50"),
        Announced("mrs_msgs/msg/Float64Stamped", "edf271703813beb4b6c4d910a816934be2d4ab4dd2566e9c9aef894392f48733"),
        Announced(
            "mrs_msgs/msg/UavManagerDiagnostics", "8d7c0a5a30175aae61e3bb98933b8e0e6aba10527b7b33110de38ef9063db4ff"),
        Announced("mrs_msgs/msg/UavStatusShort", "2dcccb36aeab12907d6b58e31d168d97f7e74089ebf91962630b8455be3f3fe9"),
        Announced("nav_msgs/msg/Odometry", "3cc97dc7fb7502f8714462c526d369e35b603cfc34d946e3f2eda2766dfec6e0"),
        Announced("sensor_msgs/msg/BatteryState", "4bee5dfce981c98faa6828b868307a0a73f992ed0789f374ee96c8f840e69741"),
        Announced("sensor_msgs/msg/NavSatFix", "62223ab3fe210a15976021da7afddc9e200dc9ec75231c1b6a557fc598a65404"),
        Announced("sensor_msgs/msg/Range", "b42b62562e93cbfe9d42b82fe5994dfa3d63d7d5c90a317981703f7388adff3a"),
        Announced("tf2_msgs/msg/TFMessage", "e369d0f05a23ae52508854b66f6aa0437f3449d652e8cbf22d5abe85d020f087"),
        Announced("rosgraph_msgs/msg/Clock", "692f7a66e93a3c83e71765d033b60349ba68023a8c689a79e48078bcb5c58564"),
        Announced("rcl_interfaces/msg/Log", "e28ce254ca8abc06abf92773b74602cdbf116ed34fbaf294fb9f81da9f318eac"),
    ])
    func `a generated type has the hash that the vehicle announces`(announced: Announced) throws {
        #expect(Self.hashes[announced.typeName]?.text == "RIHS01_" + announced.digits)
    }

    @Test func `every generated hash is that of the definition`() throws {
        for type in Self.messages {
            #expect(try type.ros2Description().hash == type.ros2TypeHash, "\(type.ros2TypeName)")
        }
        for type in Self.services {
            #expect(try Self.description(type).hash == type.ros2TypeHash, "\(type.ros2TypeName)")
        }
    }

    @Test func `of ROS 1's types only the log is missing in ROS 2`() {
        let theirs = Set(GeneratedROS2Types.messages.map { $0.ros2TypeName })
        let missing = GeneratedTypes.messages.filter { type in
            let parts = type.typeName.split(separator: "/")
            let isMessage = theirs.contains("\(parts[0])/msg/\(parts[1])")
            let sides = ["Request", "Response"].filter { parts[1].hasSuffix($0) }
            return !isMessage
                && !sides.contains { theirs.contains("\(parts[0])/srv/\(parts[1].dropLast($0.count))_\($0)") }
        }
        #expect(missing.map { $0.typeName } == ["rosgraph_msgs/Log"])
    }

    @Test func `what one of the two codecs does not have keeps its default`() throws {
        var range = SensorMsgs.Range()
        range.header.seq = 7
        range.header.stamp = ROSTime(seconds: 1, nanoseconds: 2)
        range.range = 3
        range.variance = 0.5
        let overROS2 = try SensorMsgs.Range(cdr: range.cdr)
        #expect(overROS2.header.seq == 0 && overROS2.header.stamp == range.header.stamp && overROS2.variance == 0.5)
        let overROS1 = try SensorMsgs.Range(serialised: range.serialised)
        #expect(overROS1.header.seq == 7 && overROS1.variance == 0)
    }

    struct Announced: Sendable {
        let typeName: String
        let digits: String

        init(_ typeName: String, _ digits: String) {
            self.typeName = typeName
            self.digits = digits
        }
    }

    static let messages = GeneratedROS2Types.messages + GeneratedInterfaces.messages
    static let services = GeneratedROS2Types.services + GeneratedInterfaces.services
    private static let hashes = Dictionary(
        uniqueKeysWithValues: messages.map { ($0.ros2TypeName, $0.ros2TypeHash) }
            + services.map { ($0.ros2TypeName, $0.ros2TypeHash) })

    private static func description(_ type: (some ROS2Service).Type) throws -> TypeDescription {
        try type.ros2Description()
    }
}
