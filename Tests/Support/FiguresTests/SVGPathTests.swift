import Testing

@testable import Figures

/// What a file has of a series is short, and where the series is.
@Suite struct SVGPathTests {
    /// Pseudo-random shares, the same in every run.
    private static func shares(_ count: Int) -> [Double] {
        var state: UInt64 = 18
        return (0..<count).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Double(state >> 11) / 0x1p53
        }
    }

    /// The positions in a path, in points.
    private static func positions(_ text: String) -> [SIMD2<Double>] {
        var (at, found): (SIMD2<Double>, [SIMD2<Double>]) = (.zero, [])
        var rest = text[...]
        func number() -> Double {
            if rest.first == " " { rest.removeFirst() }
            let sign = rest.first == "-" ? rest.removeFirst() : nil
            let digits = rest.prefix { $0.isNumber }
            rest = rest.dropFirst(digits.count)
            return (Double(digits) ?? .nan) * (sign == nil ? 0.1 : -0.1)
        }
        while let letter = rest.popFirst() {
            switch letter {
            case "m", "l": at += SIMD2(number(), number())
            case "h": at.x += number()
            case "v": at.y += number()
            default: return []
            }
            found.append(at)
        }
        return found
    }

    @Test func `a path is where its points are, however many lie before`() {
        let shares = Self.shares(4000)
        let points = (0..<2000).map { index -> SIMD2<Double> in
            SIMD2(x: shares[2 * index] * 600 - 20, y: shares[2 * index + 1] * 400)
        }
        var (line, dots) = (SVGPath(), SVGPath())
        for point in points {
            line.line(to: point)
            dots.dot(at: point)
        }
        let (drawn, dotted) = (Self.positions(line.text), Self.positions(dots.text))
        #expect(drawn.count == points.count && dotted.count == 2 * points.count)
        for (index, point) in points.enumerated() where index < drawn.count && 2 * index < dotted.count {
            for way in [drawn[index] - point, dotted[2 * index] - point] {
                #expect(abs(way.x) < 0.0501 && abs(way.y) < 0.0501)
            }
        }
    }

    @Test func `level, upright and slanting lines are written as such`() {
        let points: [SIMD2<Double>] = [[76, 44.04], [80, 44], [80, 43.96], [80, 30], [79, 31], [79.5, 30.5]]
        var path = SVGPath()
        for point in points { path.line(to: point) }
        #expect(path.text == "m760 440h40h0v-140l-10 10l5-5")
    }

    /// The marks of a series over time are most of a page of latencies; as circles they were 76 kB.
    @Test func `fourteen hundred marks take less than twenty thousand bytes`() {
        // As a long series is thinned: the least and the most of each interval.
        let points = Self.shares(1400).enumerated().map { place, share -> SIMD2<Double> in
            SIMD2(x: Double(place), y: share * 0.4 + (place % 2 == 0 ? 0 : 0.6))
        }
        let figure = Figure(
            title: "", x: Axis("s"), y: Axis("ms"), series: [Series("", points, style: .marks)], width: 620,
            height: 400)
        let text = SVG.text(figure)
        #expect(text.utf8.count < 20_000)
        #expect(text.split(separator: "h0").count == 1401)
    }
}
