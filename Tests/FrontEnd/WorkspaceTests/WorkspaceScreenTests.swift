@testable import FlightControl
@testable import ModeKit
@testable import Workspace
import Foundation
import Testing
import TextScreen

@MainActor
@Suite("Keys in the frame")
struct WorkspaceScreenTests {
    private let content = FakeScreen()
    private let frame: WorkspaceScreen
    private let intents = Intents()

    @MainActor
    private final class Intents { var all: [WorkspaceIntent] = [] }

    init() {
        let intents = intents
        frame = WorkspaceScreen { intents.all.append($0) }
        frame.put(content)
    }

    @Test("a screen gets its area when it is opened and when the terminal changes, and is drawn there")
    func areas() {
        frame.resize(to: ScreenSize(rows: 24, columns: 80))
        frame.resize(to: ScreenSize(rows: 5, columns: 20))
        frame.resize(to: ScreenSize(rows: 40, columns: 120))
        let next = FakeScreen()
        frame.put(next)
        let large = ScreenArea(row: 2, rows: 36, columns: 120)
        #expect(content.areas == [ScreenArea(row: 2, rows: 20, columns: 80), large] && next.areas == [large])
        var canvas = Canvas(ScreenSize(rows: 40, columns: 120))
        frame.draw(on: &canvas, in: canvas.area)
        #expect(canvas.lines[large.row].hasPrefix("content"))
    }

    @Test("hover and emergency landing work whatever the screen takes", arguments: [true, false])
    func always(_ takesText: Bool) {
        content.takesText = takesText
        frame.handle(.key(KeyEvent(.function(7))))
        frame.handle(.key(KeyEvent(.function(8))))
        #expect(intents.all == [.hover, .emergencyLand])
        #expect(content.given.isEmpty)
    }

    @Test("hover works over a question and over the help, and so does letting go of a key")
    func overlays() {
        let release = InputEvent.key(KeyEvent(.character("w"), phase: .release))
        var state = WorkspaceState()
        state.confirmation = Confirmation(question: .quit, title: "Quit", text: "", action: "quit")
        frame.show(state)
        frame.handle(.key(KeyEvent(.function(7))))
        frame.handle(release)
        frame.handle(.key(.typed("w")))
        #expect(intents.all == [.hover])
        #expect(content.given == [release])
        frame.show(WorkspaceState())
        frame.handle(.key(KeyEvent(.function(1))))
        frame.handle(release)
        frame.handle(.key(KeyEvent(.function(7))))
        #expect(content.given == [release, release])
        #expect(intents.all == [.hover, .hover])
    }

    private func lines(rows: Int, columns: Int) -> [String] {
        frame.resize(to: ScreenSize(rows: rows, columns: columns))
        var canvas = Canvas(ScreenSize(rows: rows, columns: columns))
        frame.draw(on: &canvas, in: canvas.area)
        return canvas.lines
    }

    @Test("on the smallest terminal the help scrolls to its last line, and nothing of it is cut")
    func helpScrolls() {
        var state = WorkspaceState()
        (state.vehicle, state.link) = (VehicleBar(title: "uav1"), LinkBar(link: "udp"))
        state.history = [PastNotice(Notice(.information, "hover ..."), at: "0:00:59")]
        frame.show(state)
        frame.handle(.key(KeyEvent(.function(1))))
        var seen = lines(rows: 12, columns: 40).joined(separator: "\n")
        #expect(seen.contains("1-5 of") && !seen.contains("F10, Ctrl-C"), "\(seen)")
        for _ in 0..<40 {
            frame.handle(.key(KeyEvent(.down)))
            seen += lines(rows: 12, columns: 40).joined(separator: "\n")
        }
        #expect(seen.contains(" ↑ ↓, letters filter, Esc "), "\(seen)")
        #expect(seen.contains("time since the ") && seen.contains("│ start "))
        for text in ["does something", "(Space except in", "text fields)", "F10, Ctrl-C", "quit"] {
            #expect(seen.contains(text), "\(text)")
        }
        frame.handle(.key(KeyEvent(.home)))
        #expect(lines(rows: 12, columns: 40).contains { $0.contains("1-5 of") })
        frame.handle(.key(KeyEvent(.escape)))
        #expect(intents.all.isEmpty && content.given.isEmpty)
        #expect(!lines(rows: 12, columns: 40).contains { $0.contains("Esc closes") })
    }

    @Test("the help has no keys that do not act: without a vehicle, and over a shell")
    func helpFits() {
        var vehicle = VehicleBar(title: "uav1")
        (vehicle.position, vehicle.hasControlAuthority) = ("1/2", true)
        let all = HelpOverlay.everywhere(vehicle: vehicle, isShell: false)
        #expect(all.first?.keys == "F7, Space" && all.contains { $0.keys == "Ctrl-Z" })
        let bare = HelpOverlay.everywhere(vehicle: nil, isShell: false)
        #expect(!bare.contains { $0.keys.hasPrefix("F7") || $0.keys == "F12" } && bare.contains { $0.keys == "Esc" })
        let shell = HelpOverlay.everywhere(vehicle: vehicle, isShell: true)
        #expect(shell.map(\.keys) == ["F7", "F8", "F12", "Shift-F2", "F6", "F5", "F1", "Alt-1 to Alt-0", "F10"])
        // In a text field they are text.
        let text = HelpOverlay.everywhere(vehicle: vehicle, isShell: false, takesText: true)
        #expect(text.first == KeyHelp("F7", "hover") && text.count == all.count)
        #expect(!text.contains { $0.keys.contains("?") || $0.keys.contains(":") || $0.keys.contains("Space") })
        content.takesText = true
        frame.handle(.key(KeyEvent(.function(1))))
        #expect(!lines(rows: 40, columns: 80).contains { $0.contains("F1, ?") || $0.contains("F2, :") })
        let configured = HelpOverlay.everywhere(
            vehicle: vehicle, isShell: true, further: { $0 == .send(.hover) ? ["Ctrl-O"] : [] })
        #expect(configured.first == KeyHelp("F7, Ctrl-O", "hover") && configured.count == shell.count)
    }

    @Test("letters filter the help, Space hovers and closes it")
    func helpFilter() {
        var state = WorkspaceState()
        (state.vehicle, state.link) = (VehicleBar(title: "uav1"), LinkBar(link: "udp"))
        frame.show(state)
        content.takes = false
        frame.handle(.key(.typed("?")))
        _ = lines(rows: 24, columns: 80)
        for letter in "emerg" { frame.handle(.key(.typed(letter))) }
        let found = lines(rows: 24, columns: 80)
        #expect(found.contains { $0.contains("emergency landing") })
        #expect(!found.contains { $0.contains("redraw the screen") || $0.contains("does something") })
        frame.handle(.key(KeyEvent(.backspace)))
        #expect(lines(rows: 24, columns: 80).contains { $0.contains("Keys with 'emer'") })
        frame.handle(.key(.typed(" ")))
        #expect(intents.all == [.hover])
        #expect(!lines(rows: 24, columns: 80).contains { $0.contains("Esc closes") })
    }

    @Test("the mouse does not reach through the help or a question, but letting go of it does")
    func mouseUnderOverlays() {
        let (press, release) = (
            InputEvent.mouse(MouseEvent(.press, row: 5, column: 5)),
            InputEvent.mouse(MouseEvent(.release, row: 5, column: 5))
        )
        frame.handle(press)
        #expect(content.given == [press])
        frame.handle(.key(KeyEvent(.function(1))))
        _ = lines(rows: 12, columns: 40)
        frame.handle(press)
        frame.handle(release)
        #expect(content.given == [press, release])
        frame.handle(.mouse(MouseEvent(.wheelDown, row: 5, column: 5)))
        #expect(lines(rows: 12, columns: 40).contains { $0.contains("2-6 of") })
        frame.handle(.key(KeyEvent(.escape)))
        var state = WorkspaceState()
        state.confirmation = Confirmation(question: .quit, title: "Quit", text: "", action: "quit")
        frame.show(state)
        frame.handle(press)
        #expect(content.given == [press, release] && intents.all.isEmpty)
    }

    @Test("the help has all messages so far, the newest first, whole, and found by what is typed")
    func helpHistory() {
        content.takes = false
        var state = WorkspaceState()
        let long =
            "the vehicle refused goto: the goal is outside of the safety area, too high or too low, or in an unknown frame"
        state.history = [
            PastNotice(Notice(.error, long), at: "0:01:02"),
            PastNotice(Notice(.information, "hover ..."), at: "0:00:59"),
        ]
        frame.show(state)
        frame.handle(.key(.typed("?")))
        _ = lines(rows: 24, columns: 80)
        for letter in "messages," { frame.handle(.key(.typed(letter))) }
        let found = lines(rows: 24, columns: 80).joined(separator: "\n")
        #expect(found.contains("0:01:02") && found.contains("or in an unknown frame"), "\(found)")
        let (newer, older) = (found.firstRange(of: "0:01:02"), found.firstRange(of: "hover ..."))
        #expect(newer.flatMap { new in older.map { new.lowerBound < $0.lowerBound } } == true, "\(found)")
        for _ in 0..<9 { frame.handle(.key(KeyEvent(.backspace))) }
        for letter in "outside" { frame.handle(.key(.typed(letter))) }
        let filtered = lines(rows: 24, columns: 80).joined(separator: "\n")
        #expect(filtered.contains("safety area") && !filtered.contains("hover ..."), "\(filtered)")
    }

    @Test func `a narrow footer has what stops and the first key of the screen; over a question nothing else`() {
        var state = WorkspaceState()
        state.mode = .joystick
        state.vehicle = VehicleBar(title: "uav1")
        frame.show(state)
        func foot() -> String { lines(rows: 15, columns: 60).last ?? "" }
        for key in ["F7 hover", "F8 ", "? help", "z does something"] { #expect(foot().contains(key), "\(foot())") }
        content.isAsking = true
        for key in ["F7 hover", "F8 ", "z does something"] { #expect(foot().contains(key), "\(foot())") }
        #expect(!foot().contains("? help") && !foot().contains(": command"), "\(foot())")
    }

    @Test func `a click on a key of the last line presses it, but answers no question`() {
        frame.resize(to: ScreenSize(rows: 24, columns: 80))
        var state = WorkspaceState()
        state.mode = .joystick
        state.vehicle = VehicleBar(title: "uav1")
        frame.show(state)
        func click(_ words: String) {
            let foot = lines(rows: 24, columns: 80).last ?? ""
            guard let range = foot.range(of: words) else {
                Issue.record("no \(words) in \(foot)")
                return
            }
            let column = foot.distance(from: foot.startIndex, to: range.lowerBound)
            frame.handle(.mouse(MouseEvent(.press, row: 23, column: column)))
        }
        click("z does")
        click("does something")
        #expect(content.given == [.key(.typed("z")), .key(.typed("z"))])
        click("F7")
        #expect(intents.all == [.hover])
        frame.handle(.mouse(MouseEvent(.press, row: 23, column: 79)))
        #expect(content.given.count == 2)
        content.isAsking = true
        click("z does")
        click("hover")
        #expect(content.given.count == 2 && intents.all == [.hover, .hover])
    }

    @Test("Space hovers where the screen has no use for it and no text is typed; Esc goes back")
    func leftOver() {
        frame.handle(.key(.typed(" ")))
        #expect(intents.all.isEmpty)
        content.takes = false
        frame.handle(.key(.typed(" ")))
        frame.handle(.key(KeyEvent(.escape)))
        frame.handle(.key(KeyEvent(.character("c"), .control)))
        #expect(intents.all == [.hover, .back, .quit])
        content.takesText = true
        frame.handle(.key(.typed(" ")))
        frame.handle(.key(.typed("?")))
        #expect(intents.all == [.hover, .back, .quit])
    }

    @Test("a lost focus reaches the screen")
    func focus() {
        frame.handle(.focus(false))
        frame.handle(.focus(true))
        #expect(content.focus == [false, true])
    }
}
