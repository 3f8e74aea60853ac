package import PointCloud
internal import UAVLink

extension CloudBounds {
    /// Whether the coordinates are UTM eastings and northings: no building is that far from a local origin.
    package var isUTM: Bool {
        (50_000...1_000_000).contains(minimum.x) && (10_000...10_000_000).contains(minimum.y)
    }

    /// The altitude of `world_origin` that is in the heights of a map, metres: 0 if they are local. They are taken as above
    /// sea level if the lowest point is nearer to that altitude than to 0.
    ///
    /// - Parameter origin: altitude of `world_origin` above sea level, metres; `nil`: not known.
    package func altitudeIncluded(of origin: Double?) -> Double {
        guard let origin, (minimum.z - origin).magnitude < minimum.z.magnitude else { return 0 }
        return origin
    }
}

/// A loaded map: its points in layers, and its source.
package struct IndoorMap: Sendable {
    /// How a map is prepared.
    package struct Options: Hashable, Sendable {
        /// Minimum distance between two points, metres; 0 keeps all points.
        package var spacingMetres: Double
        /// Number of layers.
        package var layers: Int
        /// The height range that is divided into layers.
        package var range: HeightLayers.Range

        /// The defaults: all points, in ten layers over the whole height.
        package init(
            spacingMetres: Double = 0, layers: Int = HeightLayers.defaultCount, range: HeightLayers.Range = .full
        ) {
            self.spacingMetres = spacingMetres
            self.layers = layers
            self.range = range
        }
    }

    /// The source, a path or a topic; untrusted text.
    package var source: String
    /// The format of the file.
    package var format: CloudFormat
    /// Number of points in the file without valid coordinates.
    package var droppedPoints: Int
    /// What is in doubt about how the file was read.
    package var notes: [String]
    /// Number of valid points before thinning.
    package var readPoints: Int
    /// The points, in layers.
    package var layers: HeightLayers
    /// Bounding box of the points; `nil` when there are none.
    package var bounds: CloudBounds?

    /// The points, ordered by layer.
    package var cloud: PointCloud { layers.cloud }

    /// Thins the points that were read and splits them into layers; up to 0.1 s for a million points.
    init(
        _ reading: CloudReading, source: String, _ options: Options, _ progress: CloudProgress
    ) throws(PointCloudError) {
        self.source = source
        format = reading.format
        droppedPoints = reading.droppedPoints
        notes = reading.notes
        readPoints = reading.cloud.count
        let kept = try reading.cloud.thinned(spacingMetres: options.spacingMetres, progress: progress)
        layers = try HeightLayers(kept, count: options.layers, range: options.range)
        bounds = kept.bounds
    }

    /// The same map, thinned further or split into other layers.
    func prepared(_ options: Options, _ progress: CloudProgress) throws(PointCloudError) -> IndoorMap {
        var other = self
        let kept = try cloud.thinned(spacingMetres: options.spacingMetres, progress: progress)
        other.layers = try HeightLayers(kept, count: options.layers, range: options.range)
        other.bounds = kept.bounds
        return other
    }
}
