#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// Paths as text.
public enum FilePath {
    private static let slash = UInt8(ascii: "/")

    /// The folder that a path names its last part in: `a` for `a/b`, `/` for `/a`, empty for `a`.
    public static func folder(of path: String) -> String {
        let bytes = Array(path.utf8)
        let whole = dropSlashes(bytes[...])
        guard let last = whole.lastIndex(of: slash) else { return whole.isEmpty && !bytes.isEmpty ? "/" : "" }
        let above = dropSlashes(whole[..<last])
        return above.isEmpty ? "/" : String(decoding: above, as: UTF8.self)
    }

    private static func dropSlashes(_ path: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var rest = path
        while rest.last == slash { rest.removeLast() }
        return rest
    }

    /// A name in a folder; the empty folder is the working directory.
    public static func joined(_ folder: String, _ name: String) -> String {
        folder.isEmpty || folder.utf8.last == slash ? folder + name : "\(folder)/\(name)"
    }

    /// The path from the root: a relative one starts at the working directory.
    public static func absolute(_ path: String) -> String {
        guard path.utf8.first != slash, let current = getcwd(nil, 0) else { return path }
        defer { free(current) }
        return joined(String(cString: current), path)
    }

    /// The path with a leading `~` replaced by the user's home folder.
    public static func expandingHome(_ path: String) -> String {
        guard path == "~" || path.utf8.starts(with: "~/".utf8) else { return path }
        return HostProcess.homeFolder() + path.dropFirst()
    }
}
