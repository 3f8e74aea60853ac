internal import FlightVolume
public import UAVLink

extension KnownSpace {
    /// The clearance of each segment of a path, in order; fast enough to run at every edit.
    public func clearances(alongPath path: [Vector3]) -> [SegmentClearance] {
        guard path.count > 1 else { return path.map { clearance(from: $0, to: $0) } }
        return (1..<path.count).map { clearance(from: path[$0 - 1], to: path[$0]) }
    }

    /// The clearance of a straight line between two places.
    public func clearance(from start: Vector3, to end: Vector3) -> SegmentClearance {
        clearance(alongSamples: [start, end])
    }

    /// The clearance of a place.
    public func clearance(at place: Vector3) -> SegmentClearance { clearance(alongSamples: [place]) }

    /// The clearance of a sampled trajectory as a whole: of the straight lines between consecutive samples.
    public func clearance(alongSamples samples: some RandomAccessCollection<Vector3>) -> SegmentClearance {
        let probe = ClearanceProbe(self)
        var nearest = ClearanceProbe.Nearest(
            pointsWithin: probe.reachMetres, unknownWithin: body.clearanceMetres + grid.edge)
        var isInsideMap = true
        var isInsideArea = true
        var isInsideRegion = true
        var obstacle: String?
        var previous: Vector3?
        for sample in samples {
            let before = previous ?? sample
            previous = sample
            guard sample.isFinite else {
                return SegmentClearance(metres: 0, nearestPoint: sample, isInsideMap: false, isInsideArea: false)
            }
            let (start, end) = (local(before), local(sample))
            if grid.contains(start), grid.contains(end) {
                probe.look(from: start, to: end, &nearest)
            } else {
                isInsideMap = false
                probe.scanAllPoints(from: start, to: end, &nearest)
            }
            if let inside, isInsideRegion {
                let slack = RegionInside.slack
                isInsideRegion = inside.contains(start, slack: slack) && inside.contains(end, slack: slack)
            }
            if let area = options.area, isInsideArea, let exit = area.firstExit(from: before, to: sample) {
                isInsideArea = false
                if case .obstacle(let index) = exit.border { obstacle = area.obstacles[index].name }
            }
        }
        if nearest.point == nil { scanFarPoints(samples, probe, &nearest) }
        return SegmentClearance(
            metres: nearest.point == nil ? .infinity : nearest.pointMetres, nearestPoint: nearest.point.map(world),
            unknownMetres: nearest.unknown == nil ? nil : nearest.unknownMetres,
            nearestUnknown: nearest.unknown.map(world), isInsideMap: isInsideMap, isInsideArea: isInsideArea,
            obstacle: obstacle, isInsideRegion: isInsideRegion)
    }

    /// Finds the nearest point when it is beyond the reach of the shells.
    private func scanFarPoints(
        _ samples: some RandomAccessCollection<Vector3>, _ probe: ClearanceProbe,
        _ nearest: inout ClearanceProbe.Nearest
    ) {
        nearest.pointMetres = .infinity
        var previous: Vector3?
        for sample in samples {
            probe.scanAllPoints(from: local(previous ?? sample), to: local(sample), &nearest)
            previous = sample
        }
    }
}
