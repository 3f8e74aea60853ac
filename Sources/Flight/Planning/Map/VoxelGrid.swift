internal import UAVLink

/// A position in metres relative to the cloud's origin, so that numbers stay small for any map coordinates.
typealias Place = SIMD3<Double>

extension SIMD3<Double> {
    init(_ vector: Vector3) { self.init(vector.x, vector.y, vector.z) }
    var vector: Vector3 { Vector3(x: x, y: y, z: z) }
    func dot(_ other: Self) -> Double { (self * other).sum() }
    var length: Double { dot(self).squareRoot() }
}

/// Where the vehicle's centre may be in a region: the region's border is closed like a wall.
struct RegionInside: Sendable {
    let low: Place
    let high: Place

    /// The lines of a path are rounded: one along the border must not be refused for that, metres.
    static let slack = 1e-6

    init(of region: MapOptions.Box, for body: VehicleBody, origin: Vector3) {
        low = Place(region.low - origin) + (body.clearanceMetres - Self.slack)
        high = Place(region.high - origin) - (body.clearanceMetres - Self.slack)
    }

    var isEmpty: Bool { low.x > high.x || low.y > high.y || low.z > high.z }

    /// The nearest place inside.
    func clamped(_ place: Place) -> Place {
        place.replacing(with: low, where: place .< low).replacing(with: high, where: place .> high)
    }

    /// A line between two places that it contains stays inside.
    func contains(_ place: Place, slack: Double = 0) -> Bool {
        let outside = place - clamped(place)
        return outside.dot(outside) <= slack * slack
    }

    /// Whether a cell is inside, or a part of it.
    func meetsCell(at centre: Place, edge: Double) -> Bool {
        let outside = centre - clamped(centre)
        return max(abs(outside.x), abs(outside.y), abs(outside.z)) <= edge / 2
    }
}

/// Cubic cells that fill a box.
struct VoxelGrid: Sendable {
    /// The corner with the smallest coordinates.
    let corner: Place
    /// Edge of a cell, metres.
    let edge: Double
    /// Cells along x, y and z.
    let counts: SIMD3<Int>

    /// Total number of cells.
    var count: Int { counts.x * counts.y * counts.z }
    /// Distance from a cell's centre to its corner, metres.
    var halfDiagonal: Double { edge * Self.unitHalfDiagonal }
    static let unitHalfDiagonal = 3.0.squareRoot() / 2

    var high: Place { corner + edge * Place(Double(counts.x), Double(counts.y), Double(counts.z)) }

    func contains(_ place: Place) -> Bool {
        let high = high
        return place.x >= corner.x && place.y >= corner.y && place.z >= corner.z && place.x < high.x && place.y < high.y
            && place.z < high.z
    }

    /// The cell that contains a place, or the nearest one.
    @inline(__always)
    func coordinates(_ place: Place) -> SIMD3<Int> {
        let cells = (place - corner) / edge
        return SIMD3(
            Self.clamped(cells.x, counts.x), Self.clamped(cells.y, counts.y), Self.clamped(cells.z, counts.z))
    }

    @inline(__always)
    private static func clamped(_ value: Double, _ count: Int) -> Int {
        value >= 0 ? (value < Double(count) ? Int(value) : count - 1) : 0
    }

    @inline(__always)
    func index(_ cell: SIMD3<Int>) -> Int { cell.x + counts.x * (cell.y + counts.y * cell.z) }

    @inline(__always)
    func coordinates(index: Int) -> SIMD3<Int> {
        let (rest, x) = index.quotientAndRemainder(dividingBy: counts.x)
        let (z, y) = rest.quotientAndRemainder(dividingBy: counts.y)
        return SIMD3(x, y, z)
    }

    @inline(__always)
    func centre(_ cell: SIMD3<Int>) -> Place {
        corner + edge * (Place(Double(cell.x), Double(cell.y), Double(cell.z)) + 0.5)
    }

    func centre(index: Int) -> Place { centre(coordinates(index: index)) }
}
