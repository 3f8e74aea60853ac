import FlightControl
import ModeKit
import Testing
import TextScreen
import UAVLink

@testable import Workspace

/// The keys that the palette offers.
@MainActor
@Suite struct PaletteKeyTests {
    private let frame = WorkspaceScreen { _ in }
    private let size = ScreenSize(rows: 40, columns: 100)

    /// What is drawn of a palette with a line.
    private func lines(_ line: String) -> [String] {
        var state = WorkspaceState()
        state.mode = .telemetry
        (state.vehicle, state.link) = (VehicleBar(title: "uav1"), LinkBar(link: "udp"))
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
}
