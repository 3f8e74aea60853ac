import RouteFlight
import SystemKit
import UAVLink

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The files that `uavlink latency` writes.
enum LatencyFiles {
    /// Checks before anything is measured that a file can be written.
    ///
    /// - Throws: ``LinkError`` with `invalidInput`.
    static func checkWritable(_ path: String) throws(LinkError) {
        let place = SmallFile.exists(path) ? path : FilePath.folder(of: FilePath.absolute(path))
        guard !Folder.exists(path), access(place, W_OK) == 0 else { throw unwritable(path) }
    }

    /// Writes a file, in place of one that is there.
    ///
    /// - Throws: ``FileAccessError`` with the system's reason.
    static func write(_ text: String, to path: String) async throws(FileAccessError) {
        try await LocalFiles().write(Array(text.utf8), to: path, replacing: true)
    }

    private static func unwritable(_ path: String) -> LinkError {
        LinkError(
            .invalidInput, "cannot write \(path.sanitizedLine)", hint: "does its directory exist, and is it writable?")
    }
}
