/// A chart: a title, two axes and series of points. It is a value; ``SVG`` and ``PNG`` write it.
package struct Figure: Hashable, Sendable {
    /// The title above it.
    package var title: String
    /// The horizontal axis.
    package var x: Axis
    /// The vertical axis.
    package var y: Axis
    /// The data series, the first at the bottom.
    package var series: [Series]
    /// Whether a unit has the same length on both axes: for maps.
    package var hasEqualAspect: Bool
    /// Width in points (1/72 inch) and pixels alike, from 200 to 4000.
    package var width: Int
    /// Height in points (1/72 inch) and pixels alike, from 150 to 4000.
    package var height: Int

    package init(
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
package struct Axis: Hashable, Sendable {
    /// How values map to lengths.
    package enum Scale: Hashable, Sendable {
        /// Linear.
        case linear
        /// Decades have equal length; values of 0 and less are not drawn.
        case logarithmic
        /// For shares from 0 to 1 whose tail matters: 0.9, 0.99 and 0.999 are as far apart as 0 and 0.9. Shares of 1
        /// and more are at the end of the axis.
        case tail
    }

    /// A position on an axis with its own label.
    package struct Tick: Hashable, Sendable {
        /// The position.
        package var value: Double
        package var label: String

        package init(_ value: Double, _ label: String) {
            self.value = value
            self.label = label
        }
    }

    /// The label, with the unit: `east (m)`.
    package var label: String
    /// How values map to lengths.
    package var scale: Scale
    /// The range; `nil` fits the data.
    package var range: ClosedRange<Double>?
    /// Custom ticks, names of bars for instance; `nil` generates even ones.
    package var ticks: [Tick]?

    package init(_ label: String, scale: Scale = .linear, range: ClosedRange<Double>? = nil, ticks: [Tick]? = nil) {
        self.label = label
        self.scale = scale
        self.range = range
        self.ticks = ticks
    }
}

/// A data series of a chart.
package struct Series: Hashable, Sendable {
    /// How it is drawn.
    package enum Style: Hashable, Sendable {
        /// A line from point to point, interrupted at points that are not finite.
        case line
        /// The same with dashes.
        case dashed
        /// A marker at each point.
        case marks
        /// Horizontal to the next point, then vertical to it: distributions.
        case steps
        /// A bar of that width from the base to the point.
        case bars(width: Double)
    }

    /// The name in the legend; an empty one is not in the legend.
    package var name: String
    /// The points: x to the right, y upwards.
    package var points: [SIMD2<Double>]
    /// How it is drawn.
    package var style: Style
    /// The base of each bar; a missing one is 0. Stacked bars begin at the sum of those below.
    package var bases: [Double]
    /// The colour's index in the palette; `nil` uses the index of the series.
    package var colour: Int?

    package init(
        _ name: String, _ points: [SIMD2<Double>], style: Style = .line, bases: [Double] = [], colour: Int? = nil
    ) {
        self.name = name
        self.points = points
        self.style = style
        self.bases = bases
        self.colour = colour
    }
}
