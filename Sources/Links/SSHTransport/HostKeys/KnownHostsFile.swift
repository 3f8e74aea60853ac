#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import ReportKit
internal import SystemIO
internal import UAVLink

/// Reads `known_hosts` files and adds lines to them.
enum KnownHostsFile {
    /// The largest accepted file, bytes: about 100 000 hosts.
    private static let largest = 16 * 1024 * 1024

    /// The file's contents; empty when it does not exist.
    static func read(_ path: String) throws(LinkError) -> KnownHosts {
        switch RegularFile.read(path, limit: largest) {
        case .success(let file): return KnownHosts(parsing: file.bytes, file: path)
        case .failure(.system(ENOENT)), .failure(.system(ENOTDIR)): return KnownHosts(parsing: [], file: path)
        case .failure(let failure):
            throw LinkError(
                .invalidInput, "cannot read \(path) (\(failure.text))", hint: "host keys cannot be checked without it")
        }
    }

    /// Appends a line for a host.
    static func add(_ key: HostKey, of name: String, hashed: Bool, to path: String) throws(LinkError) {
        let column =
            hashed
            ? HostPattern.hashedColumn(name, salt: (0..<20).map { _ in UInt8.random(in: 0...255) }) : name
        let line = "\(column) \(key.type) \(Base64.encode(key.blob, padded: true))\n"
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
        if !folder.isEmpty, mkdir(folder, 0o700) != 0, errno != EEXIST { throw failure(path, errno) }
        let descriptor = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure(path, errno) }
        defer { close(descriptor) }
        // The lock serializes concurrent writers that find a missing newline at the end of the file.
        _ = flock(descriptor, LOCK_EX)
        let size = lseek(descriptor, 0, SEEK_END)
        var last: UInt8 = UInt8(ascii: "\n")
        if size > 0 { _ = pread(descriptor, &last, 1, size - 1) }
        let bytes = (last == UInt8(ascii: "\n") ? [] : [UInt8(ascii: "\n")]) + Array(line.utf8)
        let written = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        guard written == bytes.count else { throw failure(path, written < 0 ? errno : ENOSPC) }
    }

    private static func failure(_ path: String, _ code: Int32) -> LinkError {
        LinkError(
            .invalidInput, "cannot write the host key to \(path) (\(SystemError.text(code)))",
            hint: "make it writable, or use another known_hosts file")
    }
}
