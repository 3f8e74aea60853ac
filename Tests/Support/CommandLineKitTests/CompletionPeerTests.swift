import CommandLineKit
import Foundation
import IntegrationKit
import Testing

/// Completion scripts, asked by the shells themselves.
@Suite struct CompletionPeerTests {
    /// What a shell prints when it runs `program` with the completion script as its first argument.
    func ask(_ shell: CompletionShell, _ options: [String], _ program: String) async throws -> [String] {
        let folder = try TemporaryFolder()
        let script = try folder.write(Sample.program.completion(for: shell), to: "completion")
        let question = try folder.write(program, to: "question")
        let process = try ChildProcess(["/usr/bin/env", shell.rawValue] + options + [question, script])
        let status = try await process.exit()
        // The folder is gone with its last reference, and the shell reads its files until it ends.
        withExtendedLifetime(folder) {}
        #expect(status == 0, "\(process.errors)")
        #expect(process.errors.isEmpty)
        return process.output.split(separator: "\n").map(String.init)
    }

    func bash(_ words: [String]) async throws -> [String] {
        let quoted = words.map { "'\($0)'" }.joined(separator: " ")
        return try await ask(
            .bash, ["--norc"],
            """
            source "$1" || exit
            COMP_WORDS=(uavlink \(quoted)); COMP_CWORD=\(words.count)
            _uavlink
            printf '%s\\n' "${COMPREPLY[@]}"
            """)
    }

    @Test func `bash completes subcommands, options and values`() async throws {
        #expect(try await bash([""]) == ["goto", "steer", "exec", "trajectory", "completion"])
        #expect(try await bash(["go"]) == ["goto"])
        #expect(try await bash(["trajectory", ""]) == ["check"])
        #expect(try await bash(["goto", "--re"]) == ["--relative"])
        #expect(try await bash(["goto", "1", "2", "3", "--js"]) == ["--json"])
        #expect(try await bash(["--link", ""]) == ["ssh", "tcp", "udp"])
        #expect(try await bash(["--link", "=", "u"]) == ["udp"])
        #expect(try await bash(["-l", "s"]) == ["ssh"])
        #expect(try await bash(["completion", "f"]) == ["fish"])
        #expect(try await bash(["--host", "go"]) == [])
        // A vehicle may have the name of a subcommand.
        #expect(try await bash(["--host", "goto", "tr"]) == ["trajectory"])
        #expect(try await bash(["--host", "=", "goto", "tr"]) == ["trajectory"])
        #expect(try await bash(["trajectory", "-l", "goto", ""]) == ["check"])
        #expect(try await bash(["trajectory", "check", "/etc/host"]).contains("/etc/hosts"))
    }

    @Test(.enabled(if: isInstalled("fish"), "fish is not installed"))
    func `fish completes subcommands, options and values`() async throws {
        func fish(_ line: String) async throws -> [String] {
            let lines = try await ask(
                .fish, ["--no-config"], "source $argv[1]; complete -C '\(line)'")
            return lines.map { String($0.prefix { $0 != "\t" }) }
        }
        #expect(try await fish("uavlink go") == ["goto"])
        #expect(try await fish("uavlink trajectory ") == ["check"])
        #expect(try await fish("uavlink goto --rel") == ["--relative"])
        #expect(try await fish("uavlink --link ").sorted() == ["ssh", "tcp", "udp"])
        #expect(try await fish("uavlink completion z") == ["zsh"])
        #expect(try await fish("uavlink --host goto tr") == ["trajectory"])
        #expect(try await fish("uavlink --host=goto tr") == ["trajectory"])
        #expect(try await fish("uavlink trajectory -l goto ") == ["check"])
    }

    @Test(.enabled(if: isInstalled("zsh"), "zsh is not installed"))
    func `zsh completes subcommands, options and values`() async throws {
        /// Types the line and a tab into a zsh on a pseudo-terminal and waits until it has made `completed` of it.
        func zsh(_ line: String, becomes completed: String) async throws {
            let question = """
                zmodload zsh/zpty
                zpty shell "TERM=dumb zsh -f -i"
                zpty -w shell "PS1=; autoload -Uz compinit; compinit -D; source $1; print rea''dy"
                zpty -r shell got '*ready*'
                zpty -w -n shell "\(line)"$'\\t'
                zpty -r shell got '*\(completed)*'
                zpty -d shell
                """
            _ = try await ask(.zsh, ["-f"], question)
        }
        try await zsh("uavlink traj", becomes: "trajectory")
        try await zsh("uavlink goto --rel", becomes: "--relative")
        try await zsh("uavlink --link=u", becomes: "--link=udp")
        try await zsh("uavlink --host a completion z", becomes: "completion zsh")
    }
}

private func isInstalled(_ program: String) -> Bool {
    ["/usr/bin/", "/bin/", "/usr/local/bin/", "/opt/homebrew/bin/"].contains {
        FileManager.default.isExecutableFile(atPath: $0 + program)
    }
}
