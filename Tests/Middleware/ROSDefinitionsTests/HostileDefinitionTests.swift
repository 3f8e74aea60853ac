import Foundation
import ROSDefinitions
import ROSMessages
import Testing

/// What a peer may send as a definition and a message so that it costs much to take apart.
@Suite struct HostileDefinitionTests {
    /// As many types as are taken, in as many levels, each using all those of the levels below. It took 21 s when sizes
    /// and dependencies were worked out anew for each type, and takes one. What counts is this thread's time on a processor,
    /// however long it had to wait for one.
    @Test func `the most entangled definition is taken apart in no time`() throws {
        let (levels, perLevel) = (DefinitionSet.maximumDepth - 1, 8)
        func types(_ level: Int) -> [String] { (0..<perLevel).map { "p/L\(level)N\($0)" } }
        var parts = [types(1).enumerated().map { "\($1) f\($0)" }.joined(separator: "\n")]
        for level in 1..<levels {
            let below = (level + 1..<levels).flatMap(types)
            let fields = below.enumerated().map { "\($1) f\($0)" }.joined(separator: "\n")
            parts += types(level).map { "MSG: \($0)\n\(fields)" }
        }
        let text = parts.joined(separator: "\n" + String(repeating: "=", count: 80) + "\n")
        let begun = Self.processorSeconds
        _ = try DynamicDecoder(typeName: "p/A", definition: text)
        #expect(Self.processorSeconds - begun < 8)
    }

    private static var processorSeconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Thirty levels of arrays of a million elements, which at last have no bytes.
    @Test func `arrays of nothing within each other are refused before they fill the memory`() throws {
        let size = MessageDefinition.maximumFixedCount
        var parts = ["p/L1[\(size)] a"]
        for level in 1..<30 { parts.append("MSG: p/L\(level)\np/L\(level + 1)[\(size)] a") }
        parts.append("MSG: p/L30")
        let text = parts.joined(separator: "\n" + String(repeating: "=", count: 80) + "\n")
        let decoder = try DynamicDecoder(typeName: "p/A", definition: text)
        let error = #expect(throws: ROSDecodingError.self) { try decoder.decode([]) }
        #expect(error?.description.contains("\(DynamicDecoder.maximumValues) values") == true)
    }
}
