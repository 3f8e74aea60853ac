#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// The transverse Mercator projection of the WGS84 ellipsoid with the scale of UTM on its central meridian, 0.9996.
///
/// Krüger's series to the sixth order of the third flattening, as in C. F. F. Karney, "Transverse Mercator with an accuracy of a
/// few nanometers", Journal of Geodesy 85 (2011), https://arxiv.org/abs/1002.1417; equations are cited by its numbers. The error
/// is below 5 nm within 3900 km of the central meridian. PROJ computes `+proj=utm` with the same series.
struct TransverseMercator: Sendable {
    /// Metres.
    private static let equatorialRadius = 6_378_137.0
    private static let flattening = 1 / 298.257_223_563
    private static let centralScale = 0.9996
    /// The third flattening.
    private static let n = flattening / (2 - flattening)
    private static let eccentricitySquared = flattening * (2 - flattening)
    private static let eccentricity = eccentricitySquared.squareRoot()
    /// Metres of the grid per radian of the rectifying sphere: equation 14, with the scale.
    private static let radius: Double = {
        let square = n * n
        let sum = 1 + square * (0.25 + square * (0.015_625 + square / 256))
        return centralScale * equatorialRadius / (1 + n) * sum
    }()
    /// Beyond it, radians of the rectifying sphere from the central meridian (150 degrees on the equator), the series says
    /// nothing; PROJ has the same limit.
    private static let farthest = 2.623_395_162_778

    /// Coefficients of the series from the conformal to the rectifying sphere: equation 35.
    private static let alpha = [
        series([(1, 2), (-2, 3), (5, 16), (41, 180), (-127, 288), (7891, 37800)], from: 1),
        series([(13, 48), (-3, 5), (557, 1440), (281, 630), (-1_983_433, 1_935_360)], from: 2),
        series([(61, 240), (-103, 140), (15061, 26880), (167_603, 181_440)], from: 3),
        series([(49561, 161_280), (-179, 168), (6_601_661, 7_257_600)], from: 4),
        series([(34729, 80640), (-3_418_889, 1_995_840)], from: 5),
        series([(212_378_941, 319_334_400)], from: 6),
    ]

    /// Coefficients of the series back: equation 36.
    private static let beta = [
        series([(1, 2), (-2, 3), (37, 96), (-1, 360), (-81, 512), (96199, 604_800)], from: 1),
        series([(1, 48), (1, 15), (-437, 1440), (46, 105), (-1_118_711, 3_870_720)], from: 2),
        series([(17, 480), (-37, 840), (-209, 4480), (5569, 90720)], from: 3),
        series([(4397, 161_280), (-11, 504), (-830_251, 7_257_600)], from: 4),
        series([(4583, 161_280), (-108_847, 3_991_680)], from: 5),
        series([(20_648_693, 638_668_800)], from: 6),
    ]

    /// The sum of `coefficients[i] n^(power + i)`; each coefficient is a fraction.
    private static func series(_ coefficients: [(Double, Double)], from power: Int) -> Double {
        var factor = (0..<power).reduce(1.0) { product, _ in product * n }
        var sum = 0.0
        for (numerator, denominator) in coefficients {
            sum += numerator / denominator * factor
            factor *= n
        }
        return sum
    }

    /// The point of a place: metres east of the central meridian and north of the equator.
    ///
    /// - Parameters:
    ///   - latitude: radians, within -π/2...π/2.
    ///   - longitude: radians east of the central meridian.
    /// - Returns: `nil` if the place is too far from the central meridian.
    static func forward(latitude: Double, longitude: Double) -> (eastMetres: Double, northMetres: Double)? {
        let conformal = conformalTangent(tan(latitude))
        let along = cos(longitude)
        // Equation 10.
        let xi = atan2(conformal, along)
        let eta = asinh(sin(longitude) / hypot(conformal, along))
        guard abs(eta) <= farthest else { return nil }
        // Equation 11.
        var (north, east) = (xi, eta)
        for (index, coefficient) in alpha.enumerated() {
            let order = 2 * Double(index + 1)
            north += coefficient * sin(order * xi) * cosh(order * eta)
            east += coefficient * cos(order * xi) * sinh(order * eta)
        }
        guard abs(east) <= farthest else { return nil }
        return (radius * east, radius * north)
    }

    /// The place of a point.
    ///
    /// - Returns: latitude and longitude east of the central meridian, radians; `nil` if the point is too far from the central
    ///   meridian, or beyond a pole.
    static func inverse(eastMetres: Double, northMetres: Double) -> (latitude: Double, longitude: Double)? {
        let (xi, eta) = (northMetres / radius, eastMetres / radius)
        guard abs(eta) <= farthest, abs(xi) <= .pi else { return nil }
        // Equation 11, the other way.
        var (north, east) = (xi, eta)
        for (index, coefficient) in beta.enumerated() {
            let order = 2 * Double(index + 1)
            north -= coefficient * sin(order * xi) * cosh(order * eta)
            east -= coefficient * cos(order * xi) * sinh(order * eta)
        }
        // Equation 18.
        let conformal = sin(north) / hypot(sinh(east), cos(north))
        let longitude = atan2(sinh(east), cos(north))
        return (atan(tangent(conformal: conformal)), longitude)
    }

    /// The tangent of the conformal latitude from that of the latitude: equations 7 to 9.
    private static func conformalTangent(_ tangent: Double) -> Double {
        let secant = hypot(1, tangent)
        let sigma = sinh(eccentricity * atanh(eccentricity * tangent / secant))
        return hypot(1, sigma) * tangent - sigma * secant
    }

    /// The tangent of the latitude from that of the conformal latitude: Newton's method, equations 19 to 21, which has the last
    /// bit after three steps.
    private static func tangent(conformal: Double) -> Double {
        // At the poles it is as good as infinite, and the steps would be differences of infinities.
        guard abs(conformal) < 1e9 else { return conformal / (1 - eccentricitySquared) }
        var tangent = conformal
        for _ in 0..<5 {
            let present = conformalTangent(tangent)
            let step =
                (conformal - present) / hypot(1, present)
                * (1 + (1 - eccentricitySquared) * tangent * tangent)
                / ((1 - eccentricitySquared) * hypot(1, tangent))
            tangent += step
            if abs(step) <= abs(tangent) * 1e-16 { break }
        }
        return tangent
    }
}
