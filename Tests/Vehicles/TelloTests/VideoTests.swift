import Testing

@testable import Tello
@testable import TelloEmulator

/// Where an H.264 stream can be begun, and its frames, in pieces of any size.
@Suite("H.264 as it comes") struct VideoTests {
    private static let stream = (0..<61).flatMap { EmulatedVideo.frame($0) }

    @Test(arguments: [1, 2, 3, 7, 1460, 1_000_000])
    func `frames are counted in any split, and everything is kept`(_ size: Int) {
        var meter = H264Meter()
        var kept: [UInt8] = []
        for start in stride(from: 0, to: Self.stream.count, by: size) {
            kept += meter.take(Self.stream[start...].prefix(size))
        }
        #expect(meter.frames == 61)
        #expect(kept == Self.stream)
    }

    @Test(arguments: [1, 5, 1460]) func `what comes before the first parameter set is dropped`(_ size: Int) {
        var meter = H264Meter()
        // Joined in the middle of a frame, and of the next ones.
        let joined = Array(Self.stream[9000...])
        var kept: [UInt8] = []
        for start in stride(from: 0, to: joined.count, by: size) { kept += meter.take(joined[start...].prefix(size)) }
        #expect(meter.frames == 31, "those from frame 30 on")
        #expect(kept.starts(with: EmulatedVideo.frame(30)))
        #expect(kept.count == (30..<61).map { EmulatedVideo.frame($0).count }.reduce(0, +))
    }

    @Test func `bytes that are no video are not kept`() {
        var meter = H264Meter()
        let noise = [UInt8](repeating: 0, count: 5000) + [1, 2, 3, 0, 0, 1]
        #expect(meter.take(noise[...]).isEmpty && meter.take([0x41, 0x55]).isEmpty && meter.take([]).isEmpty)
        #expect(meter.frames == 0 && !meter.hasBegun)
    }
}
