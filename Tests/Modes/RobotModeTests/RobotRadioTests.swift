import ModeKit
import RobotMode
import Testing
import TextScreen
import UAVLink

@MainActor
@Suite("Robot radio") struct RobotRadioTests {
    private static let near = RobotBoard(address: "AA:BB:CC:DD:EE:01", name: "BlunoV2.0\u{1B}[2J", rssi: -52)
    private static let far = RobotBoard(address: "AA:BB:CC:DD:EE:02", name: "Bluno", rssi: -71)

    @Test func `boards are scanned for, chosen and left`() {
        let radio = FakeRadio()
        let bench = RobotModeBench(link: FakeRobotLink(ether: radio))
        bench.send(.scan)
        radio.change { $0.boards = [Self.near, Self.far] }
        bench.presenter?.look()
        #expect(bench.view.shown.radio?.isScanning == true && bench.view.shown.radio?.boards.count == 2)
        #expect(bench.view.shown.radio?.boards[0].action.contains("\u{1B}") == false)
        bench.send(.moveBoard(1))
        // The selection stays on its board.
        radio.change { $0.boards = [Self.far, Self.near] }
        bench.presenter?.look()
        #expect(bench.view.shown.radio?.selected == 0)
        bench.send(.choose, .endScan, .endScan)
        #expect(radio.asked == ["scan", "AA:BB:CC:DD:EE:02", "end", "leave"])
        bench.end()
        #expect(radio.asked.last == "end")
    }

    @Test func `a board is let go of before another one is chosen`() {
        let radio = FakeRadio()
        let bench = RobotModeBench(link: FakeRobotLink(ether: radio))
        radio.change { $0.boards = [Self.near] }
        bench.send(.press(.left))
        _ = bench.asked
        bench.send(.choose)
        #expect(bench.asked == ["release"])
        bench.end()
    }

    @Test func `what it does, and why not, are shown`() {
        let radio = FakeRadio()
        let bench = RobotModeBench(link: FakeRobotLink(ether: radio))
        bench.link.change { $0.phase = .closed }
        radio.change { $0.progress = "searching for AA:BB:CC:DD:EE:01" }
        bench.presenter?.look()
        #expect(bench.view.shown.indicator == .searching)
        #expect(bench.view.shown.connection == "searching for AA:BB:CC:DD:EE:01")
        radio.change { state in
            state.progress = nil
            state.problem = "BlueZ is not running"
        }
        bench.presenter?.look()
        #expect(bench.view.shown.indicator == .off && bench.view.shown.radio?.words == "BlueZ is not running")
        bench.end()
    }

    @Test func `keys and list are there with a radio only`() {
        var sent: [RobotIntent] = []
        let screen = RobotScreen(send: { sent.append($0) })
        var state = RobotScreenState()
        state.tab = .connection
        screen.show(state)
        _ = screen.handle(.key(KeyEvent(.character("x"))))
        #expect(sent.isEmpty && !screen.keys.contains { $0.action == "scan" })
        var radio = RobotRadioView()
        radio.boards = [KeyHelp("AA:BB:CC:DD:EE:01", "BlunoV2.0  -52 dBm")]
        radio.words = "scanning"
        state.radio = radio
        screen.show(state)
        for key: KeyEvent.Key in [.character("s"), .character("x"), .down, .enter] {
            _ = screen.handle(.key(KeyEvent(key)))
        }
        #expect(sent == [.scan, .endScan, .moveBoard(1), .choose])
        let size = ScreenSize(rows: 16, columns: 80)
        var canvas = Canvas(size)
        screen.draw(on: &canvas, in: ScreenArea(size))
        let text = canvas.lines.joined(separator: "\n")
        #expect(text.contains("AA:BB:CC:DD:EE:01  BlunoV2.0  -52 dBm") && text.contains("scanning"), "\(text)")
    }
}
