/// The file of host names, hosts(5): lines of an address and its names; `#` begins a comment.
enum HostsFile {
    /// The addresses of a host in the order of the file, each once. Case does not matter.
    static func addresses(of host: String, in bytes: [UInt8]) -> [String] {
        let wanted = host.utf8.map(lowercase)
        var found: [String] = []
        for line in bytes.split(whereSeparator: { $0 == newline }) {
            var words = line.prefix { $0 != comment }.split(whereSeparator: isBlank)[...]
            guard let first = words.popFirst(),
                words.contains(where: { $0.count == wanted.count && $0.lazy.map(lowercase).elementsEqual(wanted) })
            else { continue }
            let address = String(decoding: first, as: UTF8.self)
            if !found.contains(address) { found.append(address) }
        }
        return found
    }

    private static let newline = UInt8(ascii: "\n")
    private static let comment = UInt8(ascii: "#")

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    private static func lowercase(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
}

/// The file of users, passwd(5): lines of `name:password:number:group:comment:home:shell`.
enum PasswordFile {
    /// The first user with that number; `nil` if there is none.
    static func account(number: UInt32, in bytes: [UInt8]) -> NameService.Account? {
        for line in bytes.split(whereSeparator: { $0 == UInt8(ascii: "\n") }) {
            let fields = line.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
            guard fields.count >= 6, !fields[0].isEmpty, UInt32(String(decoding: fields[2], as: UTF8.self)) == number
            else {
                continue
            }
            return NameService.Account(
                name: String(decoding: fields[0], as: UTF8.self), home: String(decoding: fields[5], as: UTF8.self))
        }
        return nil
    }
}
