#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import SystemIO
internal import SystemKit
internal import Threads

/// The histories of all vehicles in one file that only its user can read: one line each, `vehicle`, a tab, the command
/// line.
///
/// Only whole lines are appended, so that two programs can write at the same time; a file that is too long is shortened
/// when it is read.
package struct HistoryFile: Sendable {
    /// The file's path.
    package let path: String

    /// The file in the state directory of this environment: `$XDG_STATE_HOME/uavlink/history`, else in
    /// `~/.local/state`. `nil` without a home directory.
    package init?(environment: [String: String]) {
        if let folder = environment["XDG_STATE_HOME"], folder.hasPrefix("/") {
            path = folder + "/uavlink/history"
        } else if let home = environment["HOME"], home.hasPrefix("/") {
            path = home + "/.local/state/uavlink/history"
        } else {
            return nil
        }
    }

    /// The maximum size; a larger file is cut to its newest lines.
    static let mostBytes = 1 << 20

    /// The lines of one vehicle, the oldest first; empty if the file cannot be read.
    package func lines(of vehicle: String) async -> [String] {
        let path = path
        return await DedicatedThread.run { Self.read(path, vehicle) } ?? []
    }

    /// Appends a line.
    ///
    /// - Returns: `nil`, or why it could not be written.
    package func append(_ line: String, of vehicle: String) async -> String? {
        let (path, entry) = (path, "\(Self.oneLine(vehicle))\t\(Self.oneLine(line))\n")
        return await DedicatedThread.run { Self.append(path, entry) } ?? "cannot create a thread; raise 'ulimit -u'"
    }

    private static func oneLine(_ text: String) -> String {
        text.split(omittingEmptySubsequences: false) { $0.isNewline || $0 == "\t" }.joined(separator: " ")
    }

    private static func read(_ path: String, _ vehicle: String) -> [String] {
        guard let (bytes, isWhole) = try? SmallFile.readEnd(path, limit: mostBytes, keeping: mostBytes / 2) else {
            return []
        }
        var entries = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        if !isWhole, !entries.isEmpty {
            entries.removeFirst()
            shorten(path, to: entries.joined(separator: "\n") + "\n")
        }
        let head = oneLine(vehicle) + "\t"
        return entries.filter { $0.hasPrefix(head) }.map { String($0.dropFirst(head.count)) }
    }

    /// Written to a temporary file and renamed, so that a crash leaves the old file or the new one.
    private static func shorten(_ path: String, to text: String) {
        let draft = path + ".\(getpid())"
        guard PrivateFile.create(draft, Array(text.utf8)) == nil else { return }
        if rename(draft, path) != 0 { unlink(draft) }
    }

    private static func append(_ path: String, _ entry: String) -> String? {
        _ = Folder.make(FilePath.folder(of: path))
        let descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return SystemError.text(errno) }
        defer { close(descriptor) }
        // Also for a file that was created by hand.
        fchmod(descriptor, 0o600)
        return PrivateFile.write(Array(entry.utf8), to: descriptor)
    }
}

/// Files that only their user can read.
enum PrivateFile {
    /// Creates a new file; returns `nil`, or the error. It never overwrites an existing file (`EEXIST`).
    static func create(_ path: String, _ bytes: [UInt8]) -> Int32? {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return errno }
        defer { close(descriptor) }
        guard write(bytes, to: descriptor) == nil else {
            unlink(path)
            return EIO
        }
        return nil
    }

    static func write(_ bytes: [UInt8], to descriptor: Int32) -> String? {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = SystemCalls.write(descriptor, rest)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return SystemError.text(errno) }
            rest = rest.dropFirst(count)
        }
        return nil
    }
}
