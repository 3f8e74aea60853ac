import ChannelFuzzKit
import FuzzKit

/// Any bytes as a frame, as every payload of an opened frame, as a ticket's text, and as a TCP stream of frames.
///
/// The first byte chooses; payloads are read as if they had opened, since a fuzzer cannot forge a tag.
@main enum FuzzChannel: FuzzTarget {
    static func test(_ bytes: [UInt8]) {
        guard let choice = bytes.first else { return }
        let rest = Array(bytes.dropFirst())
        switch choice % 5 {
        case 0: ChannelFuzzing.frames(rest)
        case 1: ChannelFuzzing.payloadToVehicle(rest)
        case 2: ChannelFuzzing.payloadToGround(rest)
        case 3: ChannelFuzzing.ticket(rest)
        default: ChannelFuzzing.stream(rest)
        }
    }
}
