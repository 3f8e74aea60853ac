/// The header before each frame of the drone's video, TCP port 5555.
package struct PaVEHeader: Hashable, Sendable {
    package var codec: UInt8
    /// The size of this header: where the frame begins.
    package var headerBytes: Int
    package var payloadBytes: Int
    package var frame: UInt32
    package var milliseconds: UInt32
    package var type: FrameType?

    package enum FrameType: UInt8, Sendable, CaseIterable {
        /// Decodable by itself.
        case idr = 1
        case i, p, headers
    }

    /// The bytes that every header begins with.
    package static let mark: [UInt8] = Array("PaVE".utf8)
    /// The bytes up to the frame's type.
    static let leastBytes = 32
    /// H.264.
    package static let h264: UInt8 = 4
    /// The most bytes of a frame; one of 720p has some 100 000.
    package static let mostPayload = 4_194_304

    /// Reads a header.
    ///
    /// - Returns: `nil` if the bytes do not begin with one, or its sizes cannot be.
    package init?(_ bytes: some RandomAccessCollection<UInt8>) {
        guard bytes.count >= Self.leastBytes, bytes.starts(with: Self.mark) else { return nil }
        func number(_ offset: Int, _ count: Int) -> Int {
            (0..<count).reduce(0) { $0 | Int(bytes[bytes.index(bytes.startIndex, offsetBy: offset + $1)]) << (8 * $1) }
        }
        (codec, headerBytes, payloadBytes) = (UInt8(truncatingIfNeeded: number(5, 1)), number(6, 2), number(8, 4))
        guard (Self.leastBytes...1024).contains(headerBytes), payloadBytes <= Self.mostPayload else { return nil }
        frame = UInt32(truncatingIfNeeded: number(20, 4))
        milliseconds = UInt32(truncatingIfNeeded: number(24, 4))
        type = FrameType(rawValue: UInt8(truncatingIfNeeded: number(30, 1)))
    }
}

/// Takes the raw H.264 out of the video, from bytes in any split. It begins with the first frame that can be decoded by itself.
package struct PaVEReader: Sendable {
    private var bytes: [UInt8] = []
    private var hasBegun = false
    /// Parameter sets that came by themselves before the first frame, which needs them.
    private var sets: [UInt8] = []
    private static let mostSets = 1024
    /// Bytes that belong to no frame.
    package private(set) var skipped = 0
    /// Frames that were taken out.
    package private(set) var frames = 0

    /// Nothing has come.
    package init() {}

    /// Takes what has come, and returns the H.264 (Annex B) of the frames that are complete.
    package mutating func take(_ more: some Collection<UInt8>) -> [UInt8] {
        bytes += more
        var video: [UInt8] = []
        var offset = 0
        while bytes.count - offset >= PaVEHeader.leastBytes {
            guard let header = PaVEHeader(bytes[offset...]) else {
                let next = nextMark(after: offset)
                skipped += next - offset
                offset = next
                continue
            }
            let end = offset + header.headerBytes + header.payloadBytes
            guard end <= bytes.count else { break }
            if header.codec == PaVEHeader.h264 {
                video += frame(header, bytes[offset + header.headerBytes..<end])
            }
            offset = end
        }
        bytes.removeFirst(offset)
        return video
    }

    /// What is kept of a frame.
    private mutating func frame(_ header: PaVEHeader, _ payload: ArraySlice<UInt8>) -> [UInt8] {
        if header.type == .headers {
            if hasBegun { return Array(payload) }
            if payload.count <= Self.mostSets { sets = Array(payload) }
            return []
        }
        guard hasBegun || header.type == .idr || header.type == .i else { return [] }
        defer { (hasBegun, sets, frames) = (true, [], frames + 1) }
        return sets + payload
    }

    /// Where the next header may begin; the last bytes may be the beginning of one.
    private func nextMark(after offset: Int) -> Int {
        var index = offset + 1
        while index + PaVEHeader.mark.count <= bytes.count {
            if bytes[index...].starts(with: PaVEHeader.mark) { return index }
            index += 1
        }
        return index
    }
}
