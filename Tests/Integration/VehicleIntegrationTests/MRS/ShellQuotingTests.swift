import Foundation
import IntegrationKit
import Testing

@testable import MRS

/// What a user's log-in shell makes of our command lines.
@Suite struct ShellQuotingTests {
    /// The shells of this machine; `sh` is there always.
    static let shells = ["/bin/sh", "/bin/bash", "/usr/bin/zsh", "/usr/bin/fish", "/usr/bin/tcsh"].filter {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    static let nasty = [
        "plain", "", "two words", "'", "\"", "`id`", "$(id)", "$HOME ${HOME}", "a\\b\\\\c\\'d", "!!", "!x",
        "a;b|c&d>e<f",
        "*?[a]{b,c}~", "line\nbreak\n\n", "tab\t", "%s %d %%", "#comment", "\u{1B}[0m", "ü水🚁", "-n", "=x", "^a", "@",
        "'\\''", "\\0047\\n", "\"'\"'$`\\!\n", "\r\n", "$'x'", "a\u{7F}b",
    ]

    @Test(arguments: shells)
    func `no value breaks out, whatever shell reads the line`(_ shell: String) async throws {
        // All values in one script, each ended by a mark.
        let prints = Self.nasty.map { "printf '%s\\036' \(RemoteShell.word($0))" }.joined(separator: "\n")
        let line = RemoteShell.line(running: prints)
        let child = try ChildProcess([shell, "-c", line])
        #expect(try await child.exit() == 0, "\(child.errors)")
        #expect(child.output == Self.nasty.map { $0 + "\u{1E}" }.joined(), "\(child.errors)")
    }

    @Test(arguments: shells)
    func `a value alone in a plain line survives too`(_ shell: String) async throws {
        for value in Self.nasty {
            let line = RemoteShell.line(running: "printf %s \(RemoteShell.word(value))")
            let child = try ChildProcess([shell, "-c", line])
            #expect(try await child.exit() == 0, "\(value): \(child.errors)")
            #expect(child.output == value, "\(line): \(child.errors)")
        }
    }

    @Test func `a line without anything to escape can be read by a user`() {
        #expect(RemoteShell.line(running: "exec id -u").hasSuffix(" sh 'exec id -u'"))
    }

    @Test(arguments: shells)
    func `where there is no bash, sh runs the script, and source means what it does in bash`(
        _ shell: String
    ) async throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createSymbolicLink(atPath: folder.file("sh"), withDestinationPath: "/bin/sh")
        let file = try folder.write("MARK='it'\\''s set'\n", to: "setup of it.sh")
        let script = "source \(RemoteShell.word(file))\necho \"$MARK\""
        let environment = ["PATH": folder.path, "HOME": folder.path]
        let child = try ChildProcess([shell, "-c", RemoteShell.line(running: script)], environment: environment)
        #expect(try await child.exit() == 0, "\(child.errors)")
        #expect(child.output == "it's set\n", "\(child.errors)")
        let missing = RemoteShell.line(running: "source /nowhere/setup.sh && echo it ran")
        let other = try ChildProcess([shell, "-c", missing], environment: environment)
        #expect(try await other.exit() != 0)
        #expect(other.output.isEmpty && other.errors.contains("/nowhere/setup.sh"), "\(other.errors)")
    }
}
