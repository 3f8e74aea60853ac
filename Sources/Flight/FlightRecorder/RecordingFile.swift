#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import UAVLink

/// Where a recording is written to, from its beginning to its end, its first bytes last. Used by one thread.
protocol RecordingSink: AnyObject {
    /// Appends; says what went wrong, or `nil`. What could not be written whole is not there.
    func append(_ bytes: [UInt8]) -> String?
    /// Writes over the first bytes.
    func replaceHead(_ bytes: [UInt8]) -> String?
}

/// A file.
final class RecordingFile: RecordingSink {
    private let descriptor: Int32
    private var length = 0

    /// Makes the file; one that is there already is not touched.
    ///
    /// - Throws: ``UAVLink/LinkError`` with `invalidInput`.
    init(path: String) throws(LinkError) {
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else {
            let hint =
                errno == EEXIST ? "a recording never replaces a file; name another" : "can you write into that folder?"
            throw LinkError(
                .invalidInput, "cannot make the recording '\(path)' (\(String(cString: strerror(errno))))", hint: hint)
        }
    }

    deinit { close(descriptor) }

    func append(_ bytes: [UInt8]) -> String? {
        if let trouble = put(bytes, at: nil) {
            // Half a chunk is of no use, and makes others refuse the whole.
            _ = ftruncate(descriptor, off_t(length))
            return trouble
        }
        length += bytes.count
        return nil
    }

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
