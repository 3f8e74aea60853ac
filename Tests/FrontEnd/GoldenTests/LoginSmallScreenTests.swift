@testable import LoginMode
import ModeKit
import Testing
import UAVLink
import VehicleAccess

@testable import TextScreen

/// What the log-in's screen does with lists and texts that are longer than their places.
@MainActor
@Suite("The log-in on small screens")
struct LoginSmallScreenTests {
    private static let reason =
        "no answer from the companion at 192.168.69.101, port 7447, within 15 s; is it running, and is the port open?"

    private static var manyVehicles: LoginScreenState {
        var state = LoginScreenState()
        state.choices = (1...30).map { .saved(VehicleProfile(name: "hexa\($0)")) }
        (state.chosen, state.focus) = (0, .list)
        return state
    }

    private static var failed: LoginScreenState {
        var state = manyVehicles
        var steps = LoginSteps()
        for progress: ConnectProgress in [
            .began(.reach), .done(.reach), .trying(.udp), .began(.companion),
            .failed(.companion, LinkError(.timedOut, reason)),
        ] { steps.take(progress) }
        state.steps = steps
        return state
    }

    private func lines(_ state: LoginScreenState, _ rows: Int, _ columns: Int) -> [String] {
        let screen = LoginScreen { _ in }
        screen.show(state)
        var canvas = Canvas(ScreenSize(rows: rows, columns: columns))
        Golden.draw(screen, on: &canvas, in: canvas.area)
        return canvas.lines
    }

    @Test func `a list of vehicles that is longer than its box says how many more there are`() {
        var state = Self.manyVehicles
        #expect(lines(state, 20, 80).contains { $0.contains("▼ 13 more") })
        state.chosen = 20
        let middle = lines(state, 20, 80)
        #expect(middle[0].contains("▲ 4 more") && middle.contains { $0.contains("▼ 9 more") }, "\(middle)")
        // In a narrow terminal the list is one line.
        #expect(lines(state, 11, 60).contains { $0.contains("‹ hexa21 ›  21 of 30") })
    }

    @Test func `a form that is longer than its box says so`() {
        #expect(lines(Self.manyVehicles, 11, 60).contains { $0.contains("▼ 3 more") })
        var state = Self.manyVehicles
        state.choices = [.simulator, .other]
        #expect(!lines(state, 36, 120).contains { $0.contains(" more ") })
    }

    @Test func `of steps that do not fit, the one that runs or ended last is shown`() {
        var steps = LoginSteps()
        func shown() -> String {
            var canvas = Canvas(ScreenSize(rows: 2, columns: 60))
            LoginStepsDrawing(steps).draw(on: &canvas, in: canvas.area)
            return canvas.lines.joined(separator: " ")
        }
        for progress: ConnectProgress in [.began(.reach), .done(.reach), .began(.hostKey), .done(.hostKey)] {
            steps.take(progress)
        }
        #expect(shown().contains("✓ host key"))
        for progress: ConnectProgress in [.began(.logIn), .done(.logIn), .began(.companion)] { steps.take(progress) }
        #expect(shown().contains("… companion"))
        for progress: ConnectProgress in [.done(.companion), .began(.ros), .done(.ros)] { steps.take(progress) }
        #expect(shown().contains("✓ ROS"))
    }

    @Test func `the reason of a failed step is wrapped, in a larger box where there is one`() {
        let shown = lines(Self.failed, 36, 120).joined(separator: " ")
        for word in Self.reason.split(separator: " ") { #expect(shown.contains(word), "\(word)") }
        #expect(!shown.contains("F1: all of it"))
    }

    @Test func `where the reason does not fit, it ends with a word, and the frame says where the rest is`() {
        let shown = lines(Self.failed, 20, 80)
        #expect(shown.contains { $0.contains("✗ companion  no answer from the companion at …") }, "\(shown)")
        #expect(shown.contains { $0.contains("F1: all of it") })
    }

    @Test func `without a box below the form, help and problems stand in the last lines, whole`() {
        var state = Self.manyVehicles
        state.help = "name or address of the vehicle's computer; empty: the companion on this machine"
        let help = lines(state, 11, 60)
        #expect(help[9].contains("name or address") && help[10].contains("this machine"), "\(help)")
        state.problem = LoginProblem(.saveAs, "letters, digits, '-', '_' and '.' only")
        #expect(lines(state, 11, 60)[9].contains("✗ letters, digits, '-', '_' and '.' only"))
    }

    @Test(arguments: LoginField.allCases)
    func `without a box a field shows its own help, the list the advice for a new user`(_ field: LoginField) {
        var state = Self.manyVehicles
        (state.focus, state.help) = (field, "help of the field")
        state.advice = "no vehicle? run 'uavlink sim' in another terminal, or choose the simulator + Enter"
        let foot = lines(state, 11, 60).suffix(2).joined(separator: " ")
        #expect(foot.contains("help of the field") == (field != .list), "\(foot)")
        #expect(foot.contains("no vehicle?") == (field == .list), "\(foot)")
        // Where both fit, the one that matters more comes first.
        let both = lines(state, 11, 100).suffix(2)
        #expect(both.last?.contains(field == .list ? "help of the field" : "no vehicle?") == true, "\(both)")
        #expect(both.first?.contains(field == .list ? "no vehicle?" : "help of the field") == true, "\(both)")
    }

    @Test(arguments: LoginField.allCases)
    func `in the smallest terminal too, help and advice are whole`(_ field: LoginField) {
        for link in VehicleProfile.LinkChoice.words.compactMap(VehicleProfile.LinkChoice.init(word:)) {
            var state = Self.manyVehicles
            (state.focus, state.form.link) = (field, link)
            state.help = LoginText.help(field, state.form)
            state.advice = "no vehicle? run 'uavlink sim' in another terminal, or choose the simulator + Enter"
            // 12 lines without those of the frame.
            let foot = lines(state, 8, 40).suffix(3).map { $0.split(separator: " ").joined(separator: " ") }
                .filter { !$0.isEmpty }.joined(separator: " ")
            #expect(foot == (field == .list ? state.advice : state.help), "\(lines(state, 8, 40))")
        }
    }

    @Test func `while the steps of the last log-in are in the box, the help of a field stands below it`() {
        var state = Self.failed
        (state.focus, state.help) = (.port, "help of the field")
        #expect(lines(state, 20, 80).last?.contains("help of the field") == true)
    }

    @Test func `only the part with the focus has the triangle, so that it is seen without colours`() {
        var state = Self.manyVehicles
        func triangles() -> Int { lines(state, 20, 80).joined().count { $0 == "▸" } }
        #expect(lines(state, 20, 80).contains { $0.contains("▸ hexa1 ") } && triangles() == 1)
        state.focus = .port
        let inForm = lines(state, 20, 80)
        #expect(inForm.contains { $0.contains("• hexa1 ") } && inForm.contains { $0.contains("▸ Port") })
        #expect(triangles() == 1)
        state.dialog = LoginDialog(title: "It failed", paragraphs: ["reason"])
        #expect(triangles() == 0)
    }

    @Test func `advice that is too long for its line is wrapped`() {
        var state = Self.manyVehicles
        state.advice = "no vehicle? run 'uavlink sim' in another terminal, or choose the simulator + Enter"
        for (rows, columns) in [(20, 80), (11, 60)] {
            let shown = lines(state, rows, columns).joined(separator: " ")
            #expect(shown.contains("no vehicle?") && shown.contains("simulator") && shown.contains("Enter"))
            #expect(!shown.contains("E…"))
        }
    }

    @Test func `fields are as wide as there is space, and the help has what is cut all the same, but no password`() {
        let (companion, identity) = ("/home/mrs/uav/bin/uavlink-companion", "/home/mrs/.ssh/id_ed25519_field_laptop")
        var state = Self.manyVehicles
        (state.form.companion, state.form.identity, state.form.showsMore) = (companion, identity, true)
        state.form.password = TypedPassword(String(repeating: "secret", count: 20))
        let screen = LoginScreen { _ in }
        screen.show(state)
        let wide = lines(state, 36, 120).joined(separator: "\n")
        #expect(wide.contains(companion) && wide.contains(identity), "\(wide)")
        screen.resize(to: ScreenArea(rows: 36, columns: 120))
        #expect(screen.details.isEmpty, "\(screen.details)")
        let narrow = lines(state, 20, 80).joined(separator: "\n")
        #expect(narrow.contains("…ome/mrs") || narrow.contains("…me/mrs"), "\(narrow)")
        screen.resize(to: ScreenArea(rows: 20, columns: 80))
        #expect(screen.details == [KeyHelp("Key file", identity), KeyHelp("Companion", companion)])
    }

    @Test func `the help has the vehicles whose line in the list is cut`() {
        let name = "quad-in-the-hall-with-a-long-name"
        var state = Self.manyVehicles
        state.choices = [.saved(VehicleProfile(name: name)), .saved(VehicleProfile(name: "hexa")), .simulator, .other]
        let screen = LoginScreen { _ in }
        screen.show(state)
        for (rows, columns, words) in [(20, 80, "\(name), this machine"), (8, 40, "\(name), this machine")] {
            screen.resize(to: ScreenArea(rows: rows, columns: columns))
            #expect(screen.details == [KeyHelp("Vehicles", words)], "\(columns): \(screen.details)")
        }
    }

    @Test func `a wide terminal shows long values and entries whole, and without them list and form stay as wide`() {
        let setUp = "source /opt/ros/noetic/setup.bash; source ~/workspace/devel/setup.bash; export UAV_NAME=uav7"
        var quad = VehicleProfile(name: "hexacopter-number-seven-in-the-hall")
        let host = "seven.hall.example"
        quad.host = host
        var state = Self.manyVehicles
        func left(_ columns: Int) -> Int? {
            lines(state, 46, columns).first { $0.contains("┌") }?.prefix { $0 == " " }.count
        }
        #expect(left(120) == 8 && left(200) == 48)
        state.choices = [.saved(quad), .saved(VehicleProfile(name: "hexa")), .simulator, .other]
        let entry = lines(state, 36, 120).first { $0.contains(quad.name) }
        #expect(entry?.contains(host) == true, "\(lines(state, 36, 120))")
        (state.form.setup, state.form.showsMore) = (setUp, true)
        let wide = lines(state, 46, 200)
        #expect(wide.contains { $0.contains(setUp) } && wide.contains { $0.contains("\(quad.name)  ") }, "\(wide)")
        #expect(wide.contains { $0.contains(host) } && left(200) == 0)
        let screen = LoginScreen { _ in }
        screen.show(state)
        screen.resize(to: ScreenArea(rows: 46, columns: 200))
        #expect(screen.details.isEmpty, "\(screen.details)")
    }

    @Test func `the list has the same width whichever vehicle is chosen, and a detail without space is marked`() {
        var quad = VehicleProfile(name: "quad-" + String(repeating: "a", count: 35))
        let host = String(repeating: "b", count: 43)
        quad.host = host
        var state = Self.manyVehicles
        state.choices = [.saved(quad), .saved(VehicleProfile(name: "hexa")), .simulator, .other]
        func width() -> Int? {
            lines(state, 46, 200).first { $0.contains("Vehicles") }?.drop { $0 == " " }.prefix { $0 != "┐" }.count
        }
        let usual = width()
        #expect(usual == 89 && lines(state, 46, 200).contains { $0.contains(host) })
        (state.form.setup, state.form.showsMore) = (String(repeating: "c", count: 80), true)
        #expect(width() == usual && lines(state, 46, 200).contains { $0.contains(host) })
        // Two cells are left for the detail.
        quad.name = String(repeating: "a", count: 19)
        state.form.showsMore = false
        state.choices[0] = .saved(quad)
        let cut = lines(state, 46, 80).first { $0.contains(quad.name) }
        #expect(cut?.contains("b…") == true, "\(lines(state, 46, 80))")
    }

    @Test func `beside a problem there is the text that it is about`() {
        var state = Self.manyVehicles
        state.form.saveAs = "the hexacopter in the hall"
        (state.focus, state.problem) = (.saveAs, LoginProblem(.saveAs, "no blanks"))
        let shown = lines(state, 36, 120)
        #expect(shown.contains { $0.contains("the hexacopter in the hall  ✗ no blanks") }, "\(shown)")
    }

    @Test func `a question scrolls where it does not fit`() {
        var state = Self.manyVehicles
        state.dialog = LoginDialog(title: "It failed", paragraphs: (0..<20).map { "reason \($0)" })
        let screen = LoginScreen { _ in }
        screen.show(state)
        func text() -> String {
            var canvas = Canvas(ScreenSize(rows: 11, columns: 60))
            Golden.draw(screen, on: &canvas, in: canvas.area)
            return canvas.lines.joined(separator: "\n")
        }
        #expect(text().contains("reason 0") && text().contains("▼ ") && text().contains("Enter: close"))
        for _ in 0..<60 { #expect(screen.handle(.key(KeyEvent(.down)))) }
        #expect(text().contains("reason 19") && text().contains("▲ "), "\(text())")
    }
}
