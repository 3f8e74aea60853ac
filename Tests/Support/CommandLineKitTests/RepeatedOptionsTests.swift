import CommandLineKit
import Foundation
import Testing

/// The options that say which vehicle is meant, in the command lines that are printed for the user.
@Suite struct RepeatedOptionsTests {
    private static let vehicle = Argument.option("vehicle", .text, help: "which")
    private static let host = Argument.option("host", .text, help: "where")
    private static let uav = Argument.option("uav", .text, help: "its name")
    private static let config = Argument.option("config", .text, help: "the file")
    private static let place = Argument.optionalParameter("HOST", .text, help: "where")

    /// The names of the program's subcommands, from its sources: the words behind its name that are no prose.
    private static let names = subcommandNames()

    private static func options(_ words: String...) throws -> RepeatedOptions {
        let selection: [any ArgumentDeclaration] = [vehicle, host, uav, config]
        let others = Set(names).subtracting(["sim", "deploy"]).sorted().map { CommandSpec($0, summary: "") }
        let program = Program(
            CommandSpec(
                "uavlink", summary: "", arguments: selection,
                subcommands: [
                    CommandSpec("sim", summary: "", leftOut: [vehicle, host]),
                    CommandSpec("deploy", summary: "", arguments: [place]),
                ] + others, runsWithoutSubcommand: true), version: "1")
        guard case .run(let parsed) = program.parse(words) else { throw UsageError("not run", hint: "") }
        return RepeatedOptions(selection, of: parsed, in: program, placed: ["deploy": [vehicle, host]])
    }

    @Test(arguments: [
        (
            "; 'uavlink control --take --reason TEXT' takes over",
            "; 'uavlink --vehicle sim control --take --reason TEXT' takes over"
        ),
        ("'uavlink trajectory start FILE' checks that", "'uavlink --vehicle sim trajectory start FILE' checks that"),
        ("is it running? (uavlink doctor)", "is it running? (uavlink --vehicle sim doctor)"),
        ("see 'uavlink status'; uavlink land", "see 'uavlink --vehicle sim status'; uavlink --vehicle sim land"),
        ("start one: uavlink sim", "start one: uavlink sim"),
        ("try uavlink doctor.", "try uavlink --vehicle sim doctor."),
        ("fly it alone: uavlink --link sim mission", "fly it alone: uavlink --link sim mission"),
        ("'uavlink doctor --vehicle a' and", "'uavlink doctor --vehicle a' and"),
        ("install uavlink there", "install uavlink there"),
        ("at ~/bin/uavlink status.txt, my-uavlink land", "at ~/bin/uavlink status.txt, my-uavlink land"),
        ("uavlink status.txt", "uavlink status.txt"),
        ("uavlink deploy hexa1 --user mrs", "uavlink deploy hexa1 --user mrs"),
        ("'uavlink deploy' installs it", "'uavlink --vehicle sim deploy' installs it"),
        ("uavlink ", "uavlink "),
    ])
    func `a command line gets the vehicle of the one that was typed`(text: String, completed: String) throws {
        let options = try Self.options("--vehicle", "sim", "land")
        #expect(options.repeated(in: text) == completed)
        #expect(options.repeated(in: completed) == completed)
    }

    @Test func `all that was given is repeated, in a shell's words`() throws {
        let options = try Self.options("land", "--uav=uav2", "--host", "10.0.0.1", "--config", "my file")
        let selection = "--host 10.0.0.1 --uav uav2 --config 'my file'"
        #expect(options.repeated(in: "uavlink hover") == "uavlink \(selection) hover")
        #expect(options.repeated(in: "uavlink sim") == "uavlink --uav uav2 --config 'my file' sim")
        #expect(
            options.repeated(in: "uavlink deploy a@b --uav u") == "uavlink --config 'my file' deploy a@b --uav u")
    }

    @Test func `nothing is added to the command lines of the default vehicle`() throws {
        #expect(try Self.options("land").repeated(in: "see 'uavlink status'") == "see 'uavlink status'")
    }

    @Test func `every command line in the sources is completed, or names its vehicle itself`() throws {
        let options = try Self.options("--vehicle", "v", "land")
        // These mean no vehicle that is selected by options.
        let own = ["uavlink sim", "uavlink deploy HOST", "uavlink latency, nanoseconds"]
        var count = 0
        for (place, literal) in try Self.literals() {
            for part in literal.components(separatedBy: "uavlink ").dropFirst() {
                let word = String(part.prefix { $0.isLetter || $0 == "-" })
                let line = "uavlink " + part
                guard Self.names.contains(word), !own.contains(where: line.hasPrefix) else { continue }
                guard !line.hasPrefix("uavlink deploy \\(") else { continue }
                count += 1
                let completed = options.repeated(in: literal)
                #expect(completed.contains("uavlink --vehicle v \(word)"), "\(place): \(literal)")
            }
        }
        #expect(count > 20)
    }

    // MARK: The sources

    private static let sources = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../Sources").standardizedFileURL

    private static func texts(below folder: String) throws -> [(path: String, text: String)] {
        let root = sources.appending(path: folder)
        let paths = try FileManager.default.subpathsOfDirectory(atPath: root.path).filter { $0.hasSuffix(".swift") }
        return try paths.sorted().map { ($0, try String(contentsOf: root.appending(path: $0), encoding: .utf8)) }
    }

    private static func subcommandNames() -> [String] {
        let texts = (try? texts(below: "Programs/uavlink/Commands")) ?? []
        return texts.flatMap { $0.text.matches(of: /(?:CommandSpec\(\s*|name: )"([a-z-]+)"/).map { String($0.1) } }
    }

    /// String literals with the program's name in what is printed while it runs: without comments and examples of the help.
    private static func literals() throws -> [(place: String, literal: String)] {
        try ["Core", "Vehicles", "Links", "Flight", "Programs/uavlink"].flatMap { folder in
            try texts(below: folder).flatMap { path, text in
                text.components(separatedBy: "\n").flatMap { line -> [(String, String)] in
                    let line = line.trimmingCharacters(in: .whitespaces)
                    guard line.contains("uavlink "), !line.hasPrefix("//"), !line.hasPrefix(".init(\"uavlink") else {
                        return []
                    }
                    return line.matches(of: /"((?:[^"\\]|\\.)*uavlink [a-z](?:[^"\\]|\\.)*)"/).map {
                        ("\(folder)/\(path)", String($0.1))
                    }
                }
            }
        }
    }
}
