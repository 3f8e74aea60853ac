import CommandLineKit
import Testing

/// Options of a program that mean nothing to one of its subcommands.
@Suite struct LeftOutTests {
    private static let host = Argument.option("host", .text.called("HOST"), help: "where it is")
    private static let json = Argument.flag("json", help: "print one JSON object")
    private static let program = Program(
        CommandSpec(
            "uavlink", summary: "command a vehicle", arguments: [host, json],
            subcommands: [
                CommandSpec("sim", summary: "a simulated vehicle", leftOut: [host]),
                CommandSpec(
                    "status", summary: "a summary that is much longer than what a terminal of forty columns shows",
                    discussion: "blackout=2s@10s,delay=20ms,jitter=5ms,loss=2%,reorder=1%,duplicate=1%"),
            ]), version: "1")

    @Test(arguments: [["sim", "--host", "a"], ["--host", "a", "sim"], ["--host=a", "sim", "--json"]])
    func `they are refused, wherever they stand`(words: [String]) throws {
        guard case .fail(let error) = Self.program.parse(words) else {
            Issue.record("not refused")
            return
        }
        #expect(error.description.contains("--host means nothing to 'uavlink sim'"))
    }

    @Test func `the others of the program are taken, and other subcommands take them all`() throws {
        guard case .run(let simulator) = Self.program.parse(["--json", "sim"]) else {
            Issue.record("refused")
            return
        }
        #expect(try simulator[Self.json])
        guard case .run(let status) = Self.program.parse(["status", "--host", "a"]) else {
            Issue.record("refused")
            return
        }
        #expect(try status[Self.host] == "a")
    }

    @Test func `help and completion do not have them`() throws {
        let help = try #require(Self.program.help(for: ["sim"]))
        #expect(!help.contains("--host") && help.contains("--json"))
        #expect(try #require(Self.program.help(for: ["status"])).contains("--host"))
    }

    @Test func `no completion script offers them`() throws {
        let bash = Self.program.completion(for: .bash)
        #expect(bash.contains("compgen -W '--json --help'"))
        let fish = Self.program.completion(for: .fish)
        #expect(fish.contains(#"= \'status\'' -l host"#))
        #expect(!fish.contains(#"= \'sim\'' -l host"#))
        let zsh = Self.program.completion(for: .zsh)
        let simulator = try #require(zsh.split(separator: "_uavlink__sim_command() {").dropFirst().first)
        #expect(!simulator.prefix { $0 != "}" }.contains("--host"))
    }

    @Test func `the manual page says which they are`() {
        let page = Self.program.manPage
        #expect(page.contains("They are valid for every command that does not exclude them.\n"))
        #expect(page.contains("\n.PP\nNot valid for it: \\fB\\-\\-host\\fR.\n"))
        #expect(page.split(separator: "Not valid for it").count == 2)
    }

    @Test func `title and long words keep to the width`() throws {
        let help = try #require(Self.program.help(for: ["status"], width: 40))
        for line in help.split(separator: "\n") { #expect(line.count <= 40, "\(line)") }
        #expect(help.contains("\n    much longer than"))
    }
}
