package import ModeKit
internal import RouteKit
internal import PointCloud
internal import ReportKit
package import TextScreen

/// The indoor screen: the map with the route, a layer slider, a text panel, and dialogs.
@MainActor
package final class IndoorScreen: IndoorView, DialogScreen {
    /// The state, the dialog and the receiver of intents.
    package let head: DialogScreenHead<IndoorScreenState, IndoorIntent>
    private var held: Held?
    private var picture = Picture()

    /// Where the mouse button was pressed and is still held.
    private enum Held { case plot, slider }

    /// The map as rasterised; points are only drawn again when map, layer, camera or size change.
    private struct Picture {
        var dots = DotGrid(columns: 0, rows: 0)
        /// The height band of the highest point in each cell; empty if one layer is shown.
        var bands: [Int] = []
        var map: PlacedIndoorMap?
        var layer: Int?
        var camera: CloudCamera?

        /// This picture if it shows a state in an area, otherwise the one that does.
        func showing(_ state: IndoorScreenState, in area: ScreenArea) -> Self {
            let isSame =
                map == state.picture && layer == state.layer && camera == state.camera
                && dots.columns == area.columns && dots.rows == area.rows
            guard !isSame else { return self }
            var next = Self(
                dots: DotGrid(columns: area.columns, rows: area.rows), map: state.picture, layer: state.layer,
                camera: state.camera)
            guard let layers = state.picture?.layers else { return next }
            if let layer = state.layer, layers.ranges.indices.contains(layer) {
                CloudRasteriser.draw(layers.cloud, in: layers.ranges[layer], camera: state.camera, on: &next.dots)
            } else {
                next.drawBands(of: layers)
            }
            return next
        }

        /// Draws the cloud from the bottom up, and keeps for each cell which band was drawn last.
        private mutating func drawBands(of layers: HeightLayers) {
            bands = Array(repeating: 0, count: dots.cells.count)
            for band in 0..<HeightColors.bands {
                let range = HeightColors.layers(of: band, among: layers.count)
                guard let first = range.first, let last = range.last, let camera else { continue }
                var part = DotGrid(columns: dots.columns, rows: dots.rows)
                CloudRasteriser.draw(
                    layers.cloud, in: layers.ranges[first].lowerBound..<layers.ranges[last].upperBound, camera: camera,
                    on: &part)
                dots.add(part)
                for index in part.cells.indices where part.cells[index] != 0 { bands[index] = band }
            }
        }
    }

    /// A screen; `send` receives the user's intents.
    package init(send: @escaping (IndoorIntent) -> Void) { head = DialogScreenHead(send: send) }

    package var contentKeys: [KeyHelp] { IndoorKeys.help(state) }

    package var contentRefusals: [RefusedKey] { RouteKeyHelp(state.route).refused }

    /// Without a panel, what stands in it and in the lines below.
    package var details: [KeyHelp] {
        guard let area, IndoorLayout(area).route.panel == nil else { return [] }
        let map = [
            KeyHelp("map", state.title), KeyHelp("layer", state.layerText), KeyHelp("world", state.worldText),
        ].filter { !$0.action.isEmpty }
        return RouteStatusLines(state.route).details + map
    }

    /// The intent with the size of the plot.
    package func sized(_ area: ScreenArea) -> IndoorIntent {
        let plot = IndoorLayout(area).plot
        return .resize(columns: plot.columns, rows: plot.rows)
    }

    /// Rasterises the map.
    package func prepare() {
        if let area { picture = picture.showing(state, in: IndoorLayout(area).plot) }
    }

    // MARK: Drawing

    /// Draws the plot, the slider, the panel and the lines below.
    package func drawContent(on canvas: inout Canvas, in area: ScreenArea) {
        let layout = IndoorLayout(area)
        canvas.box(layout.route.frame, title: state.title)
        let picture = picture.showing(state, in: layout.plot)
        IndoorDrawing(state: state, area: layout.plot, dots: picture.dots, bands: picture.bands).draw(on: &canvas)
        drawEdge(on: &canvas, in: layout.route.frame)
        drawSlider(on: &canvas, in: layout.slider)
        if let panel = layout.route.panel {
            RoutePanel(state: state.route, area: panel, listsPoints: false).draw(on: &canvas)
        }
        if let elevation = layout.route.elevation {
            RouteElevation(state.route.points, state.route.elevation).draw(on: &canvas, in: elevation)
        }
        drawLines(on: &canvas, in: layout.route.lines, isAlone: layout.route.panel == nil)
    }

    /// Draws the scale bar, at the map's scale, and the kind of view into the frame's lower edge.
    private func drawEdge(on canvas: inout Canvas, in frame: ScreenArea) {
        let view =
            switch state.view {
            case .above: "from above"
            case .side: "from the side"
            case .free: "oblique"
            }
        canvas.writeRight(
            " \(view)\(state.route.followsVehicle ? ", following" : "") ", row: frame.rows - 1, margin: 2, in: frame)
        state.scaleBar.draw(metresPerColumn: 2 * state.camera.metresPerDot, reserved: 26, on: &canvas, in: frame)
    }

    /// Each row of the slider stands for the layer at its height; layers that are shown are filled.
    private func drawSlider(on canvas: inout Canvas, in area: ScreenArea) {
        guard let count = state.picture?.layers.count, area.rows > 0 else { return }
        for row in 0..<area.rows {
            let layer = Int(saturating: share(ofRow: row, in: area) * Double(count))
            let isShown = state.layer == nil || state.layer == layer
            let style: Style = state.layer == nil ? HeightColors.style(layer: layer, of: count) : .tone(.accent)
            canvas.write(isShown ? "█" : "│", row: row, in: area, isShown ? style : .muted)
        }
        // With more layers than rows, the selected layer may have no row of its own.
        if let layer = state.layer {
            let row = area.rows - 1 - (2 * layer + 1) * area.rows / (2 * count)
            canvas.write("█", row: min(max(row, 0), area.rows - 1), in: area, .tone(.accent))
        }
    }

    private func share(ofRow row: Int, in area: ScreenArea) -> Double {
        (Double(area.rows - 1 - row) + 0.5) / Double(max(1, area.rows))
    }

    private func drawLines(on canvas: inout Canvas, in area: ScreenArea, isAlone: Bool) {
        if let work = state.work {
            let percent = work.fraction > 0 ? " \(Int(saturating: work.fraction * 100)) %" : ""
            canvas.write(
                [
                    .init((work.text + percent).fitted(to: max(0, area.columns - 16)), .tone(.accent)),
                    .init("  Esc cancels", .muted),
                ],
                row: area.rows - 1, in: area)
        } else {
            canvas.write(lastLine(isAlone: isAlone, columns: area.columns), row: area.rows - 1, in: area, .muted)
        }
        if isAlone { RouteStatusLines(state.route).draw(on: &canvas, in: area) }
    }

    /// Layer, world and cursor, as far as they fit; the cursor only where no panel has it.
    private func lastLine(isAlone: Bool, columns: Int) -> String {
        let parts = [state.layerText, state.worldText, isAlone ? state.route.cursorLines.first ?? "" : ""]
            .filter { !$0.isEmpty }
        guard var line = parts.first else { return "" }
        for part in parts.dropFirst() where line.cells + 2 + part.cells <= columns { line += "  " + part }
        return line.shortened(to: columns)
    }

    // MARK: What the user does

    /// Handles a key; `false` when it has no meaning here.
    package func handle(_ key: KeyEvent) -> Bool {
        if key.isPress(of: .escape), state.work != nil {
            send(.cancelWork)
            return true
        }
        guard let intent = IndoorKeys.intent(key) else { return false }
        send(intent)
        return true
    }

    /// Handles the mouse; `false` when it has no meaning here.
    package func handle(_ mouse: MouseEvent) -> Bool {
        guard let layout = area.map({ IndoorLayout($0) }) else { return false }
        let isOnPlot = layout.plot.contains(row: mouse.row, column: mouse.column)
        let isOnSlider = layout.slider.contains(row: mouse.row, column: mouse.column)
        // The centre of the cell.
        let dot = IndoorDot(
            x: 2 * Double(mouse.column - layout.plot.column) + 1, y: 4 * Double(mouse.row - layout.plot.row) + 2)
        switch mouse.action {
        case .press where isOnPlot && (mouse.button == 2 || mouse.modifiers.contains(.control)): send(.place(dot))
        case .press where isOnPlot && mouse.button == 0:
            held = .plot
            send(.press(dot))
        case .press where isOnSlider && mouse.button == 0:
            held = .slider
            send(.slideTo(share(ofRow: mouse.row - layout.slider.row, in: layout.slider)))
        case .drag where held == .plot: send(.drag(dot))
        case .drag where held == .slider:
            send(.slideTo(share(ofRow: mouse.row - layout.slider.row, in: layout.slider)))
        case .release where held != nil:
            if held == .plot { send(.release) }
            held = nil
        case .wheelUp where isOnSlider: send(.moveLayer(1))
        case .wheelDown where isOnSlider: send(.moveLayer(-1))
        case .wheelUp where isOnPlot: send(.zoom(steps: 1, dot: dot))
        case .wheelDown where isOnPlot: send(.zoom(steps: -1, dot: dot))
        default: return false
        }
        return true
    }
}
