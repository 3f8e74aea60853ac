import FuzzKit
import ROSMessages

/// Any bytes as a connection header: what is read is written so that it reads as the same again.
@main enum FuzzTCPROSHeader: FuzzTarget {
    static func test(_ bytes: [UInt8]) {
        guard let header = try? ConnectionHeader(decoding: bytes) else { return }
        let again = try? ConnectionHeader(decoding: header.encoded[4...])
        precondition(again == header, "\(header)")
    }
}
