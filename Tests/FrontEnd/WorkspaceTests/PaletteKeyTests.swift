import FlightControl
import ModeKit
import Testing
import TextScreen
import UAVLink

@testable import Workspace

/// The keys that the palette offers, and what it finds of a recording that runs.
@MainActor
@Suite struct PaletteKeyTests {
    @MainActor
    private final class Intents { var all: [WorkspaceIntent] = [] }

    private let intents = Intents()
    private let frame: WorkspaceScreen
    private let size = ScreenSize(rows: 40, columns: 100)

    init() {
        let intents = intents
        frame = WorkspaceScreen { intents.all.append($0) }
    }

    /// What is drawn of a palette with a line.
    private func lines(_ line: String, isRecorded: Bool = false) -> [String] {
        var state = WorkspaceState()
        state.mode = .telemetry
        (state.vehicle, state.link) = (VehicleBar(title: "uav1"), LinkBar(link: "udp"))
        state.vehicle?.isRecorded = isRecorded
        frame.resize(to: size)
        frame.show(state)
        for character in ":" + line { frame.handle(.key(.typed(character))) }
        var canvas = Canvas(size)
        frame.draw(on: &canvas, in: canvas.area)
        return canvas.lines
    }

    @Test(arguments: [
        ("", "Enter runs it, Tab completes, ↑ ↓ choose, Esc closes", "Enter run  Esc close"),
        ("goto", "Enter completes, Esc closes", "Enter complete  Esc close"),
        ("goto 1 2 3", "Enter runs it, Esc closes", "Enter run  Esc close"), ("qqq", "Esc closes", "Esc close"),
    ])
    func `they are those that act on the line as it is`(line: String, words: String, keys: String) {
        let lines = lines(line)
        #expect(lines.contains { $0.contains("│ \(words) ") }, "\(lines)")
        #expect(lines.last?.hasSuffix("emergency  \(keys)") == true, "\(lines.last ?? "")")
    }

    @Test func `on a narrow terminal they are said in fewer words, and none is cut`() {
        _ = lines("")
        let narrow = ScreenSize(rows: 12, columns: 40)
        frame.resize(to: narrow)
        var canvas = Canvas(narrow)
        frame.draw(on: &canvas, in: canvas.area)
        #expect(canvas.lines.contains { $0.contains("│ Enter runs, Tab completes, ↑ ↓, Esc ") }, "\(canvas.lines)")
    }

    @Test func `a click on a row chooses it, Enter runs it, and a click beside the rows does nothing`() throws {
        let before = lines("open")
        let row = try #require(before.firstIndex { $0.contains("open Terminal") })
        let line = try #require(before.firstIndex { $0.contains(": open") })
        #expect(!before[row].contains("›"))
        func click(_ row: Int, button: Int = 0, column: Int = 50) -> [String] {
            frame.handle(.mouse(MouseEvent(.press, button: button, row: row, column: column)))
            var canvas = Canvas(size)
            frame.draw(on: &canvas, in: canvas.area)
            return canvas.lines
        }
        // The line itself, what its keys do, another button, and outside of the box.
        let last = try #require(before.firstIndex { $0.contains("Esc closes") })
        for lines in [click(line), click(last), click(row, button: 2), click(row, column: 2)] {
            #expect(lines == before)
        }
        let after = click(row)
        #expect(after[row].contains("› open Terminal") && after.count { $0.contains("›") } == 1, "\(after)")
        #expect(intents.all.isEmpty)
        frame.handle(.key(KeyEvent(.enter)))
        #expect(intents.all == [.open(.terminal)])
    }

    @Test(arguments: ["record", "record "])
    func `while a recording runs, to record finds its end`(line: String) {
        #expect(lines(line, isRecorded: true).contains { $0.contains("› stop recording") })
        frame.handle(.key(KeyEvent(.enter)))
        #expect(intents.all == [.stopRecording])
    }

    @Test func `with a file it says that it is recorded already, lists the end, and does not end it by Enter`() {
        let reason = "it is recorded already: stop recording first"
        let drawn = lines("record new.bag", isRecorded: true)
        #expect(
            drawn.contains { $0.contains(reason) } && drawn.contains { $0.contains("  stop recording") }, "\(drawn)")
        frame.handle(.key(KeyEvent(.enter)))
        #expect(intents.all.isEmpty)
        frame.handle(.key(KeyEvent(.down)))
        frame.handle(.key(KeyEvent(.enter)))
        #expect(intents.all == [.stopRecording])
        // Without one it begins.
        #expect(lines("record new.bag").contains { $0.contains("› record [FILE]") })
        frame.handle(.key(KeyEvent(.enter)))
        #expect(intents.all.last == .record("new.bag"))
    }
}
