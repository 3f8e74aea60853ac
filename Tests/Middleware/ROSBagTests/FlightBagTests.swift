import Foundation
import IntegrationKit
import ROSBag
import ROSDefinitions
import ROSMessages
import Testing

@Suite struct FlightBagTests {
    /// A flight recorded from the real stack; it lies beside the project, not in it.
    private static let name = "data/flight.bag"

    @Test(.enabled(if: SharedFiles.arePresent(name), "no recorded flight beside the project"))
    func `the recorded flight is read and decoded whole`() throws {
        let data = try Data(contentsOf: URL(filePath: SharedFiles.path(Self.name)))
        var reader = ROSBagReader()
        var counts: [String: Int] = [:]
        var decoders: [String: DynamicDecoder] = [:]
        for start in stride(from: 0, to: data.count, by: 1 << 20) {
            reader.feed(data[(data.startIndex + start)...].prefix(1 << 20))
            while let message = try reader.next() {
                counts[message.connection.topic, default: 0] += 1
                let header = message.connection.header
                let decoder =
                    try decoders[header.md5]
                    ?? DynamicDecoder(typeName: header.type, definition: header.messageDefinition)
                decoders[header.md5] = decoder
                #expect(decoder.md5 == header.md5)
                let bytes = message.bytes
                let size = try decoder.decode(bytes).size
                #expect(size == bytes.count, "\(header.type)")
            }
        }
        try reader.finish()
        // As `rosbag info` counts them.
        #expect(counts.values.reduce(0, +) == 50_768)
        #expect(counts.count == 27)
        #expect(counts["/uav1/hw_api/status"] == 21_957)
        #expect(counts["/uav1/estimation_manager/odom_main"] == 6_003)
        #expect(counts["/rosout"] == 719)
        #expect(decoders.count == 23)
    }
}
