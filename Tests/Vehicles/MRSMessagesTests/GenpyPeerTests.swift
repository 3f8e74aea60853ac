import MRSMessages
import ROSDefinitions
import ROSMessages
import Testing

/// Every generated type against genpy, both ways: what genpy wrote is read to the same values in the same fields, and
/// written back to the same bytes.
@Suite(.enabled(if: GenpyVectors.isPossible, "python3-genpy is not installed: messages are not compared with genpy's"))
struct GenpyPeerTests {
    @Test func `every type reads and writes what genpy does`() async throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        let vectors = try await GenpyVectors(seed: seed)
        #expect(GeneratedTypes.messages.count >= 60)
        for type in GeneratedTypes.messages {
            let theirs = try #require(vectors.types[type.typeName], "genpy has no \(type.typeName)")
            #expect(type.md5 == theirs.md5, "\(type.typeName)")
            for message in theirs.messages {
                try compare(type, message, "\(type.typeName), seed \(seed)")
            }
            try compareDynamic(theirs, "\(type.typeName), seed \(seed)")
        }
    }

    @Test func `every full text parses to genpy's sum and is made again to the letter`() async throws {
        let vectors = try await GenpyVectors(seed: 1)
        // Also those types of the standard packages that are not generated here.
        #expect(vectors.types.count > 120)
        for theirs in vectors.types.values {
            let set = try DefinitionSet(fullText: theirs.text, typeName: theirs.type)
            #expect(try set.md5(of: theirs.type) == theirs.md5, "\(theirs.type)")
            #expect(try set.fullText(of: theirs.type) == theirs.text, "\(theirs.type)")
        }
        for type in GeneratedTypes.messages where type.typeName.hasPrefix("mrs_msgs/") {
            let theirs = try #require(vectors.types[type.typeName])
            #expect(type.definition == theirs.text, "\(type.typeName)")
        }
    }

    /// Fields of `Range` and `Marker` that ROS 1 does not have; no other type has fields of these names.
    private static let onlyInROS2 = [".variance", ".texture", ".uvcoordinates", ".meshfile"]

    private func compare(_ type: (some ROSMessage).Type, _ message: GenpyVectors.Message, _ comment: String) throws {
        let bytes = [UInt8](hexadecimal: message.bytes)
        let ours = try type.init(serialised: bytes)
        #expect(ours.serialised == bytes, "\(comment)")
        let theirs = message.values.map { [Flattened.path($0[0]), $0[1]] }
        let both = Flattened.values(of: ours).filter { value in !Self.onlyInROS2.contains { value[0].contains($0) } }
        #expect(both == theirs, "\(comment)")
        // Every shorter message is refused, and none of them traps.
        for length in 0..<bytes.count {
            #expect(throws: ROSDecodingError.self, "\(comment)") {
                try type.init(serialised: Array(bytes.prefix(length)))
            }
        }
    }

    private func compareDynamic(_ theirs: GenpyVectors.TypeVectors, _ comment: String) throws {
        let decoder = try DynamicDecoder(typeName: theirs.type, definition: theirs.text)
        #expect(decoder.md5 == theirs.md5, "\(comment)")
        for message in theirs.messages {
            let bytes = [UInt8](hexadecimal: message.bytes)
            let (value, size) = try decoder.decode(bytes)
            #expect(size == bytes.count, "\(comment)")
            #expect(Flattened.values(of: value) == message.values, "\(comment)")
        }
    }
}
