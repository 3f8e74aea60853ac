public import PointCloud

/// A map that is at hand: its points in layers, and where they came from.
public struct IndoorMap: Sendable {
    /// How a map is prepared.
    public struct Options: Hashable, Sendable {
        /// No two points nearer than this, metres; 0 keeps all.
        public var spacingMetres: Double
        /// How many layers.
        public var layers: Int
        /// Which heights the layers share out.
        public var range: HeightLayers.Range

        /// The seed's: all points in ten layers over the whole height.
        public init(
            spacingMetres: Double = 0, layers: Int = HeightLayers.usualCount, range: HeightLayers.Range = .full
        ) {
            self.spacingMetres = spacingMetres
            self.layers = layers
            self.range = range
        }
    }

    /// Where it came from: a path or a topic, as text from outside.
    public var source: String
    /// What kind of file it was.
    public var format: CloudFormat
    /// How many points the file had that were no place.
    public var droppedPoints: Int
    /// How many points it had before they were thinned.
    public var readPoints: Int
    /// The points, in layers.
    public var layers: HeightLayers
    /// The smallest box around them; absent when there are none.
    public var bounds: CloudBounds?

    /// The points; those of a layer stand together.
    public var cloud: PointCloud { layers.cloud }

    /// Prepares what was read: thins and cuts it. It computes for up to a tenth of a second for a million points.
    init(
        _ reading: CloudReading, source: String, _ options: Options, _ progress: CloudProgress
    ) throws(PointCloudError) {
        self.source = source
        format = reading.format
        droppedPoints = reading.droppedPoints
        readPoints = reading.cloud.count
        let kept = try reading.cloud.thinned(spacingMetres: options.spacingMetres, progress: progress)
        layers = try HeightLayers(kept, count: options.layers, range: options.range)
        bounds = kept.bounds
    }

    /// The same map, thinned further or cut otherwise.
    func prepared(_ options: Options, _ progress: CloudProgress) throws(PointCloudError) -> IndoorMap {
        var other = self
        let kept = try cloud.thinned(spacingMetres: options.spacingMetres, progress: progress)
        other.layers = try HeightLayers(kept, count: options.layers, range: options.range)
        other.bounds = kept.bounds
        return other
    }
}
