internal import ModeKit
internal import Geodesy
internal import RouteFiles
internal import UAVLink

/// Projects geographic positions into the world's metres.
enum BackgroundProjection {
    /// Projects features to shapes; positions outside the projection are left out. It takes about a second for a million corners,
    /// so it runs off the main actor.
    @concurrent
    static func shapes(_ features: MapFeatures, _ session: WorldSession) async -> [MapShape] {
        var shapes: [MapShape] = []
        shapes.reserveCapacity(features.features.count)
        for feature in features.features {
            if Task.isCancelled { return [] }
            let corners = feature.places.compactMap { place -> MapPlace? in
                guard let (x, y) = try? session.world(place), x.isFinite, y.isFinite else { return nil }
                return MapPlace(east: x, north: y)
            }
            guard !corners.isEmpty else { continue }
            shapes.append(
                MapShape(kind: feature.kind, isArea: feature.isArea, corners: corners, name: feature.name.sanitizedLine)
            )
        }
        return shapes
    }
}
