import FlightControl
import ModeKit
import Testing
import UAVTestKit
import Workspace

/// How long a notice is shown.
extension WorkspaceTests {
    @Test func `a notice about a screen ends when the screen is left, and can be read again`() {
        let workspace = build()
        workspace.stage.open(.terminal)
        workspace.stage.say(Notice(.information, "a command is running; press Ctrl-C to end it"))
        timeSource.fake.advance(by: .seconds(1))
        workspace.presenter.refresh()
        #expect(view.shown.notice?.text == "a command is running; press Ctrl-C to end it")
        workspace.stage.goBack()
        #expect(view.shown.notice == nil && view.shown.history.count == 1)
    }

    @Test func `a result stays until it expires, whatever screen is open`() {
        let workspace = build()
        workspace.stage.open(.joystick)
        for notice in [
            Notice(.success, "uav1: landing done"), Notice(.error, "uav1: goto refused"),
            Notice(.warning, "uav1: battery low, 19 %", scope: .vehicle),
        ] {
            workspace.stage.say(notice)
            timeSource.fake.advance(by: .seconds(1))
            workspace.stage.open(.menu)
            #expect(view.shown.notice == notice)
        }
        timeSource.fake.advance(by: .seconds(7))
        workspace.presenter.refresh()
        #expect(view.shown.notice == nil)
    }

    @Test func `what is said while the screen changes belongs to the next one`() {
        let workspace = build()
        workspace.stage.open(.login)
        workspace.stage.say(Notice(.information, "already logged in to uav1"))
        workspace.stage.open(.menu)
        #expect(view.shown.notice?.text == "already logged in to uav1")
        timeSource.fake.advance(by: .seconds(1))
        workspace.stage.open(.telemetry)
        #expect(view.shown.notice == nil)
    }

    @Test func `by default successes and errors outlive their screen, information and warnings do not`() {
        let weights: [(Notice.Weight, Notice.Scope)] = [
            (.information, .screen), (.warning, .screen), (.success, .vehicle), (.error, .vehicle),
        ]
        for (weight, scope) in weights { #expect(Notice(weight, "x").scope == scope) }
        #expect(Notice(.error, "x", scope: .screen).scope == .screen)
    }
}
