import ChannelFuzzKit
import FuzzKit

/// Any bytes as the body of a hello or a welcome (the first byte chooses), as if its seal had opened: a fuzzer cannot forge
/// a tag.
@main enum FuzzHandshake: FuzzTarget {
    static func test(_ bytes: [UInt8]) {
        guard let choice = bytes.first else { return }
        let body = Array(bytes.dropFirst())
        if choice % 2 == 0 { ChannelFuzzing.hello(body) } else { ChannelFuzzing.welcome(body) }
    }
}
