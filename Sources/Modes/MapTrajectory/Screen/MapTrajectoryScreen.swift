package import ModeKit
internal import RouteKit
package import TextScreen

/// The map screen: the top view with the route, a text panel, and dialogs.
@MainActor
package final class MapTrajectoryScreen: MapTrajectoryView, DialogScreen {
    /// The state, the dialog and the receiver of intents.
    package let head: DialogScreenHead<MapTrajectoryScreenState, MapTrajectoryIntent>
    /// Whether the mouse button was pressed on the map and is still held.
    private var isDragging = false

    /// A screen; `send` receives the user's intents.
    package init(send: @escaping (MapTrajectoryIntent) -> Void) { head = DialogScreenHead(send: send) }

    package var contentKeys: [KeyHelp] { MapTrajectoryKeys.help(state) }

    package var contentRefusals: [RefusedKey] { RouteKeyHelp(state.route).refused }

    /// Without a panel, what stands in it and in the lines below.
    package var details: [KeyHelp] {
        guard let area, RouteLayout(area).panel == nil else { return [] }
        return RouteStatusLines(state.route).details + [KeyHelp("world", state.sessionLine)]
    }

    /// The intent with the size of the map.
    package func sized(_ area: ScreenArea) -> MapTrajectoryIntent {
        let map = RouteLayout(area).inside
        return .resize(columns: map.columns, rows: map.rows)
    }

    // MARK: Drawing

    /// Draws the map, the panel and the lines below.
    package func drawContent(on canvas: inout Canvas, in area: ScreenArea) {
        let layout = RouteLayout(area)
        let projection = MapProjection(viewport: state.viewport, area: layout.inside)
        canvas.box(layout.frame, title: state.route.followsVehicle ? "map, following the vehicle" : "map")
        drawScaleBar(projection, on: &canvas, in: layout.frame)
        MapDrawing(state: state, projection: projection).draw(on: &canvas)
        if let panel = layout.panel { RoutePanel(state: state.route, area: panel).draw(on: &canvas) }
        if let elevation = layout.elevation {
            RouteElevation(state.route.points, state.route.elevation).draw(on: &canvas, in: elevation)
        }
        drawLines(on: &canvas, in: layout.lines, isAlone: layout.panel == nil)
    }

    /// Draws the scale bar into the frame's lower edge, at the map's scale.
    private func drawScaleBar(_ projection: MapProjection, on canvas: inout Canvas, in frame: ScreenArea) {
        state.scaleBar.draw(metresPerColumn: projection.viewport.metresPerColumn, reserved: 6, on: &canvas, in: frame)
    }

    private func drawLines(on canvas: inout Canvas, in area: ScreenArea, isAlone: Bool) {
        canvas.write(Self.fitted(state.sessionLine, to: area.columns), row: area.rows - 1, in: area, .muted)
        if isAlone { RouteStatusLines(state.route).draw(on: &canvas, in: area) }
    }

    /// The line about the world without the words that it can do without, where it does not fit; it still says what it is about.
    static func fitted(_ line: String, to columns: Int) -> String {
        let start = "world: origin from "
        guard line.cells > columns, line.hasPrefix(start) else { return line.shortened(to: columns) }
        return ("world: " + line.dropFirst(start.count)).shortened(to: columns)
    }

    // MARK: What the user does

    /// Handles a key; `false` when it has no meaning here.
    package func handle(_ key: KeyEvent) -> Bool {
        guard let intent = MapTrajectoryKeys.intent(key) else { return false }
        send(intent)
        return true
    }

    /// The largest distance from a point, in columns, at which the mouse selects it.
    private static let reachColumns = 2.0

    /// Handles the mouse; `false` when it has no meaning here.
    package func handle(_ mouse: MouseEvent) -> Bool {
        guard let layout = area.map({ RouteLayout($0) }) else { return false }
        // Uses the newest viewport, even if not drawn yet: a drag moves it with every event.
        let projection = MapProjection(viewport: state.viewport, area: layout.inside)
        let place = projection.place(row: mouse.row, column: mouse.column)
        let isOnMap = projection.area.contains(row: mouse.row, column: mouse.column)
        switch mouse.action {
        case .press where isOnMap && (mouse.button == 2 || mouse.modifiers.contains(.control)): send(.place(place))
        case .press where isOnMap && mouse.button == 0:
            isDragging = true
            send(.press(place, withinMetres: projection.viewport.metresPerColumn * Self.reachColumns))
        case .press where mouse.button == 0: return pressPanel(mouse, layout.panel)
        case .drag where isDragging: send(.drag(place))
        case .release where isDragging:
            isDragging = false
            send(.release)
        case .wheelUp where isOnMap: send(.zoom(steps: 1, around: place))
        case .wheelDown where isOnMap: send(.zoom(steps: -1, around: place))
        default: return false
        }
        return true
    }

    /// A click on a point or finding of the list acts like a click at its position on the map.
    private func pressPanel(_ mouse: MouseEvent, _ panel: ScreenArea?) -> Bool {
        guard let panel, panel.contains(row: mouse.row, column: mouse.column),
            let place = RoutePanel(state: state.route, area: panel).place(atRow: mouse.row)
        else { return false }
        send(.press(place, withinMetres: 0.01))
        send(.release)
        return true
    }
}
