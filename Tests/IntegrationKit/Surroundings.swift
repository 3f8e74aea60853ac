internal import Foundation
internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// A folder of a test's own, removed with all that is in it when the last owner lets go of it.
public final class TemporaryFolder: Sendable {
    /// Its whole path.
    public let path: String

    /// Makes one below `TMPDIR`, or `/tmp` when that is long: a socket's path may have only 108 bytes.
    public init() throws {
        let wanted = getenv("TMPDIR").map { String(cString: $0) } ?? ""
        let folder = wanted.isEmpty || wanted.utf8.count > 40 ? "/tmp" : wanted
        var template = Array("\(folder)/uavlink-test-XXXXXX".utf8CString)
        let made: String? = template.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress, let path = mkdtemp(base) else { return nil }
            return String(cString: path)
        }
        guard let made else { throw ProcessFailure("no temporary folder: errno \(errno)") }
        path = made
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The path of a file of that name in it.
    public func file(_ name: String) -> String { path + "/" + name }

    /// Whether something of that name is in it.
    public func has(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path + "/" + name) }

    /// Writes a file into it and returns the file's path.
    @discardableResult
    public func write(_ text: String, to name: String, mode: Int = 0o600) throws -> String {
        let file = path + "/" + name
        guard
            FileManager.default.createFile(
                atPath: file, contents: Data(text.utf8), attributes: [.posixPermissions: mode])
        else { throw ProcessFailure("cannot write \(name)") }
        return file
    }
}

/// A loopback TCP port that nothing listens on.
///
/// From below the range that the system gives to outgoing connections, so that none of those takes it before the
/// server that it is meant for does. Nor does another process of the tests choose it, before its server has begun or while that
/// is stopped for a while: it belongs to the process that holds the UDP port of the same number, until that process ends.
public func freePort() throws -> UInt16 {
    for _ in 0..<200 {
        let port = UInt16.random(in: 15000..<32000)
        guard let claim = try boundSocket(isStream: false, port) else { continue }
        guard let listener = try boundSocket(isStream: true, port) else {
            close(claim)
            continue
        }
        close(listener)
        return port
    }
    throw ProcessFailure("no free port")
}

/// A loopback socket that no child inherits; `nil` when the port is taken.
private func boundSocket(isStream: Bool, _ port: UInt16) throws -> Int32? {
    #if canImport(Glibc)
        let type = Int32((isStream ? SOCK_STREAM : SOCK_DGRAM).rawValue)
    #else
        let type = isStream ? SOCK_STREAM : SOCK_DGRAM
    #endif
    // Not while a child is started: it would inherit it.
    let descriptor = ChildProcess.spawning.withLock { _ in
        let descriptor = socket(AF_INET, type, 0)
        if descriptor >= 0 { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        return descriptor
    }
    guard descriptor >= 0 else { throw ProcessFailure("no socket: errno \(errno)") }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let bound = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
    }
    if bound == 0 { return descriptor }
    close(descriptor)
    return nil
}

/// Waits until a condition holds, and says whether it came to hold in time; the time is that of a machine of the usual pace.
public func eventually(within timeout: Duration = .seconds(30), _ condition: () async throws -> Bool) async rethrows
    -> Bool
{
    var patience = Patience(timeout)
    while true {
        if try await condition() { return true }
        guard !patience.isOver(), !Task.isCancelled else { return false }
        try? await Task.sleep(for: .milliseconds(5))
    }
}
