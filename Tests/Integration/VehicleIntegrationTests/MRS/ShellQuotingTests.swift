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
        let prints = Self.nasty.map { "printf '%s\\036' \(ShellQuoting.word($0))" }.joined(separator: "\n")
        let line = ShellQuoting.commandLine(running: prints)
        let child = try ChildProcess([shell, "-c", line])
        #expect(try await child.exit() == 0, "\(child.errors)")
        #expect(child.output == Self.nasty.map { $0 + "\u{1E}" }.joined(), "\(child.errors)")
    }

    @Test(arguments: shells)
    func `a value alone in a plain line survives too`(_ shell: String) async throws {
        for value in Self.nasty {
            let line = ShellQuoting.commandLine(running: "printf %s \(ShellQuoting.word(value))")
            let child = try ChildProcess([shell, "-c", line])
            #expect(try await child.exit() == 0, "\(value): \(child.errors)")
            #expect(child.output == value, "\(line): \(child.errors)")
        }
    }

    @Test func `a line without anything to escape can be read by a user`() {
        #expect(ShellQuoting.commandLine(running: "exec id -u") == "exec bash -c 'exec id -u'")
    }
}
