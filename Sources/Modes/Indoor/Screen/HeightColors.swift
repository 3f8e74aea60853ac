internal import TextScreen

/// Colours by height: from blue at the bottom to red at the top, readable on dark and light backgrounds, and in an order that the
/// common kinds of colour blindness keep. The slider shows the same.
enum HeightColors {
    private static let colors: [Color] = [
        .rgb(80, 110, 200), .rgb(50, 140, 190), .rgb(40, 150, 140), .rgb(110, 150, 60), .rgb(180, 130, 20),
        .rgb(205, 95, 50),
    ]

    /// The number of bands of heights with a colour of their own.
    static var bands: Int { colors.count }

    /// The layers of a band.
    static func layers(of band: Int, among count: Int) -> Range<Int> {
        band * count / bands..<(band + 1) * count / bands
    }

    static func style(band: Int) -> Style { Style(colors[min(max(band, 0), colors.count - 1)]) }

    /// The style of a layer, which is that of its band.
    static func style(layer: Int, of count: Int) -> Style {
        style(band: (0..<bands).first { layers(of: $0, among: count).contains(layer) } ?? 0)
    }
}
