#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import Synchronization

/// Two ends that no child inherits unless it is asked to.
struct Pipe {
    let reading: Int32
    let writing: Int32

    init() throws {
        var ends: [Int32] = [-1, -1]
        // Not while another is started: it would inherit them, and its life would keep this one's input open.
        let isMade = ChildProcess.spawning.withLock { _ in
            guard pipe(&ends) == 0 else { return false }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            return true
        }
        guard isMade else { throw ProcessFailure("no pipe: errno \(errno)") }
        reading = ends[0]
        writing = ends[1]
    }

    /// Reads until all writers have closed it, and closes it then.
    func readAll(_ take: (String) -> Void) {
        var buffer = [UInt8](repeating: 0, count: 65536)
        var bytes: [UInt8] = []
        while true {
            let count = read(reading, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            bytes += buffer[..<count]
            // A character of several bytes can come in two pieces.
            let whole = Self.wholeCharacters(bytes)
            take(String(decoding: bytes[..<whole], as: UTF8.self))
            bytes.removeFirst(whole)
        }
        if !bytes.isEmpty { take(String(decoding: bytes, as: UTF8.self)) }
        close(reading)
    }

    /// How many bytes stand before a character at the end whose last byte is missing.
    private static func wholeCharacters(_ bytes: [UInt8]) -> Int {
        for behind in 1...3 where behind <= bytes.count {
            let byte = bytes[bytes.count - behind]
            guard byte & 0xC0 != 0x80 else { continue }
            let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
            return length > behind ? bytes.count - behind : bytes.count
        }
        return bytes.count
    }
}
