#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// Folders of this machine; every call may block on the disk.
public enum Folder {
    /// Whether the path is that of a folder; symbolic links are followed.
    public static func exists(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// The names in a folder in no order, without `.` and `..`; `nil` if it cannot be read.
    public static func names(in path: String) -> [String]? {
        guard let folder = opendir(path) else { return nil }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: $0.pointee)) {
                    String(cString: $0)
                }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    /// Creates a folder and those above it, with access for this user only; an existing one is unchanged.
    ///
    /// - Returns: the system's error, `errno`; `nil` if the folder is there.
    public static func make(_ path: String) -> Int32? {
        guard !path.isEmpty, access(path, F_OK) != 0 else { return nil }
        if let failure = make(FilePath.folder(of: path)) { return failure }
        return mkdir(path, 0o700) == 0 || errno == EEXIST ? nil : errno
    }
}
