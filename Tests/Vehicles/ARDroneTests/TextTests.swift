import Testing

@testable import ARDrone
@testable import ARDroneEmulator

/// The configuration and the video, which come in any split.
@Suite("AR.Drone configuration and video") struct ARDroneTextTests {
    private let dump = EmulatedConfiguration().dump

    @Test(arguments: [1, 2, 7, 1000, 100_000])
    func `a configuration is read in any split`(_ size: Int) {
        var reader = ARDroneConfigurationReader()
        var result: [String: String]?
        for start in stride(from: 0, to: dump.count, by: size) {
            #expect(result == nil)
            result = reader.take(dump[start..<min(start + size, dump.count)])
        }
        #expect(
            result
                == EmulatedConfiguration().values.merging(
                    ["control:accs_offset": "{ -2.0e+03 2.1e+03 2.0e+03 }"]) { $1 })
    }

    @Test func `of several configurations the newest counts, and a list of identifiers is none`() {
        var reader = ARDroneConfigurationReader()
        #expect(reader.take(Array("a:b = 1\n\0a:b = 2\n\0a:b = 3".utf8)) == ["a:b": "2"])
        #expect(reader.take([0]) == ["a:b": "3"])
        #expect(reader.take(EmulatedConfiguration().identifiers) == nil)
    }

    @Test func `a configuration that is too long is skipped, and the next one read`() {
        var reader = ARDroneConfigurationReader()
        let long = [UInt8](repeating: 0x61, count: ARDroneConfigurationReader.mostBytes + 1) + [0]
        #expect(reader.take(long) == nil)
        #expect(reader.take(Array("a:b = 1\n\0".utf8)) == ["a:b": "1"])
    }

    @Test func `values are compared as what they mean`() {
        #expect(ARDroneConfigurationReader.same("0.2094", "2.0940000e-01"))
        #expect(ARDroneConfigurationReader.same("700", "7.0000000e+02"))
        #expect(ARDroneConfigurationReader.same("TRUE", "true"))
        #expect(!ARDroneConfigurationReader.same("0.2094", "0.349"))
        #expect(!ARDroneConfigurationReader.same("TRUE", "FALSE"))
    }

    private func frame(_ type: UInt8, _ payload: [UInt8], header: Int = 68) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: header)
        bytes.replaceSubrange(0..<4, with: Array("PaVE".utf8))
        (bytes[4], bytes[5], bytes[6], bytes[8], bytes[30]) = (2, 4, UInt8(header), UInt8(payload.count), type)
        return bytes + payload
    }

    @Test(arguments: [1, 5, 33, 10_000])
    func `the video is taken out from its first whole picture on, whatever the size of its headers`(_ size: Int) {
        let stream = frame(3, [9, 9]) + [1, 2, 3] + frame(1, [0, 0, 0, 1, 7], header: 64) + frame(3, [8])
        var reader = PaVEReader()
        var video: [UInt8] = []
        for start in stride(from: 0, to: stream.count, by: size) {
            video += reader.take(stream[start..<min(start + size, stream.count)])
        }
        #expect(video == [0, 0, 0, 1, 7, 8])
        #expect(reader.frames == 2 && reader.skipped == 3)
    }

    @Test func `parameter sets that come by themselves are kept for the first picture, and are bounded`() {
        var reader = PaVEReader()
        #expect(reader.take(frame(4, [0, 0, 0, 1, 0x67])) == [] && reader.frames == 0)
        #expect(reader.take(frame(3, [9])) == [])
        #expect(reader.take(frame(1, [0, 0, 0, 1, 0x65])) == [0, 0, 0, 1, 0x67, 0, 0, 0, 1, 0x65])
        #expect(reader.take(frame(3, [8])) == [8] && reader.frames == 2)
        var other = PaVEReader()
        var long = frame(4, [])
        (long[8], long[9]) = (0x01, 0x04)
        #expect(other.take(long + [UInt8](repeating: 7, count: 0x401) + frame(1, [5])) == [5])
    }

    @Test func `a header with impossible sizes is skipped`() {
        var bad = frame(1, [1])
        (bad[6], bad[7]) = (3, 0)
        #expect(PaVEHeader(bad) == nil)
        var huge = frame(1, [1])
        huge.replaceSubrange(8..<12, with: [255, 255, 255, 255])
        #expect(PaVEHeader(huge) == nil)
        var reader = PaVEReader()
        #expect(reader.take(huge + frame(1, [5])) == [5])
    }
}
