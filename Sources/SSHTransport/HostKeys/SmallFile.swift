#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// Reads a regular file of bounded size.
enum SmallFile {
    struct Contents {
        let bytes: [UInt8]
        let mode: mode_t
        let owner: uid_t
    }

    enum Failure: Error, Equatable {
        case system(Int32)
        case notAFile
        case tooLarge(Int)

        var text: String {
            switch self {
            case .system(let code): ErrorText.of(code)
            case .notAFile: "not a file"
            case .tooLarge(let limit): "larger than \(limit) bytes"
            }
        }
    }

    static func read(_ path: String, limit: Int) -> Result<Contents, Failure> {
        // Without O_NONBLOCK a named pipe in the file's place would be waited for, for ever.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return .failure(.system(errno)) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return .failure(.system(errno)) }
        guard status.st_mode & S_IFMT == S_IFREG else { return .failure(.notAFile) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            let count = buffer.withUnsafeMutableBytes {
                #if canImport(Glibc)
                    Glibc.read(descriptor, $0.baseAddress, $0.count)
                #else
                    Darwin.read(descriptor, $0.baseAddress, $0.count)
                #endif
            }
            if count < 0 { return .failure(.system(errno)) }
            if count == 0 { break }
            bytes += buffer[..<count]
            if bytes.count > limit { return .failure(.tooLarge(limit)) }
        }
        return .success(Contents(bytes: bytes, mode: status.st_mode & 0o7777, owner: status.st_uid))
    }
}
