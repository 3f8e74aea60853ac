internal import IntegrationKit

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// Hands on the game controller that SDL makes in the front end: lines into the pipe that the front end made and reads.
package struct VirtualController: Sendable {
    private let pipe: String

    /// - Parameter pipe: the path of the pipe that the front end made.
    package init(pipe: String) { self.pipe = pipe }

    /// Writes a line such as `axis righty 1` or `button start press`.
    package func does(_ line: String) throws {
        let descriptor = open(pipe, O_WRONLY | O_NONBLOCK)
        guard descriptor >= 0 else { throw ProcessFailure("the front end does not read the virtual controller's pipe") }
        defer { close(descriptor) }
        let bytes = Array((line + "\n").utf8)
        let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        guard count == bytes.count else { throw ProcessFailure("the virtual controller's pipe took \(count) bytes") }
    }
}
