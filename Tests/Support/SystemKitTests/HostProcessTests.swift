import Foundation
import SystemKit
import Testing

@Suite struct HostProcessTests {
    @Test func `the environment is the one Foundation reads`() {
        #expect(HostProcess.environment == ProcessInfo.processInfo.environment)
    }

    @Test func `the user is the one Foundation names`() {
        #expect(HostProcess.userName == NSUserName())
    }

    @Test func `HOME counts before the user database, unless it is empty`() {
        #expect(HostProcess.homeFolder(["HOME": "/home/mrs"]) == "/home/mrs")
        let own = HostProcess.homeFolder([:])
        #expect(own.hasPrefix("/"))
        #expect(HostProcess.homeFolder(["HOME": ""]) == own)
    }

    @Test func `the running program exists`() throws {
        let path = try #require(HostProcess.executablePath)
        #expect(SmallFile.exists(path))
        #expect(path == Bundle.main.executablePath)
    }

    @Test func `the host has a name`() {
        #expect(!HostProcess.hostName.isEmpty)
        #expect(HostProcess.hostName.utf8.allSatisfy { $0 != 0 })
    }
}
