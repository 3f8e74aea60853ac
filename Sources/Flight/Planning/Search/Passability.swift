internal import FlightVolume
internal import UAVLink

/// Which cell centres a vehicle's centre may be at, computed on first access.
final class Passability {
    let space: KnownSpace
    let grid: VoxelGrid
    let probe: ClearanceProbe
    /// Distance that every place of a path keeps from points and unknown space, metres.
    let clearance: Double
    /// Where the vehicle may fly, with the reserve of the search.
    let area: FlyableVolume?
    private let kinds: Block<UInt8>
    private let known: UnsafeMutablePointer<UInt8>
    private let blockedBelow: Int
    private let clearFrom: Int
    private let likelyFrom: Int
    private let clearCentreMetres: Double

    /// Not computed yet.
    static let unseen: UInt8 = 0
    /// The vehicle does not fit.
    static let blocked: UInt8 = 1
    /// It fits, but perhaps not on the way to a neighbour's centre.
    static let tight: UInt8 = 2
    /// It fits, also on the way to every neighbour that is clear.
    static let clear: UInt8 = 3

    init(_ space: KnownSpace) {
        self.space = space
        grid = space.grid
        probe = ClearanceProbe(space)
        clearance = space.body.clearanceMetres
        // A line between two centres at this distance from a point stays `clearance` away from it (Pythagoras, for the
        // longest step, the cell's diagonal).
        clearCentreMetres = (clearance * clearance + grid.halfDiagonal * grid.halfDiagonal).squareRoot()
        kinds = Block(grid.count, Self.unseen)
        known = kinds.base
        // The content of a cell is at most half a diagonal from its centre.
        clearFrom = Self.square((clearCentreMetres + grid.halfDiagonal) / grid.edge, .up)
        likelyFrom = Self.square(clearance / grid.edge, .up)
        blockedBelow = Self.square(max(0, clearance - grid.halfDiagonal) / grid.edge, .down)
        area = space.options.searchedArea
        closeBorder()
        if let inside = space.inside { close(outside: inside) }
        if let area { close(outside: area) }
    }

    @inline(__always)
    func kind(_ cell: Int) -> UInt8 {
        let kind = known[cell]
        return kind != Self.unseen ? kind : find(cell)
    }

    /// Whether the vehicle is likely to fit at a cell's centre, by the distance field.
    @inline(__always)
    func isLikelyOpen(_ cell: Int) -> Bool {
        Int(space.field.base[cell]) >= likelyFrom && known[cell] != Self.blocked
    }

    /// Whether the vehicle fits along the line between two neighbours' centres.
    @inline(__always)
    func canStep(_ from: Int, _ fromKind: UInt8, _ to: Int, _ toKind: UInt8) -> Bool {
        if fromKind == Self.clear && toKind == Self.clear { return true }
        return isOpen(grid.centre(index: from), grid.centre(index: to))
    }

    /// Whether the vehicle fits along a straight line.
    func isOpen(_ start: Place, _ end: Place) -> Bool {
        guard space.allows(start), space.allows(end) else { return false }
        var nearest = ClearanceProbe.Nearest(pointsWithin: clearance, unknownWithin: clearance)
        probe.look(from: start, to: end, &nearest, enough: clearance)
        guard nearest.least >= clearance else { return false }
        guard let area else { return true }
        return area.firstExit(from: space.world(start), to: space.world(end)) == nil
    }

    /// Distance from a cell's centre to the nearest point or unknown cell, metres, at most `limit`.
    ///
    /// A result below `enough` need not be exact.
    func freeRadius(_ cell: Int, limit: Double, enough: Double = -1) -> Double {
        var nearest = ClearanceProbe.Nearest(pointsWithin: limit, unknownWithin: limit)
        probe.look(at: cell, &nearest, enough: enough)
        return nearest.least
    }

    private func find(_ cell: Int) -> UInt8 {
        let square = Int(space.field[cell])
        var kind = Self.blocked
        if square >= clearFrom {
            kind = Self.clear
        } else if square >= blockedBelow {
            let freeRadius = freeRadius(cell, limit: clearCentreMetres, enough: clearance)
            kind = freeRadius >= clearCentreMetres ? Self.clear : freeRadius >= clearance ? Self.tight : Self.blocked
        }
        kinds.base[cell] = kind
        return kind
    }

    /// Cells at the border lack neighbours on one side; they are closed, so that steps need no bounds check.
    private func closeBorder() {
        let counts = grid.counts
        for z in 0..<counts.z {
            for y in 0..<counts.y {
                let isWhole = z == 0 || y == 0 || z == counts.z - 1 || y == counts.y - 1
                let row = grid.index(SIMD3(0, y, z))
                for x in isWhole ? Array(0..<counts.x) : [0, counts.x - 1] { kinds[row + x] = Self.blocked }
            }
        }
    }

    private func close(outside inside: RegionInside) {
        let counts = grid.counts
        for z in 0..<counts.z {
            for y in 0..<counts.y {
                let row = grid.index(SIMD3(0, y, z))
                for x in 0..<counts.x where !inside.contains(grid.centre(SIMD3(x, y, z))) {
                    kinds[row + x] = Self.blocked
                }
            }
        }
    }

    private func close(outside area: FlyableVolume) {
        let counts = grid.counts
        for y in 0..<counts.y {
            for x in 0..<counts.x {
                let column = space.world(grid.centre(SIMD3(x, y, 0)))
                // At a height within the area, which may have no lowest one.
                let level = Vector3(
                    x: column.x, y: column.y, z: min(max(column.z, area.minimumZMetres), area.maximumZMetres))
                let isInside = area.isInsideOutline(level) && area.distanceToSides(level) >= grid.halfDiagonal
                for z in 0..<counts.z {
                    let centre = Vector3(x: column.x, y: column.y, z: column.z + Double(z) * grid.edge)
                    let isInsideHeights = area.minimumZMetres <= centre.z && centre.z <= area.maximumZMetres
                    if !isInside || !isInsideHeights || area.distanceToObstacles(centre) < grid.halfDiagonal {
                        kinds[grid.index(SIMD3(x, y, z))] = Self.blocked
                    }
                }
            }
        }
    }

    /// The square of a distance in cells as a whole number; one that no integer can hold is greater than all others.
    private static func square(_ cells: Double, _ rule: FloatingPointRoundingRule) -> Int {
        Int(exactly: (cells * cells).rounded(rule)) ?? .max
    }
}
