#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import UAVLink

/// A file that is written from its beginning to its end, its first bytes last. Used by one thread.
final class RecordingFile {
    private let descriptor: Int32
    let path: String

    /// Makes the file; one that is there already is not touched.
    ///
    /// - Throws: ``UAVLink/LinkError`` with `invalidInput`.
    init(path: String) throws(LinkError) {
        self.path = path
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else {
            let hint =
                errno == EEXIST ? "a recording never replaces a file; name another" : "can you write into that folder?"
            throw LinkError(
                .invalidInput, "cannot make the recording '\(path)' (\(String(cString: strerror(errno))))", hint: hint)
        }
    }

    deinit { close(descriptor) }

    /// Appends; says what went wrong, or `nil`.
    func append(_ bytes: [UInt8]) -> String? { put(bytes, at: nil) }

    /// Writes over the file's first bytes.
    func replaceHead(_ bytes: [UInt8]) -> String? { put(bytes, at: 0) }

    private func put(_ bytes: [UInt8], at offset: Int?) -> String? {
        var done = 0
        while done < bytes.count {
            let written = bytes[done...].withUnsafeBytes { rest in
                offset.map { pwrite(descriptor, rest.baseAddress, rest.count, off_t($0 + done)) }
                    ?? write(descriptor, rest.baseAddress, rest.count)
            }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { return String(cString: strerror(errno)) }
            done += written
        }
        return nil
    }
}
