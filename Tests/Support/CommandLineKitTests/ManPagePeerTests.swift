import CommandLineKit
import Foundation
import IntegrationKit
import Testing

/// Manual pages, shown by man itself.
@Suite(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/man"), "man is not installed"))
struct ManPagePeerTests {
    private func shown(_ program: Program) async throws -> String {
        let folder = try TemporaryFolder()
        let page = try folder.write(program.manPage, to: "\(program.root.name).1")
        let process = try ChildProcess(
            ["/usr/bin/man", "--warnings", "--encoding=UTF-8", "--local-file", page],
            environment: [
                "PATH": "/usr/bin:/bin", "MANWIDTH": "80", "LC_ALL": "C.UTF-8", "MANPAGER": "cat", "TERM": "dumb",
            ])
        let status = try await process.exit()
        withExtendedLifetime(folder) {}
        #expect(status == 0)
        #expect(process.errors.isEmpty, "\(process.errors)")
        return process.output
    }

    @Test func `man has no warning, and shows what was written`() async throws {
        let text = try await shown(ManPageTests.odd)
        for part in [
            "odd - what's odd", "odd [OPTIONS] [FILE]", #".begins like a macro, and 'quotes' a \backslash with"#, "90°",
            "-l, --level LEVEL", "it's ^ ~ ` here,there", "even(1), uavlink-sim(1)",
        ] {
            #expect(text.contains(part), "\(part)")
        }
        #expect(text.contains("\n           kept:\n             deeper\n"))
    }

    @Test func `the page of a program with commands has none either`() async throws {
        let text = try await shown(Sample.program)
        #expect(text.contains("   uavlink goto [OPTIONS] X Y Z [HEADING]\n"))
        #expect(text.contains("-D, --define TEXT\n              a definition (may be repeated)\n"))
    }
}
