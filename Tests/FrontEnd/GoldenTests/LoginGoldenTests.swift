@testable import LoginMode
import Testing
import UAVLink
import VehicleAccess

@testable import TextScreen

@MainActor
@Suite("Golden screens of the log-in")
struct LoginGoldenTests {
    private static let hexa: VehicleProfile = {
        var profile = VehicleProfile(name: "hexa1")
        profile.host = "192.168.69.101"
        profile.user = "mrs"
        profile.passwordFile = "/passwords/hexa1"
        return profile
    }()
    private static let quad: VehicleProfile = {
        var profile = VehicleProfile(name: "quad-in-the-hall-with-a-long-name")
        profile.host = "quad.local"
        return profile
    }()

    /// The form with two saved vehicles.
    private static var filled: LoginScreenState {
        var state = LoginScreenState()
        state.choices = [.saved(hexa), .saved(quad), .thisMachine(vehicle: "uav1"), .simulator, .other]
        state.chosen = 0
        state.form = LoginForm(hexa, isSaved: true)
        state.focus = .list
        state.help = "↑ ↓ choose a vehicle, Enter logs in, Tab goes to the form; letters: new address"
        return state
    }

    private static var steps: LoginSteps {
        var steps = LoginSteps()
        let failure = LinkError(.timedOut, "no answer from the companion")
        for progress: ConnectProgress in [
            .began(.reach), .done(.reach), .began(.hostKey), .done(.hostKey), .began(.logIn), .done(.logIn),
            .trying(.udp), .began(.companion), .failed(.companion, failure), .abandoned(.udp, failure),
            .trying(.tcp), .began(.companion),
        ] { steps.take(progress) }
        return steps
    }

    private func check(_ state: LoginScreenState, _ name: String, _ size: GoldenSize) throws {
        let screen = LoginScreen { _ in }
        screen.show(state)
        try Golden.check(screen, name, size)
    }

    @Test("nothing configured", arguments: GoldenSize.allCases)
    func empty(_ size: GoldenSize) throws {
        var state = LoginScreenState()
        state.help = "name or address of the vehicle's computer; empty: the companion on this machine"
        state.advice = "no vehicle? run 'uavlink sim' in another terminal, or choose the simulator + Enter"
        try check(state, "login-empty", size)
    }

    @Test("saved vehicles", arguments: GoldenSize.allCases)
    func saved(_ size: GoldenSize) throws { try check(Self.filled, "login-saved", size) }

    @Test("a mistake in a field", arguments: GoldenSize.allCases)
    func mistake(_ size: GoldenSize) throws {
        var state = Self.filled
        state.form.port = "70000"
        state.form.password = TypedPassword("secret")
        state.focus = .port
        state.problem = LoginProblem(.port, "not a port: 1 to 65535, usually 22")
        try check(state, "login-mistake", size)
    }

    @Test("in progress: UDP did not get through, TCP is tried", arguments: GoldenSize.allCases)
    func progress(_ size: GoldenSize) throws {
        var state = Self.filled
        state.isLoggingIn = true
        state.steps = Self.steps
        try check(state, "login-progress", size)
    }

    @Test("the log-in was refused", arguments: GoldenSize.allCases)
    func failure(_ size: GoldenSize) throws {
        var state = Self.filled
        state.form.password = TypedPassword("secret")
        state.steps = Self.steps
        state.dialog = LoginDialog(
            title: "The log-in was refused",
            paragraphs: [
                "mrs@192.168.69.101 refused the log-in: tried password (refused), keyboard-interactive (not offered); "
                    + "the server offers publickey, password"
            ], advice: "check user and password")
        try check(state, "login-refused", size)
    }

    @Test("a host key to decide about", arguments: GoldenSize.allCases)
    func hostKey(_ size: GoldenSize) throws {
        var state = Self.filled
        state.isLoggingIn = true
        state.steps = Self.steps
        state.dialog = LoginDialog(
            title: "Do you trust this host?",
            paragraphs: [
                "192.168.69.101 presented an unknown host key.",
                "ssh-ed25519\nSHA256:TdnKs7EhvUoQRhjPiVxK0xL6R4Yr3Y8mV1yL0J1vQ5A",
            ], advice: "Compare it with the output of 'ssh-keygen -lf' for the key in /etc/ssh on the vehicle.",
            yes: "trust it and store its key", no: "no log-in")
        try check(state, "login-host-key", size)
    }

    @Test(
        "any size is drawn, and nothing from a file is obeyed",
        arguments: [
            (40, 12), (40, 8), (20, 5), (1, 1), (0, 0), (67, 19), (68, 19), (200, 60), (80, 12),
        ])
    func anySize(_ columns: Int, _ rows: Int) {
        var evil = VehicleProfile(name: "a\u{1B}[2Jb")
        evil.host = "h\u{202E}\n"
        for focus in LoginField.allCases {
            for isLoggingIn in [true, false] {
                var state = Self.filled
                state.choices.insert(.saved(evil), at: 0)
                state.focus = focus
                state.isLoggingIn = isLoggingIn
                state.steps = isLoggingIn ? Self.steps : nil
                state.dialog =
                    isLoggingIn ? LoginDialog(title: "t", paragraphs: [String(repeating: "w ", count: 900)]) : nil
                let screen = LoginScreen { _ in }
                screen.show(state)
                var canvas = Canvas(ScreenSize(rows: rows, columns: columns))
                Golden.draw(screen, on: &canvas, in: canvas.area)
                for line in canvas.lines { #expect(!line.contains("\u{1B}") && !line.contains("\u{202E}")) }
            }
        }
    }
}
