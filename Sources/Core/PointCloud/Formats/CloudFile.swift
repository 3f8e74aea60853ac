#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import SystemIO

/// Reads point cloud files.
public enum CloudFile {
    /// Reads a file of any supported format. It blocks and computes: call it on a dedicated thread, never in Swift's
    /// cooperative pool.
    ///
    /// - Throws: ``PointCloudError`` from ``CloudReader``, or if the file cannot be read.
    public static func read(
        _ path: String, limits: CloudLimits = CloudLimits(), progress: CloudProgress = .none
    ) throws(PointCloudError) -> CloudReading {
        let bytes = try bytes(path, limits: limits, progress: progress)
        return try CloudReader.read(bytes, source: path, limits: limits, progress: progress.part(from: 0.5))
    }

    /// The size of one read, so that reading from a slow disk can be cancelled.
    private static let pieceBytes = 1 << 22

    /// The bytes of a file, within the limits; blocks on the disk.
    ///
    /// - Throws: ``PointCloudError`` if the file cannot be read or is too large.
    public static func bytes(
        _ path: String, limits: CloudLimits = CloudLimits(), progress: CloudProgress = .none
    ) throws(PointCloudError) -> [UInt8] {
        let source = CloudSource(path)
        // O_NONBLOCK: opening a named pipe must not wait for its writer.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw source.error(.file, "cannot be opened (\(SystemError.text(errno)))") }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            throw source.error(.file, "cannot be read (\(SystemError.text(errno)))")
        }
        guard status.st_mode & S_IFMT == S_IFREG else { throw source.error(.file, "is not a regular file") }
        let size = Int(status.st_size)
        guard size <= limits.fileBytes else {
            throw source.error(.tooLarge, "\(size) bytes; the limit is \(limits.fileBytes)")
        }
        var failure: PointCloudError?
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            do throws(PointCloudError) {
                while count < size {
                    let wanted = min(pieceBytes, size - count)
                    let got = systemRead(descriptor, buffer.baseAddress.map { $0 + count }, wanted)
                    if got < 0, errno == EINTR { continue }
                    guard got >= 0 else { throw source.error(.file, "cannot be read (\(SystemError.text(errno)))") }
                    // The file was truncated meanwhile; the parser reports what is missing.
                    if got == 0 { return }
                    count += got
                    try progress.report(0.5 * Double(count) / Double(size))
                }
            } catch { failure = error }
        }
        if let failure { throw failure }
        return bytes
    }
}

private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutablePointer<UInt8>?, _ count: Int) -> Int {
    guard let buffer else { return 0 }
    return read(descriptor, buffer, count)
}
