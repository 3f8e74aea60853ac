#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// Files of points on disk.
public enum CloudFile {
    /// Reads a file, whatever its format. It waits for the disk and computes: on a thread of its own, never on Swift's
    /// cooperative ones.
    ///
    /// - Throws: ``PointCloudError``, as ``CloudReader`` does, or when the file cannot be read.
    public static func read(
        _ path: String, limits: CloudLimits = CloudLimits(), progress: CloudProgress = .none
    ) throws(PointCloudError) -> CloudReading {
        let bytes = try bytes(path, limits: limits, progress: progress)
        return try CloudReader.read(bytes, source: path, limits: limits, progress: progress.part(from: 0.5))
    }

    /// Reads in pieces, so that a slow disk can be given up on.
    private static let pieceBytes = 1 << 22

    /// The bytes of a file, at most as many as the limits allow; it waits for the disk.
    ///
    /// - Throws: ``PointCloudError`` when the file cannot be read.
    public static func bytes(
        _ path: String, limits: CloudLimits = CloudLimits(), progress: CloudProgress = .none
    ) throws(PointCloudError) -> [UInt8] {
        let source = CloudSource(path)
        // Not waiting for the writer of a pipe that somebody named.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw source.error(.file, "cannot be opened (\(reason()))") }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw source.error(.file, "cannot be read (\(reason()))") }
        guard status.st_mode & S_IFMT == S_IFREG else { throw source.error(.file, "is not a file of bytes") }
        let size = Int(status.st_size)
        guard size <= limits.fileBytes else {
            throw source.error(.tooLarge, "\(size) bytes; at most \(limits.fileBytes) are read")
        }
        var failure: PointCloudError?
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            do throws(PointCloudError) {
                while count < size {
                    let wanted = min(pieceBytes, size - count)
                    let got = systemRead(descriptor, buffer.baseAddress.map { $0 + count }, wanted)
                    if got < 0, errno == EINTR { continue }
                    guard got >= 0 else { throw source.error(.file, "cannot be read (\(reason()))") }
                    // It became shorter meanwhile; the reader says what is missing.
                    if got == 0 { return }
                    count += got
                    try progress.report(0.5 * Double(count) / Double(size))
                }
            } catch { failure = error }
        }
        if let failure { throw failure }
        return bytes
    }

    private static func reason() -> String { String(cString: strerror(errno)).lowercased() }
}

private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutablePointer<UInt8>?, _ count: Int) -> Int {
    guard let buffer else { return 0 }
    return read(descriptor, buffer, count)
}
