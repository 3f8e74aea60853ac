import FuzzKit
import SSHTransport

/// Any bytes as a `known_hosts` file: whatever is read can be asked for a host, and no line is read twice.
@main enum FuzzKnownHosts: FuzzTarget {
    static func test(_ bytes: [UInt8]) {
        let hosts = KnownHosts(parsing: bytes, file: "fuzz")
        for name in ["vehicle", "[vehicle]:2222", ""] { _ = hosts.keyTypes(for: name) }
        precondition(hosts.skipped.count <= bytes.count + 1)
        precondition(hosts.skipped.allSatisfy { $0.line >= 1 && $0.line <= bytes.count + 1 })
    }
}
