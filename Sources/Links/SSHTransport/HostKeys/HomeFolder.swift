#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// The user's home folder.
enum HomeFolder {
    /// `HOME`, or the folder from the user database.
    static var path: String {
        if let home = getenv("HOME"), home.pointee != 0 { return String(cString: home) }
        if let entry = getpwuid(getuid()), let folder = entry.pointee.pw_dir { return String(cString: folder) }
        return "/"
    }

    /// Expands a leading `~` to the home folder.
    static func expand(_ path: String) -> String {
        path == "~" ? self.path : path.hasPrefix("~/") ? self.path + path.dropFirst() : path
    }
}
