import Testing

@testable import Deployment

@Suite struct CompanionFileTests {
    /// The beginning of an ELF file.
    static func program(_ machine: UInt8, isBig: Bool = false) -> [UInt8] {
        var bytes: [UInt8] = [0x7F, 0x45, 0x4C, 0x46, 2, isBig ? 2 : 1, 1] + [UInt8](repeating: 0, count: 13)
        bytes[isBig ? 19 : 18] = machine
        return bytes
    }

    /// A whole ELF file: header, one segment that is loaded, and a table of two sections at the end.
    static func wholeProgram(_ machine: UInt8, type: UInt8 = 2) -> [UInt8] {
        var bytes = program(machine) + [UInt8](repeating: 0, count: 300 - 20)
        bytes[16] = type
        // The tables of segments and of sections: where they are, the size of an entry, and how many there are.
        for (place, value) in [32: 64, 40: 172, 54: 56, 56: 1, 58: 64, 60: 2] as [Int: UInt8] { bytes[place] = value }
        // One to be loaded, at 120, of 50 bytes.
        for (place, value) in [64: 1, 72: 120, 96: 50] as [Int: UInt8] { bytes[place] = value }
        return bytes
    }

    @Test func `a file of which a part is missing is refused before it is uploaded`() throws {
        let whole = Self.wholeProgram(62)
        try ELFFile.check(whole)
        for count in 20..<whole.count {
            #expect(throws: ELFFile.Fault.self, "\(count)") { try ELFFile.check(Array(whole.prefix(count))) }
        }
        let cut = CompanionFile(path: "c", bytes: Array(whole.dropLast()))
        let error = #expect(throws: DeploymentFailure.self) { try cut.require("x86_64") }
        #expect(error?.what == "c is not complete: it has 299 bytes, and by its header at least 300")
        // A segment that ends behind the file, and one whose end is no number.
        var large = whole
        large[98] = 1
        #expect(throws: ELFFile.Fault.truncated(needed: 120 + 50 + 65536)) { try ELFFile.check(large) }
        for place in 72..<80 { large[place] = 0xFF }
        #expect(throws: ELFFile.Fault.header) { try ELFFile.check(large) }
    }

    @Test func `an object of a library is no program`() {
        #expect(throws: ELFFile.Fault.kind) { try ELFFile.check(Self.wholeProgram(62, type: 1)) }
    }

    @Test func `what a file is stands in its first bytes`() {
        #expect(CompanionFile.kind(of: Self.program(62)) == .program("x86_64"))
        #expect(CompanionFile.kind(of: Self.program(183)) == .program("aarch64"))
        #expect(CompanionFile.kind(of: Self.program(40, isBig: true)) == .program("armv7l"))
        #expect(CompanionFile.kind(of: Self.program(62).dropLast()) == .other)
        #expect(CompanionFile.kind(of: Array("#!/bin/sh\n".utf8)) == .script)
        #expect(CompanionFile.kind(of: []) == .other)
        #expect(CompanionFile.kind(of: Array("version https://git-lfs".utf8)) == .other)
        #expect(CompanionFile.kind(of: Self.program(7)) == .program("another architecture (ELF machine 7)"))
    }

    @Test func `a program of another architecture is refused`() throws {
        let file = CompanionFile(path: "c", bytes: Self.wholeProgram(183))
        try file.require("aarch64")
        let error = #expect(throws: DeploymentFailure.self) { try file.require("x86_64") }
        #expect(error?.what == "c is built for aarch64, the vehicle's computer is x86_64")
        #expect(throws: DeploymentFailure.self) { try CompanionFile(path: "c", bytes: [1, 2, 3]).require("x86_64") }
        try CompanionFile(path: "c", bytes: Array("#!/bin/sh".utf8)).require("riscv64")
    }

    @Test func `the checksum is that of sha256sum`() {
        let empty = CompanionFile(path: "c", bytes: [])
        #expect(empty.checksum == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    }

    @Test func `a file that cannot be read is named`() async {
        let error = await #expect(throws: DeploymentFailure.self) { try await CompanionFile.read("/nonexistent/c") }
        #expect(error?.what.contains("/nonexistent/c") == true)
    }
}

@Suite struct CompanionFilesTests {
    private func files(
        named: String? = nil, set: String? = nil, executable: String? = "/source/.build/debug/uavlink",
        exists: Set<String> = ["/source/Package.swift"]
    ) -> CompanionFiles {
        CompanionFiles(
            named: named, environment: set.map { ["UAVLINK_COMPANIONS": $0] } ?? [:], executable: executable,
            exists: exists.contains)
    }

    @Test func `the places are searched in their order`() {
        let all = [
            "/set/aarch64/uavlink-companion", "/source/.build/lib/uavlink/companions/aarch64/uavlink-companion",
            "/source/.build/package/aarch64/uavlink-companion",
        ]
        let files = files(set: "/set")
        #expect(files.places("aarch64") == all)
        #expect(files.path("aarch64") { $0 != all[0] } == all[1])
        #expect(files.path("aarch64") { _ in false } == nil)
        #expect(files.path("") { _ in true } == nil)
    }

    @Test func `an installed program has its companions beside it`() {
        let files = files(executable: "/usr/local/bin/uavlink", exists: [])
        #expect(files.places("x86_64") == ["/usr/local/lib/uavlink/companions/x86_64/uavlink-companion"])
        #expect(self.files(executable: nil).places("x86_64").isEmpty)
    }

    @Test func `a named file is the only one`() {
        #expect(files(named: "/tmp/c", set: "/set").places("x86_64") == ["/tmp/c"])
        #expect(files(named: "/tmp/c").path("") { _ in false } == "/tmp/c")
    }

    @Test func `an architecture without a program is named, with the way out`() {
        let failure = files().missing("aarch64")
        #expect(failure.what.contains("aarch64") && failure.what.contains("/source/.build/package/aarch64"))
        #expect(failure.hint.contains("scripts/package") && failure.hint.contains("--program"))
        #expect(files().missing("").what.contains("not known"))
    }
}
