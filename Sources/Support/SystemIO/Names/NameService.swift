internal import CSystemIO

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// The names of hosts and users, for programs that are linked statically.
///
/// The C library asks the modules that `/etc/nsswitch.conf` lists, which are shared libraries. A static program would have to
/// load those of the machine that it runs on, into another version of the C library than they were built for: that fails, or
/// ends the program. So the files are read here, and whatever they do not have is asked of the machine's own `getent`, which
/// knows name servers, mDNS and directories. A machine without it, such as a container with nothing in it, has the files only.
package struct NameService: Sendable {
    /// A user of the machine.
    package struct Account: Hashable, Sendable {
        /// The login name.
        package let name: String
        /// The path of the home folder.
        package let home: String
    }

    /// That of this machine.
    package static let system = NameService()

    /// Whether this program is linked statically, so that the C library must not be asked for names.
    package static let isNeeded = system_io_interpreter() == 0

    private let hosts: String
    private let users: String
    /// Paths of `getent`, of which the first that there is is run.
    private let getent: [String]
    private let timeout: Duration

    /// How long `getent` may take: a name server that does not answer is given up by the C library after some 10 s, and there are
    /// at most three.
    private static let patience: Duration = .seconds(30)
    /// The most bytes that are read of a file: lists of advertisers to be blocked have a few MB.
    private static let largestFile = 16 << 20
    /// RFC 1035, and the end of string.
    private static let longestName = 255

    /// - Parameters:
    ///   - hosts: the file of hosts(5).
    ///   - users: the file of passwd(5).
    init(
        hosts: String = "/etc/hosts", users: String = "/etc/passwd",
        getent: [String] = ["/usr/bin/getent", "/bin/getent"],
        timeout: Duration = NameService.patience
    ) {
        self.hosts = hosts
        self.users = users
        self.getent = getent
        self.timeout = timeout
    }

    // MARK: Hosts

    /// The addresses of a host in numbers; at least one. May block as long as a name server.
    ///
    /// - Parameter family: `AF_INET`, `AF_INET6`, or `AF_UNSPEC` for both.
    func addresses(of host: String, family: Int32) throws(AddressLookup.Failure) -> [String] {
        let name = Self.withoutDot(host)
        guard Self.isHostName(name) else { throw AddressLookup.Failure(code: EAI_NONAME) }
        let listed = HostsFile.addresses(of: name, in: Self.contents(of: hosts)).filter { Self.isOf(family, $0) }
        if !listed.isEmpty { return listed }
        // RFC 6761: always the loopback, whatever name servers say.
        if Self.isLocal(name) { return ["127.0.0.1", "::1"].filter { Self.isOf(family, $0) } }
        let asked = try ask([family == AF_INET ? "ahostsv4" : "ahosts", name], for: name)
        // ADDRESS STREAM NAME, and once more for each other kind of socket.
        var found: [String] = []
        for line in asked.split(separator: "\n") {
            let address = String(line.prefix { $0 != " " && $0 != "\t" })
            if Self.isOf(family, address), !found.contains(address) { found.append(address) }
        }
        guard !found.isEmpty else { throw AddressLookup.Failure(code: EAI_NONAME) }
        return found
    }

    /// What `getent` prints.
    private func ask(_ words: [String], for name: String) throws(AddressLookup.Failure) -> String {
        guard let program = getent.first(where: { access($0, X_OK) == 0 }) else {
            throw AddressLookup.Failure(
                code: EAI_NONAME,
                reason: "it is not in \(hosts), and this machine has no 'getent' to ask others; "
                    + "add it to that file, or use the address")
        }
        let output = ProgramOutput.of(
            program, words, environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C"], within: timeout)
        guard let output else {
            throw AddressLookup.Failure(
                code: EAI_AGAIN, reason: "it is not in \(hosts), and 'getent \(words[0])' did not answer")
        }
        guard output.exitStatus == 0 else {
            throw AddressLookup.Failure(
                code: EAI_NONAME, reason: "it is neither in \(hosts), nor does 'getent \(words[0]) \(name)' find it")
        }
        return output.text
    }

    private static func isOf(_ family: Int32, _ address: String) -> Bool {
        let isIPv6 = address.utf8.contains(UInt8(ascii: ":"))
        return !address.isEmpty && (family == AF_UNSPEC || family == (isIPv6 ? AF_INET6 : AF_INET))
    }

    private static func withoutDot(_ host: String) -> String {
        host.utf8.last == UInt8(ascii: ".") ? String(host.dropLast()) : host
    }

    private static func isLocal(_ name: String) -> Bool {
        let lower = name.lowercased()
        return lower == "localhost" || lower.hasSuffix(".localhost")
    }

    /// Whether a text can be the name of a host, and is no option of a program.
    private static func isHostName(_ text: String) -> Bool {
        guard let first = text.utf8.first, first != UInt8(ascii: "-"), text.utf8.count < longestName else {
            return false
        }
        return text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
                true
            default: false
            }
        }
    }

    // MARK: Users

    /// The user with that number; `nil` if the machine does not know one. May block as long as a directory server.
    package func account(number: UInt32) -> Account? {
        if let found = PasswordFile.account(number: number, in: Self.contents(of: users)) { return found }
        guard let program = getent.first(where: { access($0, X_OK) == 0 }) else { return nil }
        let output = ProgramOutput.of(
            program, ["passwd", "\(number)"], environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C"], within: timeout)
        return output.flatMap { PasswordFile.account(number: number, in: $0.bytes) }
    }

    // MARK: Files

    /// The beginning of a file; empty if it cannot be read.
    private static func contents(of path: String) -> [UInt8] {
        let number = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard number >= 0 else { return [] }
        let file = OwnedDescriptor(number)
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while bytes.count < largestFile {
            let count = read(file.number, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            bytes += piece[..<count]
        }
        return bytes
    }
}
