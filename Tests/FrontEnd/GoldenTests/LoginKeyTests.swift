@testable import LoginMode
@testable import Workspace
import Foundation
import ModeKit
import Testing
import UAVLink
import VehicleAccess

@testable import TextScreen

/// What keys and the mouse do on the log-in's screen.
@MainActor
@Suite("Keys of the log-in")
struct LoginKeyTests {
    private final class Sent { var intents: [LoginIntent] = [] }
    private let sent = Sent()

    private func screen(_ change: (inout LoginScreenState) -> Void = { _ in }) -> LoginScreen {
        let sent = sent
        let screen = LoginScreen { sent.intents.append($0) }
        var state = LoginScreenState()
        state.choices = [.thisMachine(vehicle: "uav1"), .simulator, .other]
        state.chosen = 2
        change(&state)
        screen.show(state)
        var canvas = Canvas(ScreenSize(rows: 19, columns: 80))
        Golden.draw(screen, on: &canvas, in: canvas.area)
        return screen
    }

    private func press(_ screen: LoginScreen, _ key: KeyEvent.Key, _ modifiers: KeyEvent.Modifiers = []) -> Bool {
        screen.handle(.key(KeyEvent(key, modifiers)))
    }

    @Test("Tab and arrows go through the fields, Enter logs in, Esc goes back")
    func moving() {
        let screen = screen()
        #expect(press(screen, .tab) && press(screen, .tab, .shift) && press(screen, .up) && press(screen, .down))
        #expect(press(screen, .enter))
        #expect(press(screen, .escape))
        #expect(sent.intents == [.moveFocus(1), .moveFocus(-1), .moveFocus(-1), .moveFocus(1), .logIn, .cancel])
    }

    @Test("letters go into the field, and Space and ? too")
    func typing() {
        let screen = screen()
        #expect(screen.takesText)
        for character in "a ?" { #expect(screen.handle(.key(.typed(character)))) }
        #expect(screen.handle(.paste("b\nc")))
        #expect(
            sent.intents == [
                .edit(.address, "a"), .edit(.address, "a "), .edit(.address, "a ?"), .edit(.address, "a ?b"),
            ])
    }

    @Test("what the form does not take does not stay on the screen")
    func refusedLetter() {
        let screen = screen { $0.focus = .port }
        #expect(screen.handle(.key(.typed("a"))))
        #expect(sent.intents == [.edit(.port, "22a")])
        var state = LoginScreenState()
        state.choices = [.thisMachine(vehicle: "uav1"), .simulator, .other]
        state.chosen = 2
        state.focus = .port
        screen.show(state)
        var canvas = Canvas(ScreenSize(rows: 19, columns: 80))
        Golden.draw(screen, on: &canvas, in: canvas.area)
        #expect(canvas.lines.contains { $0.contains("Port") } && !canvas.lines.contains { $0.contains("22a") })
    }

    @Test("an empty address says what it stands for: this machine only for an entry of this machine")
    func emptyAddress() {
        func address(_ change: (inout LoginScreenState) -> Void) -> String {
            let screen = screen {
                $0.focus = .vehicle
                change(&$0)
            }
            var canvas = Canvas(ScreenSize(rows: 19, columns: 80))
            Golden.draw(screen, on: &canvas, in: canvas.area)
            return canvas.lines.first { $0.contains("Address") } ?? ""
        }
        #expect(address { _ in }.contains("missing"))
        #expect(address { $0.chosen = 0 }.contains("this machine"))
        #expect(address { $0.form.link = .only(.ros) }.contains("ROS_MASTER_URI"))
        #expect(address { $0.form.link = .only(.sim) }.contains("not needed"))
    }

    @Test("the password is reported as a password, and drawn as dots")
    func password() {
        let screen = screen { $0.focus = .password }
        #expect(screen.handle(.key(.typed("x"))))
        #expect(sent.intents == [.editPassword(TypedPassword("x"))])
        var canvas = Canvas(ScreenSize(rows: 19, columns: 80))
        Golden.draw(screen, on: &canvas, in: canvas.area)
        #expect(canvas.lines.contains { $0.contains("Password") && $0.contains("•") })
    }

    @Test("in the list arrows choose and letters begin an address; Space and ? are the frame's")
    func list() {
        let screen = screen { $0.focus = .list }
        #expect(!screen.takesText)
        #expect(press(screen, .down) && press(screen, .up))
        #expect(screen.handle(.key(.typed("1"))))
        #expect(!screen.handle(.key(.typed(" "))) && !screen.handle(.key(.typed("?"))))
        #expect(sent.intents == [.moveChoice(1), .moveChoice(-1), .typeAddress("1")])
    }

    @Test("the link goes with the arrows, the box with Space")
    func choices() {
        let link = screen { $0.focus = .link }
        #expect(press(link, .left) && press(link, .right))
        let box = screen { $0.focus = .storePassword }
        #expect(box.handle(.key(.typed(" "))))
        #expect(sent.intents == [.changeLink(-1), .changeLink(1), .toggleStoring])
    }

    @Test("while a log-in goes on only Esc is taken, and it cancels")
    func cancelling() {
        let screen = screen { $0.isLoggingIn = true }
        #expect(!screen.takesText)
        #expect(press(screen, .escape))
        #expect(!press(screen, .enter) && !screen.handle(.key(.typed("a"))))
        #expect(sent.intents == [.cancel])
    }

    @Test("a question is answered with y or n, never with Enter")
    func question() {
        let screen = screen {
            $0.isLoggingIn = true
            $0.dialog = LoginDialog(title: "Trust?", paragraphs: ["p"], yes: "trust", no: "refuse")
        }
        #expect(press(screen, .enter))
        #expect(sent.intents.isEmpty)
        #expect(screen.handle(.key(.typed("y"))) && screen.handle(.key(.typed("n"))) && press(screen, .escape))
        #expect(sent.intents == [.yes, .cancel, .cancel])
    }

    @Test("the answer to a prompt is typed in its dialog, with every letter, sent by Enter and then forgotten")
    func entry() {
        func asking(isHidden: Bool) -> LoginScreen {
            self.screen {
                $0.isLoggingIn = true
                $0.dialog = LoginDialog(
                    title: "The server asks", paragraphs: ["Code:"], yes: "answer", no: "no log-in",
                    entry: LoginEntry(isHidden: isHidden, number: 1))
            }
        }
        func drawn(_ screen: LoginScreen) -> String {
            var canvas = Canvas(ScreenSize(rows: 19, columns: 80))
            Golden.draw(screen, on: &canvas, in: canvas.area)
            return canvas.lines.joined(separator: "\n")
        }
        let screen = asking(isHidden: true)
        #expect(screen.takesText && screen.openQuestion == "The server asks")
        #expect(screen.keys == [KeyHelp("Enter", "answer"), KeyHelp("Esc", "no log-in")])
        for character in "y n?" { #expect(screen.handle(.key(.typed(character)))) }
        #expect(screen.handle(.paste("7\nx")))
        #expect(drawn(screen).contains("•••••") && !drawn(screen).contains("y n?7"))
        #expect(press(screen, .enter) && press(screen, .enter) && press(screen, .escape))
        #expect(sent.intents == [.answer(TypedPassword("y n?7")), .answer(TypedPassword("")), .cancel])
        let visible = asking(isHidden: false)
        for character in "blue" { #expect(visible.handle(.key(.typed(character)))) }
        #expect(drawn(visible).contains("blue"))
    }

    @Test(arguments: [19, 11, 10, 9])
    func `what is asked is shown above its field, however long the server's text is, which scrolls`(rows: Int) {
        let instruction = "Welcome to this machine. Type the code of your token when you are asked for it."
        let asked = "password of otp@127.0.0.1 port 18922:"
        let screen = screen {
            $0.isLoggingIn = true
            $0.dialog = LoginDialog(
                title: "The server asks",
                paragraphs: [
                    "Two-factor authentication", instruction, "That was not accepted; try again.", asked,
                ], yes: "answer", no: "no log-in", entry: LoginEntry(isHidden: true, number: 1))
        }
        func drawn() -> String {
            var canvas = Canvas(ScreenSize(rows: rows, columns: 60))
            Golden.draw(screen, on: &canvas, in: canvas.area)
            return canvas.lines.joined(separator: "\n")
        }
        #expect(drawn().contains(asked), "\(drawn())")
        guard rows < 19 else { return #expect(drawn().contains("Two-factor")) }
        for _ in 0..<9 { #expect(press(screen, .up)) }
        #expect(drawn().contains("Two-factor"), "\(drawn())")
    }

    @Test("what failed is closed with Enter or Esc, and y means nothing")
    func failure() {
        let screen = screen { $0.dialog = LoginDialog(title: "No", paragraphs: ["p"]) }
        #expect(press(screen, .enter) && press(screen, .escape) && screen.handle(.key(.typed("y"))))
        #expect(sent.intents == [.cancel, .cancel])
    }

    @Test("a click goes to what it is on")
    func mouse() throws {
        let screen = screen()
        var canvas = Canvas(ScreenSize(rows: 19, columns: 80))
        Golden.draw(screen, on: &canvas, in: canvas.area)
        func click(_ text: String, _ shift: Int = 0) throws {
            let row = try #require(canvas.lines.firstIndex { $0.contains(text) })
            let line = canvas.lines[row]
            let column = line.distance(from: line.startIndex, to: try #require(line.range(of: text)).lowerBound)
            #expect(screen.handle(.mouse(MouseEvent(.press, row: row, column: column + shift))))
        }
        try click("Password")
        try click("simulator")
        try click("‹ auto")
        try click("Enter log in")
        #expect(sent.intents == [.focus(.password), .choose(1), .focus(.link), .changeLink(1), .logIn])
    }

    @Test("the last line names the keys of the field and the one that quits, also on a narrow terminal")
    func footer() {
        let own: [LoginField: String] = [
            .list: "↑ ↓ choose", .link: "← → choose", .storePassword: "Space toggle", .more: "Space toggle",
        ]
        for field in LoginField.allCases {
            let login = screen { $0.focus = field }
            #expect(login.keys.last == KeyHelp("F10", "quit"))
            let frame = WorkspaceScreen { _ in }
            frame.put(login)
            var state = WorkspaceState()
            state.mode = .login
            frame.show(state)
            var canvas = Canvas(ScreenSize(rows: 15, columns: 60))
            frame.draw(on: &canvas, in: canvas.area)
            let foot = canvas.lines.last ?? ""
            for words in ["Enter log in", own[field] ?? "Tab ↑ ↓ move", "F10 quit"] {
                #expect(foot.contains(words), "\(field): \(foot)")
            }
        }
    }

    @Test("a key that comes up does nothing")
    func release() {
        #expect(!screen().handle(.key(KeyEvent(.enter, phase: .release))))
        #expect(sent.intents.isEmpty)
    }
}
