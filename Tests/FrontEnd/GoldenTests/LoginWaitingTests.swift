@testable import LoginMode
import Testing

@testable import TextScreen

@MainActor
@Suite("The log-in while it waits")
struct LoginWaitingTests {
    @Test(arguments: [(0, "Logging in: Esc cancels"), (12, "Logging in, 12 s: Esc cancels")])
    func `the screen says for how long`(seconds: Int, title: String) {
        var state = LoginScreenState()
        (state.isLoggingIn, state.steps) = (true, LoginSteps())
        state.secondsWaited = seconds
        let screen = LoginScreen { _ in }
        screen.show(state)
        var canvas = Canvas(ScreenSize(rows: 24, columns: 80))
        Golden.draw(screen, on: &canvas, in: canvas.area)
        #expect(canvas.lines.contains { $0.contains(title) }, "\(canvas.lines)")
    }
}
