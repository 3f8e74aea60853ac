import IntegrationKit
import Testing

@testable import SystemIO

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// With `getent`: the machine's own, and programs that answer as it does.
@Suite struct NameServicePeerTests {
    /// A service whose `getent` is this script; it works as long as the folder exists.
    private func asking(
        _ script: String, within timeout: Duration = .seconds(60)
    ) throws -> (service: NameService, folder: TemporaryFolder) {
        let folder = try TemporaryFolder()
        let getent = try folder.write("#!/bin/sh\n" + script, to: "getent", mode: 0o700)
        let service = NameService(
            hosts: folder.file("hosts"), users: folder.file("passwd"), getent: [getent], timeout: timeout)
        return (service, folder)
    }

    @Test func `what the files do not have is asked of getent, each address once`() throws {
        let (service, folder) = try asking(
            """
            name=uav7.local
            [ "$*" = "ahosts $name" ] || [ "$*" = "ahostsv4 $name" ] || exit 2
            printf '10.0.0.7       STREAM uav7.local\\n10.0.0.7       DGRAM  \\nfe80::7%%lo\\tSTREAM\\n10.0.0.8 RAW\\n'
            """)
        #expect(try service.addresses(of: "uav7.local", family: AF_UNSPEC) == ["10.0.0.7", "fe80::7%lo", "10.0.0.8"])
        #expect(try service.addresses(of: "uav7.local", family: AF_INET6) == ["fe80::7%lo"])
        #expect(try service.addresses(of: "uav7.local", family: AF_INET) == ["10.0.0.7", "10.0.0.8"])
        withExtendedLifetime(folder) {}
    }

    @Test func `a name that getent does not know is refused`() throws {
        let (unknowing, folder) = try asking("exit 2")
        let failure = #expect(throws: AddressLookup.Failure.self) {
            try unknowing.addresses(of: "uav8", family: AF_INET)
        }
        #expect(failure?.description.hasSuffix(", nor does 'getent ahostsv4 uav8' find it") == true)
        let (silent, second) = try asking("echo")
        #expect(throws: AddressLookup.Failure(code: EAI_NONAME)) { try silent.addresses(of: "uav8", family: AF_INET) }
        withExtendedLifetime((folder, second)) {}
    }

    @Test func `a getent that does not answer is not waited for`() throws {
        let (service, folder) = try asking("exec sleep 1000", within: .milliseconds(50))
        let failure = #expect(throws: AddressLookup.Failure.self) {
            try service.addresses(of: "uav8", family: AF_UNSPEC)
        }
        #expect(failure?.code == EAI_AGAIN)
        #expect(failure?.description.hasSuffix("and 'getent ahosts' did not answer") == true)
        withExtendedLifetime(folder) {}
    }

    @Test(.enabled(if: access("/usr/bin/getent", X_OK) == 0, "there is no getent"))
    func `the machine's own getent knows this user as the C library does`() throws {
        let entry = try #require(getpwuid(getuid()))
        let found = try #require(NameService(users: "/nowhere/passwd").account(number: getuid()))
        #expect(found.name == String(cString: entry.pointee.pw_name))
        #expect(found.home == String(cString: entry.pointee.pw_dir))
        #expect(NameService.system.account(number: getuid()) == found)
    }

    @Test(.enabled(if: access("/usr/bin/getent", X_OK) == 0, "there is no getent"))
    func `the machine's own getent knows no host that there cannot be`() {
        // RFC 6761: no name below "invalid" exists.
        #expect(throws: AddressLookup.Failure.self) {
            try NameService(hosts: "/nowhere/hosts").addresses(of: "uavlink.invalid", family: AF_UNSPEC)
        }
    }
}
