import Foundation
import IntegrationKit
import MRSMessagesROS2
import ROS2
import ROS2Interfaces
import ROSDefinitions
import ROSMessages
import Testing

/// Every generated type against rosbags and ros2-pyterfaces: the same hashes; what rosbags wrote is read to the same values in the
/// same fields, and written back to the same bytes.
@Suite(.timeLimit(.minutes(MachinePace.minutes(2)))) struct ROS2TypesPeerTests {
    @Test func `every type is hashed, read and written as others do`() async throws {
        guard let peer = try await Peer() else {
            return print("skipped: rosbags is missing: scripts/setup --tests gets it")
        }
        #expect(TypeHashesTests.messages.count >= 100 && TypeHashesTests.services.count >= 25)
        for type in TypeHashesTests.messages {
            try compare(type, try #require(peer.types[type.ros2TypeName]), peer.seed)
        }
        for type in TypeHashesTests.services {
            compare(type.ros2TypeName, type.ros2TypeHash, try #require(peer.types[type.ros2TypeName]))
        }
        // Which of the two said something: without ros2-pyterfaces, only rosbags.
        let others = peer.types.values.filter { $0.other != nil }.count
        #expect(others == 0 || others >= 60, "ros2-pyterfaces knows \(others) of our types")
    }

    /// `Range` has no variance there.
    private static let slips: Set = ["sensor_msgs/msg/Range"]

    private func compare(_ name: String, _ hash: TypeHash, _ theirs: Peer.TypeVectors) {
        #expect(hash.text == theirs.hash, "\(name)")
        if let other = theirs.other, !Self.slips.contains(name) { #expect(hash.text == other, "\(name)") }
    }

    private func compare(_ type: (some ROS2Message).Type, _ theirs: Peer.TypeVectors, _ seed: UInt64) throws {
        compare(type.ros2TypeName, type.ros2TypeHash, theirs)
        let comment = "\(type.ros2TypeName), seed \(seed)"
        #expect(theirs.messages.count == 6, "\(comment)")
        let dynamic = try CDRDynamicDecoder(type.ros2Description())
        for message in theirs.messages {
            let bytes = Peer.bytes(message.cdr)
            let ours = try type.init(cdr: bytes)
            #expect(ours.cdr == bytes, "\(comment)")
            let values = Set(message.values.map { [Peer.path($0[0]), $0[1]] })
            #expect(Set(Peer.values(of: ours)) == values, "\(comment)")
            let (value, size) = try dynamic.decode(bytes)
            #expect(size == bytes.count && Set(Peer.values(of: value)) == values, "\(comment)")
            // Every shorter message is refused, and none of them traps.
            for length in 0..<bytes.count {
                #expect(throws: ROSDecodingError.self, "\(comment)") { try type.init(cdr: Array(bytes.prefix(length))) }
            }
        }
    }
}

/// What the Python program of others says.
private struct Peer {
    struct TypeVectors: Decodable, Sendable {
        let type: String
        let hash: String
        let other: String?
        let messages: [Message]
    }

    struct Message: Decodable, Sendable {
        let cdr: String
        let values: [[String]]
    }

    /// Every run has other values; it stands in a failure.
    let seed = UInt64.random(in: 0...UInt64.max)
    let types: [String: TypeVectors]

    /// `nil` when rosbags is not installed.
    init?() async throws {
        let python = BuiltPrograms.repository + "/.build/peers/bin/python3"
        guard FileManager.default.isExecutableFile(atPath: python) else { return nil }
        let probe = try ChildProcess([python, "-c", "import rosbags"])
        guard try await probe.exit(within: .seconds(60)) == 0 else { return nil }
        let sources = BuiltPrograms.repository + "/Sources"
        let folders =
            "\(sources)/Vehicles/MRSMessages/Definitions:\(sources)/Middleware/ROS2Interfaces/Definitions"
        let names =
            TypeHashesTests.messages.map { $0.ros2TypeName } + TypeHashesTests.services.map { $0.ros2TypeName }
        let program = "\(BuiltPrograms.repository)/Tests/Peers/ros2_types_peer.py"
        let process = try ChildProcess([python, program, folders, "\(seed)"] + names)
        guard try await process.exit(within: .seconds(60)) == 0 else { throw ProcessFailure(process.errors) }
        let decoder = JSONDecoder()
        let all = try process.output.split(separator: "\n").map {
            try decoder.decode(TypeVectors.self, from: Data($0.utf8))
        }
        types = Dictionary(all.map { ($0.type, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The bytes that these hexadecimal digits write.
    static func bytes(_ hexadecimal: String) -> [UInt8] {
        let digits = hexadecimal.utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
        return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] * 16 + digits[$0 + 1]) }
    }

    /// Names are compared without underscores and capitals.
    static func path(_ path: String) -> String { path.lowercased().filter { $0 != "_" } }

    static func values(of message: some ROS2Message) -> [[String]] {
        var out: [[String]] = []
        flatten("", message, into: &out)
        return out
    }

    static func values(of value: DynamicValue) -> [[String]] {
        var out: [[String]] = []
        flatten("", value, into: &out)
        return out
    }

    private static func flatten(_ path: String, _ value: DynamicValue, into out: inout [[String]]) {
        switch value {
        case .bool(let value): flatten(path, value as Any, into: &out)
        case .integer(let value): flatten(path, value as Any, into: &out)
        case .unsigned(let value): flatten(path, value as Any, into: &out)
        case .real(let value): flatten(path, value as Any, into: &out)
        case .text(let value): flatten(path, value as Any, into: &out)
        case .time(let value): flatten(path, value as Any, into: &out)
        case .duration(let value): flatten(path, value as Any, into: &out)
        case .bytes(let bytes): flatten(path, bytes as Any, into: &out)
        case .list(let elements):
            out.append([path + ".count", "\(elements.count)"])
            for (index, element) in elements.enumerated() { flatten("\(path)[\(index)]", element, into: &out) }
        case .record(let fields):
            for field in fields { flatten("\(path).\(Peer.path(field.name))", field.value, into: &out) }
        }
    }

    private static func flatten(_ path: String, _ value: Any, into out: inout [[String]]) {
        switch value {
        case let value as Bool: out.append([path, value ? "1" : "0"])
        case let value as any FixedWidthInteger: out.append([path, "\(value)"])
        case let value as Double: out.append([path, "\(value.bitPattern)"])
        case let value as Float: out.append([path, "\(Double(value).bitPattern)"])
        case let value as String:
            out.append([path, value.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()])
        case let value as ROSTime: out.append([path, "\(value.seconds).\(value.nanoseconds)"])
        case let value as ROSDuration:
            out.append([path, "\(UInt32(bitPattern: value.seconds)).\(UInt32(bitPattern: value.nanoseconds))"])
        case let value as [Any]:
            out.append([path + ".count", "\(value.count)"])
            for (index, element) in value.enumerated() { flatten("\(path)[\(index)]", element, into: &out) }
        default:
            for child in Mirror(reflecting: value).children {
                let name = Peer.path(child.label ?? "")
                // Only ROS 1 has it.
                if name == "seq", path.hasSuffix("header") || "\(type(of: value))" == "Header" { continue }
                flatten("\(path).\(name)", child.value, into: &out)
            }
        }
    }
}
