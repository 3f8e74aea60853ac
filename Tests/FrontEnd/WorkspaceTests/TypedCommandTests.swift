@testable import FlightControl
@testable import Workspace
import Testing
import UAVLink

@Suite("Flight commands as typed in the palette")
struct TypedCommandTests {
    private func parse(_ line: String) throws -> WorkspaceIntent {
        let command = try #require(TypedCommand(beginning: line))
        return try command.intent(of: line)
    }

    private func mistake(_ line: String) -> String? {
        do {
            _ = try parse(line)
            return nil
        } catch let mistake as TypedCommand.Mistake {
            return mistake.text
        } catch {
            return "not a command"
        }
    }

    @Test("a goto takes three numbers, a heading in degrees, and what they refer to")
    func goto() throws {
        #expect(
            try parse("goto 5 0 3")
                == .fly(.goTo(GoalInput(reference: .frame(.current), position: Vector3(x: 5, y: 0, z: 3)))))
        #expect(
            try parse("GOTO 2 -1.5 0 90 --body")
                == .fly(
                    .goTo(
                        GoalInput(reference: .body, position: Vector3(x: 2, y: -1.5, z: 0), headingRadians: .pi / 2))))
        #expect(
            try parse("goto --latlon 50.1 14.2 330")
                == .fly(
                    .goTo(
                        GoalInput(reference: .frame(.latitudeLongitude), position: Vector3(x: 50.1, y: 14.2, z: 330)))))
        #expect(
            try parse("goto --relative 0 0 1")
                == .fly(.goTo(GoalInput(reference: .relative, position: Vector3(x: 0, y: 0, z: 1)))))
    }

    @Test("altitude and heading take one number")
    func others() throws {
        #expect(try parse("altitude 5.5") == .fly(.altitude(5.5)))
        #expect(try parse("heading 180") == .fly(.heading(.pi)))
    }

    @Test("a recording may name its file, blanks in it too")
    func record() throws {
        #expect(try parse("record") == .record(""))
        #expect(try parse("record /tmp/my flight.bag") == .record("/tmp/my flight.bag"))
    }

    @Test(
        "a mistake names the word",
        arguments: [
            ("goto 5 0", "found 2 numbers"), ("goto 1 2 3 4 5", "found 5 numbers"),
            ("goto 1,5 0 3", "'1,5' is not a number"),
            ("goto a b c", "'a' is not a number"), ("goto 1 2 inf", "'inf' is not a number"),
            ("altitude", "found 0 numbers"),
            ("altitude nan", "'nan' is not a number"), ("goto 1 2 3 --bdy", "'--bdy' is not an option"),
            ("goto 0x10 0 3", "'0x10' is not a number"), ("altitude 0x1p3", "'0x1p3' is not a number"),
            ("altitude infinity", "'infinity' is not a number"), ("heading 361", "heading 361 is outside -360...360"),
            ("heading 1e308", "heading 1e308 is outside -360...360"),
            ("goto 1 2 3 -360.5", "heading -360.5 is outside -360...360"),
            ("goto 1 2 3 --body --latlon", "only one of them"), ("goto --latlon 91 0 100", "latitude"),
            ("goto --latlon 0 181 100", "longitude"), ("heading 1e999", "'1e999' is not a number"),
        ])
    func mistakes(_ line: String, _ expected: String) {
        #expect(mistake(line)?.contains(expected) == true, "\(mistake(line) ?? "accepted")")
    }

    @Test("only a whole first word is a command", arguments: ["gotox 1 2 3", "go 1 2 3", "", " "])
    func words(_ line: String) { #expect(TypedCommand(beginning: line) == nil) }
}
