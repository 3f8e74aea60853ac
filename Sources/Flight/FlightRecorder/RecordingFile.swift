#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import SystemIO
internal import UAVLink

/// The destination of a recording: appended to, its first bytes overwritten at the end. Used by one thread.
protocol RecordingSink: AnyObject {
    /// Appends all of the bytes or nothing.
    ///
    /// - Returns: the reason of a failure; `nil` on success.
    func append(_ bytes: [UInt8]) -> String?
    /// Overwrites the first bytes.
    ///
    /// - Returns: the reason of a failure; `nil` on success.
    func replaceHead(_ bytes: [UInt8]) -> String?
}

/// A recording in a file.
final class RecordingFile: RecordingSink {
    private let descriptor: Int32
    private var length = 0

    /// Creates the file; an existing one is not overwritten.
    ///
    /// - Throws: ``UAVLink/LinkError`` with `invalidInput`.
    init(path: String) throws(LinkError) {
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else {
            let code = errno
            let hint =
                switch code {
                case EEXIST: "existing files are not overwritten; choose another name"
                case ENOENT, ENOTDIR: "does the directory exist?"
                case EISDIR: "give the name of a file in a directory that exists"
                default: "is the directory writable?"
                }
            throw LinkError(
                .invalidInput, "cannot create the recording '\(path)' (\(SystemError.text(code)))", hint: hint)
        }
    }

    deinit { close(descriptor) }

    func append(_ bytes: [UInt8]) -> String? {
        if let trouble = put(bytes, at: nil) {
            // A partial chunk is useless and makes other readers reject the file.
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
            guard written > 0 else { return SystemError.text(errno) }
            done += written
        }
        return nil
    }
}
