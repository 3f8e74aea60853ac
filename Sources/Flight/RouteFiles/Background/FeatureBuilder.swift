internal import Geodesy
internal import UAVLink

/// Collects the features of a background file.
struct FeatureBuilder {
    var found = MapFeatures()
    private var corners = 0

    /// - Throws: an error without file and line when a limit is exceeded.
    mutating func append(_ feature: MapFeature) throws(RouteFileError) {
        guard found.features.count < MapFeatures.maximumFeatures else {
            throw RouteFileError("there are more than \(MapFeatures.maximumFeatures) features")
        }
        corners += feature.places.count
        guard corners <= MapFeatures.maximumCorners else {
            throw RouteFileError("the features have more than \(MapFeatures.maximumCorners) corners")
        }
        found.features.append(feature)
    }

    mutating func note(_ text: String) {
        let line = text.sanitizedLine
        if found.notes.count < RouteBuilder.maximumNotes, !found.notes.contains(line) { found.notes.append(line) }
    }
}
