import RouteFlight
import Statistics
import Statistics
import Testing
import Trajectories
import UAVLink
import UAVTestKit

@Suite("Editing a route")
struct RouteEditorTests {
    private func at(_ x: Double, _ y: Double = 0, _ z: Double = 5) -> PlannedPoint {
        PlannedPoint(position: Vector3(x: x, y: y, z: z))
    }

    private func xs(_ editor: RouteEditor) -> [Double] { editor.points.map(\.position.x) }

    @Test("Points go behind the chosen one, and the new one is chosen")
    func placing() {
        var editor = RouteEditor()
        #expect(editor.selection == nil)
        for x in [1.0, 2, 3] { editor.place(at(x)) }
        editor.select(0)
        editor.place(at(1.5))
        #expect(xs(editor) == [1, 1.5, 2, 3])
        #expect(editor.selection == 1)
        editor.insert(at(0), at: 0)
        editor.select(1)
        #expect(editor.insertHalfWay() == 2)
        #expect(xs(editor) == [0, 1, 1.25, 1.5, 2, 3])
        #expect(editor.place(at(.nan)) == nil)
        editor.select(nil)
        editor.place(at(9))
        #expect(xs(editor).last == 9)
    }

    @Test("Choosing goes round; what there is not is not chosen")
    func choosing() {
        var editor = RouteEditor([at(0), at(1), at(2)])
        editor.selectNext(-1)
        #expect(editor.selection == 2)
        editor.selectNext()
        #expect(editor.selection == 0)
        editor.select(3)
        #expect(editor.selection == nil)
        editor.selectNext(-1)
        #expect(editor.selection == 2)
        #expect(editor.nearest(xMetres: 1.2, yMetres: 0.1, within: 0.5) == 1)
        #expect(editor.nearest(xMetres: 1.2, yMetres: 9, within: 0.5) == nil)
    }

    @Test("A drag is one step; undo and redo go all the way")
    func undoing() {
        var editor = RouteEditor([at(0), at(1)])
        let start = editor
        for x in 1...20 { editor.move(1, to: Vector3(x: 1 + Double(x) * 0.1, y: 0, z: 5)) }
        editor.endGesture()
        editor.move(1, to: Vector3(x: 9, y: 0, z: 5))
        #expect(xs(editor) == [0, 9])
        editor.undo()
        #expect(xs(editor) == [0, 3])
        editor.undo()
        #expect(editor.points == start.points)
        #expect(!editor.canUndo)
        editor.undo()
        editor.redo()
        editor.redo()
        #expect(xs(editor) == [0, 9])
        #expect(!editor.canRedo)
        editor.undo()
        editor.setHold(seconds: 2)
        #expect(!editor.canRedo)
    }

    @Test("What a point says can be set, and nonsense cannot")
    func attributes() {
        var editor = RouteEditor([at(0), at(1)])
        editor.select(1)
        editor.setAltitude(metres: 7)
        editor.setHeading(.fixed(radians: 1))
        editor.setHold(seconds: 3)
        editor.setHold(seconds: -3)
        editor.setAltitude(metres: .infinity)
        editor.setCameraPitch(radians: -0.5)
        editor.setSnapshot(true)
        editor.nudge(by: Vector3(x: 0.5, y: 0, z: 0))
        let point = PlannedPoint(
            position: Vector3(x: 1.5, y: 0, z: 7), heading: .fixed(radians: 1), holdSeconds: 3,
            cameraPitchRadians: -0.5, takesSnapshot: true)
        #expect(editor.selected == point)
    }

    @Test("The revision changes with the points, and with nothing else")
    func revisions() {
        var editor = RouteEditor([at(0), at(1)])
        let before = editor.revision
        editor.selectNext()
        editor.setSnapshot(false)
        #expect(editor.revision == before)
        editor.deleteSelected()
        #expect(editor.revision == before + 1)
        editor.undo()
        #expect(editor.revision == before + 2)
    }

    @Test("Whatever is done, undo brings all of it back", arguments: 0..<50)
    func randomEdits(seed: Int) {
        var random = SeededRandom(seed: UInt64(seed) + 11)
        var editor = RouteEditor((0..<3).map { at(Double($0)) })
        var history = [editor.points]
        for _ in 0..<60 {
            let before = editor.points
            editor.endGesture()
            switch Int.random(in: 0..<9, using: &random) {
            case 0: editor.place(at(.random(in: 0...9, using: &random)))
            case 1: editor.deleteSelected()
            case 2: editor.nudge(by: Vector3(x: 0, y: 1, z: 0))
            case 3: editor.setAltitude(metres: .random(in: 1...9, using: &random))
            case 4: editor.setSnapshot(Bool.random(using: &random))
            case 5: editor.reverse()
            case 6: editor.insertHalfWay()
            case 7: editor.selectNext(Int.random(in: -2...2, using: &random))
            default: editor.clear()
            }
            if editor.points != before { history.append(editor.points) }
            #expect(editor.selection.map { editor.points.indices.contains($0) } ?? true)
        }
        for points in history.reversed() {
            #expect(editor.points == points)
            editor.undo()
        }
        #expect(!editor.canUndo)
    }

    @Test("A new point is told from its neighbours, not from the others: a route may come back to a place")
    func neighbours() {
        var editor = RouteEditor([at(0), at(1), at(2)])
        editor.select(0)
        #expect(editor.neighbour(at: at(0).position) == 0 && editor.neighbour(at: at(1).position) == 1)
        #expect(editor.neighbour(at: at(2).position) == nil)
        #expect(editor.neighbour(at: at(0).position + Vector3(x: 0, y: 0, z: 0.5)) == nil)
        editor.select(2)
        #expect(editor.neighbour(at: at(0).position) == nil)
        #expect(RouteEditor().neighbour(at: .zero) == nil)
    }

    @Test("A route keeps the number of its file through edits, undo and redo; a cleared one has none")
    func origin() {
        var editor = RouteEditor()
        editor.replace(with: [at(0), at(1)], origin: 1)
        editor.move(1, to: Vector3(x: 2, y: 0, z: 5))
        #expect(editor.origin == 1)
        // The same points of another file: nothing to undo, but not the same route.
        let revision = editor.revision
        editor.replace(with: editor.points, origin: 2)
        #expect(editor.origin == 2 && editor.revision == revision + 1)
        editor.replace(with: [at(7)], origin: 3)
        editor.clear()
        #expect(editor.origin == nil)
        editor.undo()
        #expect(editor.origin == 3)
        editor.undo()
        #expect(editor.origin == 2 && editor.origins == [1, 2, 3])
        editor.redo()
        #expect(editor.origin == 3)
    }
}
