#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import SystemIO

/// This process and the user it runs as.
public enum HostProcess {
    /// The environment; entries without `=` are left out, and of equal names the first counts, as for `getenv`.
    public static var environment: [String: String] {
        var found: [String: String] = [:]
        var place = environ
        while let entry = place.pointee {
            let line = String(cString: entry).utf8
            if let end = line.firstIndex(of: UInt8(ascii: "=")) {
                let name = String(decoding: line[..<end], as: UTF8.self)
                if found[name] == nil { found[name] = String(decoding: line[end...].dropFirst(), as: UTF8.self) }
            }
            place += 1
        }
        return found
    }

    /// The effective user's login name; its number as text when the user database does not have it.
    public static var userName: String { account?.name ?? "\(geteuid())" }

    /// Whether a user's name can be part of a command that is run as root, without quotes: of POSIX's portable characters for user
    /// names (XBD 3.426), and not beginning with a hyphen, as an option does.
    public static func isPortableUserName(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= 64 && name.utf8.first != UInt8(ascii: "-")
            && name.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || "._-".utf8.contains(byte)
            }
    }

    /// The effective user's number.
    public static var userNumber: UInt32 { geteuid() }

    /// The effective user's home folder: `HOME` if `environment` has it, else that of the user database, else `/`.
    public static func homeFolder(_ environment: [String: String] = HostProcess.environment) -> String {
        if let home = environment["HOME"], !home.isEmpty { return home }
        return account?.home ?? "/"
    }

    /// The path of the running program; `nil` when the system does not say.
    public static var executablePath: String? {
        #if canImport(Glibc)
            guard let path = realpath("/proc/self/exe", nil) else { return nil }
            defer { free(path) }
            return String(cString: path)
        #else
            var path = [UInt8](repeating: 0, count: 4096)
            let length = proc_pidpath(getpid(), &path, UInt32(path.count))
            return length > 0 ? String(decoding: path.prefix(Int(length)), as: UTF8.self) : nil
        #endif
    }

    /// The machine's name on the network, as `hostname` prints it.
    public static var hostName: String {
        var name = [UInt8](repeating: 0, count: 256)
        let status = name.withUnsafeMutableBytes { bytes in
            bytes.withMemoryRebound(to: CChar.self) { text in
                text.baseAddress.map { gethostname($0, text.count - 1) } ?? -1
            }
        }
        let text = String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
        return status == 0 && !text.isEmpty ? text : "localhost"
    }

    private static var account: (name: String, home: String)? {
        if NameService.isNeeded {
            return NameService.system.account(number: geteuid()).map { (name: $0.name, home: $0.home) }
        }
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16_384) { buffer in
            var entry = passwd()
            var found: UnsafeMutablePointer<passwd>?
            guard let base = buffer.baseAddress,
                getpwuid_r(geteuid(), &entry, base, buffer.count, &found) == 0,
                let name = found?.pointee.pw_name, let home = found?.pointee.pw_dir
            else {
                return nil
            }
            return (name: String(cString: name), home: String(cString: home))
        }
    }
}
