@testable import FlightControl
import Testing
import UAVLink

@Suite("Names and reasons of pilots")
struct ControlAuthorityClientTests {
    @Test(
        "a name shows user and host",
        arguments: [
            ("anna", "laptop", "anna@laptop"), ("anna", "laptop.lab.example", "anna@laptop"),
            ("operator.of.hexa.number.one", "ground-station-2", "operator.of.hexa.number.one@ground-station-2"),
            ("", "", "unknown@unknown"), (" ", ".lab", "unknown@unknown"),
            ("an\u{1b}na", "lap\ntop", "an\u{241b}na@lap top"),
            // The short one leaves its bytes to the long one.
            ("anna", String(repeating: "h", count: 80), "anna@" + String(repeating: "h", count: 59)),
            (String(repeating: "u", count: 80), "lab", String(repeating: "u", count: 60) + "@lab"),
            (
                String(repeating: "u", count: 80), String(repeating: "h", count: 80),
                String(repeating: "u", count: 32) + "@" + String(repeating: "h", count: 31)
            ),
            // 3 bytes each.
            (
                String(repeating: "\u{20ac}", count: 80), String(repeating: "\u{20ac}", count: 80),
                String(repeating: "\u{20ac}", count: 11) + "@" + String(repeating: "\u{20ac}", count: 10)
            ),
        ])
    func names(user: String, host: String, name: String) throws {
        #expect(ControlAuthorityClient.name(user: user, host: host) == name)
        try ControlAuthorityRequest.take(name: name).validate()
    }

    @Test(arguments: [
        ("anna@laptop", true), ("anna@laptop #2", true), ("anna@laptop #12", true), ("anna@laptop #", false),
        ("anna@laptop #a", false), ("anna@lap #2", false), ("anna@laptops", false), ("ben@laptop", false), ("", false),
    ])
    func `a name with a number is the own one, too`(name: String, isOwn: Bool) {
        #expect(ControlAuthorityClient.isName(name, of: "anna@laptop") == isOwn)
    }

    @Test func `so is one that was shortened for its number`() {
        let own = "anna@" + String(repeating: "h", count: 59)
        #expect(ControlAuthorityClient.isName(String(own.prefix(61)) + " #2", of: own))
        #expect(!ControlAuthorityClient.isName("ben@" + String(repeating: "h", count: 57) + " #2", of: own))
    }

    @Test func `on a screen the key is named that takes over, and not the command`() {
        let message = "anna has had control authority for 3 s; 'uavlink control --take --reason TEXT' takes over"
        #expect(ControlAuthorityClient.onScreen(message) == "anna has had control authority for 3 s; F12 takes over")
        #expect(ControlAuthorityClient.onScreen("not flying") == "not flying")
    }

    @Test func `for scripts the way out stands apart from the refusal`() throws {
        let refusal =
            "the vehicle refused goto: anna has had control authority for 3 s; stop commands are always accepted"
        let parts = try #require(
            ControlAuthorityClient.refusalAndAdvice("\(refusal); \(ControlAuthorityRequest.takeOverAdvice)"))
        #expect(parts.refusal == refusal && parts.advice == ControlAuthorityRequest.takeOverAdvice)
        #expect(ControlAuthorityClient.refusalAndAdvice("not flying") == nil)
    }

    /// Of one letter with its marks there can be more bytes than a whole name has.
    @Test("whatever a user is called, he can take command", arguments: [1, 2, 16, 31, 32, 62, 63, 64, 65, 500])
    func anyName(marks: Int) throws {
        let letter = "a" + String(repeating: "\u{301}", count: marks)
        for part in [letter, letter + "nna", "anna" + letter, String(repeating: letter, count: 16)] {
            for other in ["", "lab", part] {
                for (user, host) in [(part, other), (other, part)] {
                    let name = ControlAuthorityClient.name(user: user, host: host)
                    try ControlAuthorityRequest.take(name: name).validate()
                    #expect(!name.hasPrefix("@") && !name.hasSuffix("@"))
                }
            }
        }
    }

    @Test("a reason is sanitized, fits, and is not empty")
    func reasons() {
        #expect(ControlAuthorityClient.reason(from: "a tree") == "a tree")
        #expect(ControlAuthorityClient.reason(from: "a\n\u{1b}") == "a \u{241b}")
        #expect(ControlAuthorityClient.reason(from: String(repeating: "n", count: 257))?.utf8.count == 256)
        for blank in ["", " ", "\t\n", "\u{a0}"] { #expect(ControlAuthorityClient.reason(from: blank) == nil) }
    }
}
