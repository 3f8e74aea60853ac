import IntegrationKit

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Hands on the game controller that SDL makes in the front end: lines into the pipe that the front end made and reads.
struct VirtualController {
    let pipe: String

    /// Writes a line such as `axis righty 1` or `button start press`.
    func does(_ line: String) throws {
        let descriptor = open(pipe, O_WRONLY | O_NONBLOCK)
        guard descriptor >= 0 else { throw ProcessFailure("the front end does not read the virtual controller's pipe") }
        defer { close(descriptor) }
        let bytes = Array((line + "\n").utf8)
        let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        guard count == bytes.count else { throw ProcessFailure("the virtual controller's pipe took \(count) bytes") }
    }
}
