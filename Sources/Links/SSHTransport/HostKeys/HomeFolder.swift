#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// The user's home.
enum HomeFolder {
    /// `HOME`, or what the user database says.
    static var path: String {
        if let home = getenv("HOME"), home.pointee != 0 { return String(cString: home) }
        if let entry = getpwuid(getuid()), let folder = entry.pointee.pw_dir { return String(cString: folder) }
        return "/"
    }

    /// `~/x` with the home in place of `~`.
    static func expand(_ path: String) -> String {
        path == "~" ? self.path : path.hasPrefix("~/") ? self.path + path.dropFirst() : path
    }
}
