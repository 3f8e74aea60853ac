import RouteKit
@testable import MapTrajectoryMode
@testable import ModeKit
import Foundation
import RouteFlight
import Testing

@testable import TextScreen

/// What keys and the mouse do on the map.
@MainActor
@Suite("Keys of the map")
struct MapTrajectoryKeyTests {
    private final class Sent { var intents: [MapTrajectoryIntent] = [] }
    private let sent = Sent()

    private func screen(_ change: (inout MapTrajectoryScreenState) -> Void = { _ in }) -> MapTrajectoryScreen {
        let sent = sent
        let screen = MapTrajectoryScreen { sent.intents.append($0) }
        var state = MapSamples.planned
        change(&state)
        screen.show(state)
        draw(screen)
        #expect(sent.intents.popLast() == .resize(columns: 76, rows: 37))
        return screen
    }

    @discardableResult
    private func draw(_ screen: MapTrajectoryScreen, rows: Int = 40, columns: Int = 120) -> Canvas {
        var canvas = Canvas(ScreenSize(rows: rows, columns: columns))
        Golden.draw(screen, on: &canvas, in: canvas.area)
        return canvas
    }

    private func press(_ screen: MapTrajectoryScreen, _ key: KeyEvent.Key, _ modifiers: KeyEvent.Modifiers = []) -> Bool
    {
        screen.handle(.key(KeyEvent(key, modifiers)))
    }

    @Test("arrows move the cross, the point, the view")
    func arrows() {
        let screen = screen()
        #expect(
            press(screen, .left) && press(screen, .up, .control) && press(screen, .down, .shift)
                && press(screen, .right, .alt))
        #expect(
            sent.intents == [
                .route(.moveCursor(columns: -1, rows: 0)), .route(.moveCursor(columns: 0, rows: 4)),
                .route(.nudge(columns: 0, rows: -1)), .route(.pan(columns: 8, rows: 0)),
            ])
    }

    @Test("keys that are no letters")
    func others() {
        let screen = screen()
        #expect(press(screen, .enter) && press(screen, .delete) && press(screen, .backspace) && press(screen, .tab))
        #expect(press(screen, .tab, .shift) && press(screen, .pageUp) && press(screen, .pageDown, .shift))
        #expect(press(screen, .character("r"), .control))
        #expect(
            sent.intents == [
                .route(.placeAtCursor), .route(.deletePoint), .route(.deletePoint), .route(.selectNext(1)),
                .route(.selectNext(-1)), .route(.raise(metres: 1)), .route(.raise(metres: -0.1)), .route(.redo),
            ])
    }

    @Test(
        "letters",
        arguments: [
            ("+", MapTrajectoryIntent.zoom(steps: 1, around: nil)), ("-", .zoom(steps: -1, around: nil)),
            ("f", .route(.fit)), ("v", .route(.followVehicle)), ("n", .route(.nextFinding(1))),
            ("N", .route(.nextFinding(-1))), ("B", .toggleBackground), ("/", .ask(.goToPlace)),
            ("i", .route(.insertHalfWay)), ("u", .route(.undo)), ("U", .route(.redo)),
            ("H", .route(.nextHeadingRule)), ("<", .route(.turn(degrees: 15))), (">", .route(.turn(degrees: -15))),
            ("t", .route(.toggleSnapshot)), ("R", .route(.reverse)), ("C", .route(.clear)),
            ("a", .ask(.altitude)), ("d", .ask(.hold)), ("h", .ask(.heading)), ("c", .ask(.cameraPitch)),
            ("p", .ask(.speed)),
            ("k", .ask(.deviation)), ("o", .ask(.open)), ("w", .ask(.save)),
            ("b", .ask(.background)), ("W", .ask(.world)), ("O", .ask(.origin)), ("Z", .ask(.zone)),
            ("e", .route(.act(.send))), ("g", .route(.act(.goToStart))), ("s", .route(.act(.start))),
            ("x", .route(.act(.stop))), ("r", .route(.act(.resume))),
        ] as [(Character, MapTrajectoryIntent)])
    func letters(_ key: Character, _ intent: MapTrajectoryIntent) {
        #expect(screen().handle(.key(.typed(key))))
        // Terminals with the kitty protocol tell the letter and Shift.
        if key.isUppercase, let small = key.lowercased().first {
            #expect(screen().handle(.key(KeyEvent(.character(small), .shift, text: String(key)))))
            #expect(press(screen(), .character(small), .shift))
            #expect(sent.intents == [intent, intent, intent])
        } else {
            #expect(sent.intents == [intent])
        }
    }

    @Test("every question can be asked by a key, but for those that a file asks")
    func questions() {
        let screen = screen()
        for scalar in UnicodeScalar("!").value...UnicodeScalar("~").value {
            _ = UnicodeScalar(scalar).map { screen.handle(.key(.typed(Character($0)))) }
        }
        let ofFiles: [MapPromptKind] = [.missingAltitude, .missingGround, .missingFrame]
        for kind in MapPromptKind.allCases where !ofFiles.contains(kind) {
            #expect(sent.intents.contains(.ask(kind)), "\(kind)")
        }
    }

    @Test("Space, ?, Esc and the frame's keys stay the frame's; a release means nothing")
    func notOurs() {
        let screen = screen()
        #expect(!screen.takesText)
        #expect(!screen.handle(.key(.typed(" "))) && !screen.handle(.key(.typed("?"))) && !press(screen, .escape))
        #expect(!press(screen, .character("z"), .control) && !press(screen, .function(7)))
        #expect(!screen.handle(.key(KeyEvent(.enter, phase: .release))))
        #expect(sent.intents.isEmpty)
    }

    @Test("a question takes letters, Enter answers, Esc cancels")
    func prompt() {
        let screen = screen { $0.prompt = MapPrompt(.altitude, title: "Altitude", text: "8") }
        #expect(screen.takesText)
        // The value is selected: End keeps it.
        #expect(press(screen, .end))
        for character in " amsl?" { #expect(screen.handle(.key(.typed(character)))) }
        #expect(screen.handle(.paste("9\nx")))
        #expect(press(screen, .backspace))
        #expect(press(screen, .enter) && press(screen, .escape))
        #expect(sent.intents == [.answer("8 amsl?"), .cancelPrompt])
        #expect(!screen.handle(.mouse(MouseEvent(.press, row: 5, column: 5))))
    }

    @Test("a note does not take away what was typed; the next question begins anew")
    func nextPrompt() {
        let screen = screen { $0.prompt = MapPrompt(.altitude, title: "Altitude") }
        #expect(screen.handle(.key(.typed("x"))))
        var state = MapSamples.planned
        state.prompt = MapPrompt(.altitude, title: "Altitude", note: "found 'x', expected metres")
        screen.show(state)
        #expect(press(screen, .enter))
        state.prompt = MapPrompt(.hold, title: "Hold", text: "2")
        screen.show(state)
        #expect(press(screen, .enter))
        state.prompt = nil
        screen.show(state)
        state.prompt = MapPrompt(.hold, title: "Hold", text: "3")
        screen.show(state)
        #expect(press(screen, .enter))
        #expect(sent.intents == [.answer("x"), .answer("2"), .answer("3")])
    }

    @Test("a confirmation takes y and n, and Enter decides nothing")
    func confirmation() {
        let screen = screen { $0.confirmation = ConfirmationRequest(title: "Send?", facts: []) }
        #expect(press(screen, .enter))
        #expect(!screen.handle(.key(.typed("e"))) && !screen.handle(.key(.typed("F"))) && !screen.handle(.paste("y")))
        #expect(sent.intents.isEmpty)
        #expect(screen.handle(.key(.typed("y"))) && screen.handle(.key(.typed("n"))) && press(screen, .escape))
        #expect(sent.intents == [.confirm, .decline, .decline])
    }

    @Test("what failed a check needs F, not y")
    func force() {
        let screen = screen { $0.confirmation = ConfirmationRequest(title: "Send?", facts: [], needsForce: true) }
        #expect(!screen.handle(.key(.typed("y"))))
        #expect(screen.handle(.key(.typed("F"))) && press(screen, .character("f"), .shift))
        #expect(!screen.handle(.key(.typed("f"))))
        #expect(sent.intents == [.route(.force), .route(.force)])
        #expect(screen.keys.map(\.keys) == ["F", "n Esc"])
    }

    // MARK: Mouse

    /// The middle of the map's cells, where the view's centre lies half a cell off.
    private func cell(of place: MapPlace, _ screen: MapTrajectoryScreen) -> (row: Int, column: Int)? {
        MapProjection(viewport: MapSamples.planned.viewport, area: ScreenArea(row: 1, column: 1, rows: 37, columns: 76))
            .cell(place)
            .map { ($0.row + 1, $0.column + 1) }
    }

    @Test("a click selects or places the cross, a drag moves, the wheel zooms around the mouse")
    func mouse() throws {
        let screen = screen()
        let point = MapSamples.planned.route.points[2].place
        let at = try #require(cell(of: point, screen))
        for (action, row) in [
            (MouseEvent.Action.press, at.row), (.drag, at.row - 2), (.drag, 39), (.release, 39), (.drag, 3),
            (.release, 3),
        ] {
            _ = screen.handle(.mouse(MouseEvent(action, row: row, column: at.column)))
        }
        #expect(screen.handle(.mouse(MouseEvent(.wheelUp, row: at.row, column: at.column))))
        #expect(screen.handle(.mouse(MouseEvent(.wheelDown, row: at.row, column: at.column))))
        #expect(sent.intents.count == 6)
        guard case .press(let there, withinMetres: let reach) = sent.intents[0],
            case .drag(let dragged) = sent.intents[1],
            case .zoom(steps: 1, around: .some(let around)) = sent.intents[4]
        else {
            Issue.record("\(sent.intents)")
            return
        }
        // Within half a cell, which is 3 m wide and 6 m high here.
        #expect(abs(there.east - point.east) <= 1.5 && abs(there.north - point.north) <= 3)
        #expect(reach == 6)
        #expect(abs(dragged.north - there.north - 12) < 1e-9)
        #expect(sent.intents[3] == .release)
        #expect(around == there)
    }

    @Test("a drag counts in the newest view, drawn or not")
    func dragAhead() {
        let screen = screen()
        _ = screen.handle(.mouse(MouseEvent(.press, row: 10, column: 10)))
        var state = MapSamples.planned
        state.viewport.centre.east += 30
        screen.show(state)
        _ = screen.handle(.mouse(MouseEvent(.drag, row: 10, column: 10)))
        guard case .press(let before, withinMetres: _) = sent.intents[0], case .drag(let after) = sent.intents[1] else {
            Issue.record("\(sent.intents)")
            return
        }
        #expect(abs(after.east - before.east - 30) < 1e-9)
    }

    @Test("the right button and Ctrl place a point")
    func placing() {
        let screen = screen()
        #expect(screen.handle(.mouse(MouseEvent(.press, button: 2, row: 5, column: 5))))
        #expect(screen.handle(.mouse(MouseEvent(.press, row: 5, column: 5, modifiers: .control))))
        #expect(!screen.handle(.mouse(MouseEvent(.press, button: 1, row: 5, column: 5))))
        guard case .place(let one) = sent.intents.first, case .place(let other) = sent.intents.last else {
            Issue.record("\(sent.intents)")
            return
        }
        #expect(one == other)
    }

    @Test("a click into the list of points or findings goes to the place")
    func list() throws {
        let screen = screen { $0.route.findings = MapSamples.failed.route.findings }
        let lines = draw(screen).lines
        let row = try #require(lines.firstIndex { $0.contains(" 3→*") && $0.contains("45.0, 10.0") })
        #expect(screen.handle(.mouse(MouseEvent(.press, row: row, column: 90))))
        let finding = try #require(lines.firstIndex { $0.contains("✗ point 2") })
        #expect(screen.handle(.mouse(MouseEvent(.press, row: finding, column: 90))))
        #expect(!screen.handle(.mouse(MouseEvent(.press, row: 0, column: 90))))
        #expect(
            sent.intents == [
                .press(MapSamples.planned.route.points[2].place, withinMetres: 0.01), .release,
                .press(MapPlace(east: -8, north: 36), withinMetres: 0.01), .release,
            ])
    }

    @Test("clicks answer a confirmation, but never force one")
    func clickAnswers() throws {
        for needsForce in [false, true] {
            let screen = screen {
                $0.confirmation = ConfirmationRequest(title: "Send?", facts: [], needsForce: needsForce)
            }
            let lines = draw(screen).lines
            let row = try #require(lines.firstIndex { $0.contains(needsForce ? "F: force" : "y: yes") })
            let column = try #require(lines[row].firstIndex { $0 == "y" || $0 == "F" }).utf16Offset(in: lines[row])
            #expect(screen.handle(.mouse(MouseEvent(.press, row: row, column: column))))
            let no = try #require(lines[row].range(of: "n or Esc")).lowerBound.utf16Offset(in: lines[row])
            #expect(screen.handle(.mouse(MouseEvent(.press, row: row, column: no))))
        }
        #expect(sent.intents == [.confirm, .decline, .decline])
    }

    @Test("what is drawn is what the mouse hits, whatever the view")
    func projection() {
        for scale in [0.005, 0.3, 3, 10_000] {
            for size in [ScreenArea(row: 2, column: 3, rows: 7, columns: 20), ScreenArea(rows: 40, columns: 81)] {
                let projection = MapProjection(
                    viewport: MapViewport(centre: MapPlace(east: 1e4, north: -2e4), metresPerColumn: scale), area: size)
                for row in size.row..<size.row + size.rows {
                    for column in size.column..<size.column + size.columns {
                        let cell = projection.cell(projection.place(row: row, column: column))
                        #expect(cell?.row == row - size.row && cell?.column == column - size.column)
                    }
                }
            }
        }
    }
}
