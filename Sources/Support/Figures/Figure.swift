/// A chart: a title, two axes and series of points between them. A value; ``SVG`` and ``PNG`` write it.
public struct Figure: Hashable, Sendable {
    /// What stands above it.
    public var title: String
    /// The axis to the right.
    public var x: Axis
    /// The axis upwards.
    public var y: Axis
    /// What is drawn, the first at the bottom.
    public var series: [Series]
    /// Whether a unit is as long to the right as upwards: for maps.
    public var hasEqualAspect: Bool
    /// Points (1/72 inch) and pixels alike, from 200 to 4000.
    public var width: Int
    /// Points (1/72 inch) and pixels alike, from 150 to 4000.
    public var height: Int

    /// A chart.
    public init(
        title: String, x: Axis, y: Axis, series: [Series], hasEqualAspect: Bool = false, width: Int = 800,
        height: Int = 600
    ) {
        self.title = title
        self.x = x
        self.y = y
        self.series = series
        self.hasEqualAspect = hasEqualAspect
        self.width = min(max(width, 200), 4000)
        self.height = min(max(height, 150), 4000)
    }
}

/// An axis of a chart.
public struct Axis: Hashable, Sendable {
    /// How values become lengths.
    public enum Scale: Hashable, Sendable {
        /// Evenly.
        case linear
        /// Each decade as long as the next; values of 0 and less are not drawn.
        case logarithmic
        /// For shares from 0 to 1 whose end matters: 0.9, 0.99 and 0.999 stand as far apart as 0 and 0.9. Shares of 1 and more
        /// stand at the end of the axis.
        case tail
    }

    /// A place on an axis with a text of one's own.
    public struct Tick: Hashable, Sendable {
        /// Where.
        public var value: Double
        /// What stands there.
        public var label: String

        /// A place.
        public init(_ value: Double, _ label: String) {
            self.value = value
            self.label = label
        }
    }

    /// What is on it, with its unit: `east (m)`.
    public var label: String
    /// How values become lengths.
    public var scale: Scale
    /// From where to where; `nil` fits what is drawn.
    public var range: ClosedRange<Double>?
    /// Places with texts of one's own, names of bars for instance; `nil` counts evenly.
    public var ticks: [Tick]?

    /// An axis.
    public init(_ label: String, scale: Scale = .linear, range: ClosedRange<Double>? = nil, ticks: [Tick]? = nil) {
        self.label = label
        self.scale = scale
        self.range = range
        self.ticks = ticks
    }
}

/// A series of points of a chart.
public struct Series: Hashable, Sendable {
    /// How it is drawn.
    public enum Style: Hashable, Sendable {
        /// A line from point to point; one that is not finite breaks it.
        case line
        /// The same with dashes.
        case dashed
        /// A mark at each point.
        case marks
        /// Level to the next point, then up or down to it: distributions.
        case steps
        /// A bar of that width from the base to the point.
        case bars(width: Double)
    }

    /// What it is called in the legend; empty: not in the legend.
    public var name: String
    /// The points: to the right, upwards.
    public var points: [SIMD2<Double>]
    /// How it is drawn.
    public var style: Style
    /// Where bars begin, one for each point; missing ones begin at 0. Stacked bars begin at the sum of those below.
    public var bases: [Double]
    /// Which colour it has, counted through those that can be told apart; `nil` is its place among the series.
    public var colour: Int?

    /// A series.
    public init(
        _ name: String, _ points: [SIMD2<Double>], style: Style = .line, bases: [Double] = [], colour: Int? = nil
    ) {
        self.name = name
        self.points = points
        self.style = style
        self.bases = bases
        self.colour = colour
    }
}
