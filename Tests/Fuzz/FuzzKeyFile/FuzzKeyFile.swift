import FuzzKit
import SSHTransport

/// Any bytes as a private key file, and as what a key agent answers.
@main enum FuzzKeyFile: FuzzTarget {
    static func test(_ bytes: [UInt8]) {
        _ = try? KeyFile(parsing: bytes, path: "fuzz")
        var reader = WireReader(bytes)
        while let part = reader.string() { precondition(part.count <= bytes.count) }
    }
}
