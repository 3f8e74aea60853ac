import IntegrationKit
import Testing

@testable import SystemIO

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

@Suite struct NameServiceTests {
    private static let hosts = """
        127.0.0.1 localhost
        127.0.1.1\tUAV1.lab  uav1\t# this computer
        # 10.0.0.9 ground
        10.0.0.2 ground GROUND.lab#ground.other
        10.0.0.3 ground
        10.0.0.2 ground
          fd00::2   ground

        ::1 localhost ip6-localhost
        lonely
        """

    private static let users = """
        root:x:0:0:root:/root:/bin/bash
        broken:x:1000
        :x:1001:1001::/home/none:/bin/sh
        mrs:x:1001:1001:MRS, the group,,:/home/mrs:/usr/bin/zsh
        twin:x:1001:1001::/home/twin:/bin/sh
        """

    /// A service with these files and no `getent`.
    private func withFiles<Result>(_ body: (NameService) throws -> Result) throws -> Result {
        let folder = try TemporaryFolder()
        let service = NameService(
            hosts: try folder.write(Self.hosts, to: "hosts"), users: try folder.write(Self.users, to: "passwd"),
            getent: [folder.file("getent")])
        defer { withExtendedLifetime(folder) {} }
        return try body(service)
    }

    @Test(arguments: [
        ("uav1", ["127.0.1.1"]), ("uav1.lab", ["127.0.1.1"]), ("UAV1", ["127.0.1.1"]), ("uav1.", ["127.0.1.1"]),
        ("ground", ["10.0.0.2", "10.0.0.3", "fd00::2"]), ("ground.lab", ["10.0.0.2"]),
        ("localhost", ["127.0.0.1", "::1"]), ("ip6-localhost", ["::1"]),
    ])
    func `names of the hosts file have its addresses`(name: String, expected: [String]) throws {
        #expect(try withFiles { try $0.addresses(of: name, family: AF_UNSPEC) } == expected)
    }

    @Test func `addresses of another family are left out`() throws {
        #expect(try withFiles { try $0.addresses(of: "ground", family: AF_INET6) } == ["fd00::2"])
        #expect(try withFiles { try $0.addresses(of: "localhost", family: AF_INET) } == ["127.0.0.1"])
    }

    @Test func `the local host is the loopback without any file`() throws {
        let service = NameService(hosts: "/nowhere/hosts", getent: [])
        #expect(try service.addresses(of: "localhost", family: AF_UNSPEC) == ["127.0.0.1", "::1"])
        #expect(try service.addresses(of: "uav1.LOCALHOST", family: AF_INET) == ["127.0.0.1"])
    }

    @Test(arguments: ["ground.other", "lonely", "uav", "lab", "10.0.0.9.x"])
    func `what the file does not have is refused with what to do`(name: String) throws {
        let failure = #expect(throws: AddressLookup.Failure.self) {
            try withFiles { try $0.addresses(of: name, family: AF_UNSPEC) }
        }
        #expect(failure?.code == EAI_NONAME)
        let text = failure?.description ?? ""
        #expect(text.hasPrefix("it is not in /"), "\(text)")
        #expect(
            text.hasSuffix(
                "/hosts, and this machine has no 'getent' to ask others; add it to that file, or use the address"),
            "\(text)")
    }

    @Test(arguments: ["", ".", "-s", "--help", "a b", "a/b", "a;b", "a\u{0}b", "ö", String(repeating: "a", count: 300)])
    func `what cannot be a host's name is asked of nobody`(name: String) {
        // It would find every name.
        let service = NameService(hosts: "/nowhere/hosts", getent: ["/bin/echo"])
        #expect(throws: AddressLookup.Failure(code: EAI_NONAME)) { try service.addresses(of: name, family: AF_UNSPEC) }
    }

    @Test func `addresses in numbers need no names, and names become addresses with a port`() throws {
        try withFiles { service in
            let numeric = try AddressLookup.addresses(
                of: "192.168.1.5", port: 7777, family: AF_UNSPEC, false, false, names: service)
            #expect(numeric.map(\.text) == ["192.168.1.5"])
            let named = try AddressLookup.addresses(
                of: "ground", port: 7777, family: AF_UNSPEC, false, false, names: service)
            #expect(named.map(\.text) == ["10.0.0.2", "10.0.0.3", "fd00::2"])
            #expect(named.map(\.family) == [AF_INET, AF_INET, AF_INET6])
            #expect(named.allSatisfy { Array($0.bytes[2..<4]) == [0x1E, 0x61] })
        }
    }

    @Test func `a line whose address is none does not count`() throws {
        let folder = try TemporaryFolder()
        let service = NameService(hosts: try folder.write("rubbish uav1\n10.0.0.7 uav1\n", to: "hosts"), getent: [])
        let found = try AddressLookup.addresses(of: "uav1", port: 0, family: AF_INET, false, false, names: service)
        #expect(found.map(\.text) == ["10.0.0.7"])
        let wrong = NameService(hosts: try folder.write("rubbish uav1\n", to: "wrong"), getent: [])
        #expect(throws: AddressLookup.Failure(code: EAI_NONAME)) {
            try AddressLookup.addresses(of: "uav1", port: 0, family: AF_INET, false, false, names: wrong)
        }
    }

    @Test func `users are found by their number`() throws {
        try withFiles { service in
            #expect(service.account(number: 0) == NameService.Account(name: "root", home: "/root"))
            #expect(service.account(number: 1001) == NameService.Account(name: "mrs", home: "/home/mrs"))
            #expect(service.account(number: 1000) == nil)
            #expect(service.account(number: 4_000_000_000) == nil)
        }
        #expect(NameService(users: "/nowhere/passwd", getent: []).account(number: 0) == nil)
    }

    /// Tests are linked dynamically.
    @Test func `a program with a loader asks the C library`() {
        #expect(!NameService.isNeeded)
    }
}
