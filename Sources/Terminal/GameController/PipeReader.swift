#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import SystemIO

/// A named pipe or file that is read without blocking.
final class PipeReader {
    private let descriptor: Int32
    private let made: String?

    /// Opens the path; creates a pipe, accessible to this user only, when nothing of that name exists.
    init(path: String) throws(SDLLibrary.Failure) {
        let isMade = mkfifo(path, 0o600) == 0
        guard isMade || errno == EEXIST else { throw Self.failure(path) }
        made = isMade ? path : nil
        descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.failure(path) }
    }

    private static func failure(_ path: String) -> SDLLibrary.Failure {
        SDLLibrary.Failure(
            text: "cannot read the virtual game controller's '\(path)': \(SystemError.text(errno))")
    }

    /// The bytes available, at most 4 KiB; empty when there are none or no writer is connected.
    func read() -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = systemRead(descriptor, &buffer, buffer.count)
        return count > 0 ? Array(buffer[..<count]) : []
    }

    /// Closes the descriptor, and removes a pipe that was created here.
    func close() {
        systemClose(descriptor)
        if let made { unlink(made) }
    }
}

private func systemRead(_ descriptor: Int32, _ buffer: inout [UInt8], _ count: Int) -> Int {
    read(descriptor, &buffer, count)
}

private func systemClose(_ descriptor: Int32) { close(descriptor) }
