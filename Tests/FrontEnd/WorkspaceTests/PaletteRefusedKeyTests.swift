@testable import ModeKit
@testable import Workspace
import Testing
import TextScreen

/// A screen with a key that acts, and two that say why they do not.
@MainActor
private final class RefusingScreen: Screen {
    var needsFrame: (() -> Void)?
    var given: [InputEvent] = []
    let keys = [KeyHelp("o", "open")]
    let refusedKeys = [
        RefusedKey(KeyHelp("e", "send"), "the vehicle is not flying: take off first"),
        RefusedKey(KeyHelp("o", "open"), "a check fails"),
    ]

    func draw(on canvas: inout Canvas, in area: ScreenArea) {}
    func handle(_ event: InputEvent) -> Bool {
        given.append(event)
        return false
    }
}

@MainActor
@Suite("The command palette: keys of the screen that are not possible now")
struct PaletteRefusedKeyTests {
    private let content = RefusingScreen()
    private let frame = WorkspaceScreen { _ in }
    private let size = ScreenSize(rows: 40, columns: 100)

    init() {
        frame.resize(to: size)
        frame.put(content)
        var state = WorkspaceState()
        state.mode = .mapTrajectory
        state.vehicle = VehicleBar(title: "uav1")
        frame.show(state)
    }

    private func type(_ text: String) {
        for character in text { frame.handle(.key(.typed(character))) }
    }

    private func shows(_ text: String) -> Bool {
        var canvas = Canvas(size)
        frame.draw(on: &canvas, in: canvas.area)
        return canvas.lines.contains { $0.contains(text) }
    }

    @Test func `what the screen refuses is not listed, and typed it says why`() {
        type(":")
        #expect(!shows("send"))
        type("send")
        frame.handle(.key(KeyEvent(.enter)))
        #expect(shows("! the vehicle is not flying: take off first") && !shows("no action contains"))
        #expect(!content.given.contains(.key(.typed("e"))))
    }

    @Test func `a key that acts is run, whatever reason stands beside it`() {
        let items = PaletteItem.all(WorkspaceState(), content.keys, refused: content.refusedKeys)
        #expect(items.filter { $0.title == "open" && $0.place.isEmpty }.map(\.obstacle) == [nil])
        // It is said all the same.
        type(":open")
        #expect(shows("› open ") && shows("a check fails"))
        frame.handle(.key(KeyEvent(.enter)))
        #expect(content.given.last == .key(.typed("o")))
        #expect(items.filter { $0.title == "send" && $0.place.isEmpty }.map(\.isListed) == [false])
    }

    @Test func `what acts comes before a key that is refused, unless its name is typed whole`() {
        var state = WorkspaceState()
        state.mode = .mapTrajectory
        var vehicle = VehicleBar(title: "uav1")
        vehicle.isRecorded = true
        state.vehicle = vehicle
        let refused = [
            RefusedKey(KeyHelp("i", "insert half way"), "select a point first"),
            RefusedKey(KeyHelp("x", "stop"), "link lost: it would not reach the vehicle"),
        ]
        let items = PaletteItem.all(state, [], refused: refused)
        let expected: [(String, PaletteOverlay.Outcome)] = [
            ("in", .run(.send(.open(.indoor)))), ("insert", .changed), ("sto", .run(.send(.stopRecording))),
            ("stop", .changed),
        ]
        for (line, outcome) in expected {
            var palette = PaletteOverlay()
            for letter in line { _ = palette.handle(.typed(letter), items) }
            let entered = palette.handle(KeyEvent(.enter), items)
            #expect(entered == outcome, "\(line): \(entered)")
        }
    }
}
