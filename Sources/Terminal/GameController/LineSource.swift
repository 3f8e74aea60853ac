#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// A named pipe or file that is read as far as there is something, without waiting.
final class LineSource {
    private let descriptor: Int32
    private let made: String?

    /// Opens it; makes a pipe, for this user only, when nothing of that name is there.
    init(path: String) throws(SDLLibrary.Failure) {
        let isMade = mkfifo(path, 0o600) == 0
        guard isMade || errno == EEXIST else { throw Self.failure(path) }
        made = isMade ? path : nil
        descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.failure(path) }
    }

    private static func failure(_ path: String) -> SDLLibrary.Failure {
        SDLLibrary.Failure(
            text: "cannot read the virtual game controller's '\(path)': \(String(cString: strerror(errno)))")
    }

    /// What came since, at most 4 KiB; nothing when nothing did, or nobody writes.
    func read() -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = systemRead(descriptor, &buffer, buffer.count)
        return count > 0 ? Array(buffer[..<count]) : []
    }

    /// Closes it, and removes a pipe that was made here.
    func close() {
        systemClose(descriptor)
        if let made { unlink(made) }
    }
}

private func systemRead(_ descriptor: Int32, _ buffer: inout [UInt8], _ count: Int) -> Int {
    read(descriptor, &buffer, count)
}

private func systemClose(_ descriptor: Int32) { close(descriptor) }
