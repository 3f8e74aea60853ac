/// A chart as shapes on a page: x to the right, y downwards, in points.
struct Drawing: Equatable, Sendable {
    enum Anchor: Sendable { case start, middle, end }

    struct Stroke: Equatable, Sendable {
        var colour: Colour
        var width: Double
        /// Alternating lengths of dashes and gaps; empty is a solid line.
        var dashes: [Double] = []
    }

    enum Shape: Equatable, Sendable {
        case line([SIMD2<Double>], Stroke)
        case rectangle(origin: SIMD2<Double>, size: SIMD2<Double>, fill: Colour)
        /// The marks of a series: one shape, so that a file has their size and colour once.
        case discs([SIMD2<Double>], radius: Double, fill: Colour)
        case text(String, at: SIMD2<Double>, size: Double, anchor: Anchor, isUpward: Bool)
    }

    var width: Double
    var height: Double
    /// Outside the plot area: frame, ticks, texts.
    var around: [Shape] = []
    /// Inside the plot area, clipped at its border.
    var inside: [Shape] = []
    var plotOrigin: SIMD2<Double>
    var plotSize: SIMD2<Double>
}

/// A colour with components from 0 to 255.
struct Colour: Equatable, Sendable {
    var red: UInt8
    var green: UInt8
    var blue: UInt8

    static let black = Colour(red: 0, green: 0, blue: 0)
    static let grey = Colour(red: 221, green: 221, blue: 221)

    /// The colour of the series at an index.
    static func of(_ series: Series, _ place: Int) -> Colour {
        let number = series.colour ?? place
        return palette[(number % palette.count + palette.count) % palette.count]
    }

    /// Colours distinguishable with any kind of colour blindness (Okabe and Ito, 2008).
    static let palette = [
        Colour(red: 0, green: 114, blue: 178), Colour(red: 213, green: 94, blue: 0),
        Colour(red: 0, green: 158, blue: 115),
        Colour(red: 204, green: 121, blue: 167), Colour(red: 230, green: 159, blue: 0),
        Colour(red: 86, green: 180, blue: 233), Colour(red: 0, green: 0, blue: 0),
        Colour(red: 160, green: 150, blue: 30),
    ]
}
