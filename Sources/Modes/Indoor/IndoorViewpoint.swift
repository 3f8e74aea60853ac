internal import FlightControl
internal import RouteKit
internal import PointCloud
internal import ReportKit
internal import UAVLink

/// The view of the map and the cursor in it; changed by the view's keys.
struct IndoorViewpoint {
    var kind: IndoorViewKind
    var camera: CloudCamera
    var cursor: Vector3
    /// The grid that the map is drawn on.
    var plot: DotGrid

    /// The zoom factor of one step.
    private static let zoomStep = 1.25
    /// The least distance of the cursor from the plot's edge, in dots.
    private static let edge = 4.0

    init(kind: IndoorViewKind, camera: CloudCamera?, cursor: Vector3, size: (columns: Int, rows: Int)) {
        self.kind = kind
        self.cursor = cursor
        // Until the size is known, that of an 80 x 24 terminal.
        plot =
            size.columns > 0 && size.rows > 0
            ? DotGrid(columns: size.columns, rows: size.rows) : DotGrid(columns: 56, rows: 16)
        self.camera = camera ?? CloudCamera(centre: cursor, metresPerDot: 0.05)
    }

    // MARK: The view

    mutating func look(_ kind: IndoorViewKind) {
        self.kind = kind
        camera.tiltRadians =
            switch kind {
            case .above: .pi / 2
            case .side: 0
            case .free: 0.6
            }
    }

    mutating func fit(_ bounds: CloudBounds?) {
        guard let bounds else { return }
        camera = CloudCamera(
            seeing: bounds, on: plot, turnRadians: camera.turnRadians, tiltRadians: camera.tiltRadians)
    }

    mutating func pan(columns: Int, rows: Int) {
        camera.pan(right: -2 * Double(columns), up: -4 * Double(rows))
    }

    mutating func zoom(steps: Int, around dot: IndoorDot?) {
        let at = dot ?? self.dot(of: cursor)
        var factor = 1.0
        for _ in 0..<min(abs(steps), 20) { factor *= steps > 0 ? Self.zoomStep : 1 / Self.zoomStep }
        camera.zoom(by: factor, x: at.x, y: at.y, on: plot)
    }

    /// Rotates about the vertical through the centre of the view.
    mutating func turn(degrees: Double) {
        let turned = (camera.turnRadians + Heading.radians(degrees: degrees)).remainder(dividingBy: 2 * .pi)
        camera.turnRadians = turned
    }

    /// Tilts the view; switches to the free view, as only that one can be tilted.
    mutating func tilt(degrees: Double) {
        if kind != .free { look(.free) }
        camera.tiltRadians = min(max(camera.tiltRadians + Heading.radians(degrees: degrees), 0.2), 1.4)
    }

    // MARK: Places

    func dot(of place: Vector3) -> IndoorDot {
        let dot = camera.dot(of: place, on: plot)
        return IndoorDot(x: dot.x, y: dot.y)
    }

    /// The position at a dot: at the height of `other`, or in the side view at its distance from the viewer.
    func place(at dot: IndoorDot, like other: Vector3) -> Vector3? {
        kind == .side
            ? camera.place(x: dot.x, y: dot.y, on: plot, asFarAs: other)
            : camera.place(x: dot.x, y: dot.y, on: plot, heightMetres: other.z)
    }

    /// The displacement for columns and rows: horizontal, or in the side view with rows vertical.
    func way(columns: Int, rows: Int) -> Vector3 {
        let dots = camera.metresPerDot
        let right = camera.axes.right * (2 * Double(columns) * dots)
        guard kind != .side else { return right + Vector3(x: 0, y: 0, z: 4 * Double(rows) * dots) }
        let ahead = Vector3(
            x: -Angles.sine(camera.turnRadians), y: Angles.cosine(camera.turnRadians), z: 0)
        // The tilt foreshortens the view: a row covers more ground.
        return right + ahead * (4 * Double(rows) * dots / max(0.2, Angles.sine(camera.tiltRadians)))
    }

    mutating func moveCursor(columns: Int, rows: Int) {
        cursor = cursor + way(columns: columns, rows: rows)
        showCursor()
    }

    /// Scrolls the view until the cursor is visible.
    mutating func showCursor() {
        let at = dot(of: cursor)
        let (width, height) = (Double(plot.width), Double(plot.height))
        let right = max(0, Self.edge - at.x) - max(0, at.x - (width - Self.edge))
        let down = max(0, Self.edge - at.y) - max(0, at.y - (height - Self.edge))
        if right != 0 || down != 0 { camera.pan(right: right, up: -down) }
    }

    /// A length of 1, 2 or 5 times a power of ten, at most a fifth of the plot.
    var scaleBar: ScaleBar {
        let wanted = Double(plot.width) * camera.metresPerDot / 5
        var unit = 1e-4
        while unit * 10 <= wanted { unit *= 10 }
        let metres = unit * (wanted >= 5 * unit ? 5 : wanted >= 2 * unit ? 2 : 1)
        let label =
            metres >= 1000
            ? "\(Self.short(metres / 1000)) km"
            : metres >= 1 ? "\(Self.short(metres)) m" : "\(Self.short(metres * 100)) cm"
        return ScaleBar(metres: metres, label: label)
    }

    private static func short(_ number: Double) -> String {
        let rounded = (number * 100).rounded() / 100
        return rounded == rounded.rounded() ? "\(Int(saturating: rounded))" : "\(rounded)"
    }
}
