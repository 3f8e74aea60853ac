#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import SystemIO
internal import SystemKit
internal import Threads
internal import UAVLink

/// Reads and writes the user's files without blocking the caller on the disk.
package protocol FileAccess: Sendable {
    /// Reads a file.
    func read(_ path: String, atMost bytes: Int) async throws(FileAccessError) -> [UInt8]
    /// Writes a whole file.
    func write(_ bytes: [UInt8], to path: String, replacing: Bool) async throws(FileAccessError)
}

/// Why a file could not be read or written.
package struct FileAccessError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Whether the file exists already and was not to be replaced.
    package var isThere: Bool
    /// Whether the system took the file and not its contents: the disk is full, or broken.
    package var isUnwritten: Bool
    /// One line that names the file.
    package var what: String

    package init(_ what: String, isThere: Bool = false, isUnwritten: Bool = false) {
        self.what = what
        self.isThere = isThere
        self.isUnwritten = isUnwritten
    }

    /// The text of ``what``.
    package var description: String { what }
}

/// Files of this machine, accessed on dedicated threads.
package struct LocalFiles: FileAccess {
    /// Largest file of points, background or map that is read, bytes: ten times what a million points need.
    package static let largest = 1 << 30

    private let home: String?

    /// - Parameter home: replaces a leading `~`; `nil`: `~` is not expanded.
    package init(home: String? = nil) { self.home = home }

    package func read(_ path: String, atMost bytes: Int) async throws(FileAccessError) -> [UInt8] {
        let path = expanded(path)
        return try await onThread { () -> Result<[UInt8], FileAccessError> in Self.bytes(of: path, atMost: bytes) }
    }

    /// Writes a temporary file next to the target and renames it, so that no reader sees a partial file.
    package func write(_ bytes: [UInt8], to path: String, replacing: Bool) async throws(FileAccessError) {
        let path = expanded(path)
        try await onThread { () -> Result<Void, FileAccessError> in Self.write(bytes, path, replacing) }
    }

    private func expanded(_ path: String) -> String {
        guard let home, path == "~" || path.hasPrefix("~/") else { return path }
        return home + path.dropFirst()
    }

    private func onThread<Value: Sendable>(
        _ body: @escaping @Sendable () -> Result<Value, FileAccessError>
    ) async throws(FileAccessError) -> Value {
        guard let result = await DedicatedThread.run(body) else {
            throw FileAccessError("cannot create a thread; raise 'ulimit -u'")
        }
        return try result.get()
    }

    private static func bytes(of path: String, atMost most: Int) -> Result<[UInt8], FileAccessError> {
        // Opening a pipe would block until something writes to it, and a terminal could become the controlling one.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { return failure("read", path, errno) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return failure("read", path, errno) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            return .failure(FileAccessError("cannot read \(path.sanitizedLine): not a regular file"))
        }
        guard Int(status.st_size) <= most else {
            return .failure(
                FileAccessError(
                    "\(path.sanitizedLine) has \(status.st_size) bytes; expected at most \(most)"))
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Int(status.st_size))
        var chunk = [UInt8](repeating: 0, count: 1 << 18)
        while true {
            let size = chunk.count
            let count = chunk.withUnsafeMutableBytes { Self.readSome(descriptor, $0.baseAddress, size) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return failure("read", path, errno) }
            if count == 0 { return .success(bytes) }
            bytes += chunk[..<count]
            // The file may grow while it is read.
            guard bytes.count <= most else {
                return .failure(FileAccessError("\(path.sanitizedLine) has more than \(most) bytes"))
            }
        }
    }

    private static func write(_ bytes: [UInt8], _ path: String, _ replacing: Bool) -> Result<Void, FileAccessError> {
        switch bytes.withUnsafeBytes({ AtomicFile.write($0, to: path, replaces: replacing) }) {
        case nil: .success(())
        case EEXIST: .failure(FileAccessError("\(path.sanitizedLine) already exists", isThere: true))
        case let code?: failure("write", path, code)
        }
    }

    private static func readSome(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ size: Int) -> Int {
        #if canImport(Glibc)
            Glibc.read(descriptor, buffer, size)
        #else
            Darwin.read(descriptor, buffer, size)
        #endif
    }

    private static func failure<Value>(_ doing: String, _ path: String, _ code: Int32) -> Result<Value, FileAccessError>
    {
        .failure(
            FileAccessError(
                "cannot \(doing) \(path.sanitizedLine): \(SystemError.text(code))",
                isUnwritten: doing == "write" && AtomicFile.isUnwritten(code)))
    }
}
