import Testing

@testable import CompanionControl

@Suite struct LogoutPolicyTests {
    @Test(arguments: [
        ("b true\nas 1 \"root\"\nas 0\n", true), ("b false\nas 1 \"root\"\nas 0\n", false),
        ("b true\nas 2 \"root\" \"mrs\"\nas 0\n", false), ("b true\nas 1 \"root\"\nas 1 \"mrs\"\n", true),
        ("b true\nas 1 \"root\"\nas 1 \"guest\"\n", false), ("b true", true), ("", false),
        ("Failed to get property\n", false), ("b true\nas 99999999999999999999\n\"", true),
    ])
    func `what busctl prints is read`(text: String, ends: Bool) {
        #expect(LogoutPolicy.endsProcesses(text, user: "mrs") == ends)
    }

    @Test func `only a log-in whose end ends the companion is warned of`() {
        #expect(LogoutPolicy(endsProcesses: false, lingers: false).warning(user: "mrs") == nil)
        #expect(LogoutPolicy(endsProcesses: true, lingers: true).warning(user: "mrs") == nil)
        let strange = LogoutPolicy(endsProcesses: true, lingers: false).warning(user: "mrs;reboot")
        #expect(strange?.advice == "run it as a service (scripts/systemd)")
        let warning = LogoutPolicy(endsProcesses: true, lingers: false).warning(user: "mrs")
        #expect(warning?.advice.contains("loginctl enable-linger mrs") == true)
    }

    /// There logind is not even asked: a test's own log-in may be one of its sessions or not.
    @Test func `outside of logind's sessions nothing is ended`() {
        #expect(!LogoutPolicy(environment: [:]).endsProcesses)
    }
}
