import Testing

@testable import Figures

@Suite struct FigureTests {
    static let flight = Figure(
        title: "Planned & flown", x: Axis("east (m)"), y: Axis("north (m)"),
        series: [
            Series("planned", [[0, 0], [10, 0], [10, 5]], style: .dashed),
            Series("flown", [[0, 0.1], [9.9, 0.2], [10.1, 5]]),
            Series("points", [[0, 0], [10, 5]], style: .marks),
        ], hasEqualAspect: true, width: 400, height: 300)

    @Test func `the same chart is the same text, and whole`() {
        let text = SVG.text(Self.flight)
        #expect(text == SVG.text(Self.flight))
        #expect(text.hasPrefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg "))
        #expect(text.hasSuffix("</svg>\n"))
        #expect(text.contains(">Planned &amp; flown</text>"))
        #expect(text.contains(">east (m)</text>"))
        #expect(text.contains("stroke-dasharray=\"60 40\""))
        for name in ["planned", "flown", "points"] { #expect(text.contains(">\(name)</text>")) }
        // The dot in the legend, and the two in the plot.
        #expect(text.split(separator: "h0").count == 4)
    }

    @Test func `equal aspect makes a metre as long both ways`() throws {
        let drawing = FigureLayout.draw(Self.flight)
        guard case .line(let planned, _) = drawing.inside[0] else {
            Issue.record("no line")
            return
        }
        let east = (planned[1].x - planned[0].x) / 10
        let north = (planned[1].y - planned[2].y) / 5
        #expect(abs(east - north) < 1e-9)
        let end = drawing.plotOrigin + drawing.plotSize
        for point in planned {
            #expect(point.x > drawing.plotOrigin.x && point.x < end.x)
            #expect(point.y > drawing.plotOrigin.y && point.y < end.y)
        }
    }

    @Test func `a tail shows the nines as far apart as the first nine tenths`() throws {
        let scale = AxisScale(Axis("share", scale: .tail), values: [0, 0.5, 0.999])
        let shares = try [0, 0.9, 0.99, 0.999].map { try #require(scale.share($0)) }
        #expect(abs(shares[1] - 1 / 3) < 1e-9)
        #expect(abs(shares[2] - 2 / 3) < 1e-9)
        #expect(abs(shares[3] - 1) < 1e-9)
        #expect(scale.ticks(5).map(\.label) == ["0", "0.5", "0.9", "0.99", "0.999"])
        #expect(try #require(scale.share(1)).isFinite)
    }

    @Test func `a logarithm has a mark a decade and leaves out what it cannot show`() throws {
        let scale = AxisScale(Axis("ms", scale: .logarithmic), values: [0, -1, 0.05, 300])
        #expect(scale.share(0) == nil)
        #expect(scale.ticks(8).map(\.label) == ["0.1", "1", "10", "100"])
        let narrow = AxisScale(Axis("ms", scale: .logarithmic, range: 2...5), values: [])
        #expect(narrow.ticks(4).map(\.label) == ["2", "3", "4", "5"])
        #expect(AxisScale(Axis("", scale: .logarithmic), values: [1e-7, 1e7]).ticks(20).last?.label == "1e7")
    }

    @Test(arguments: [
        (0.0, 1.0, 5, ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]), (-3, 7, 5, ["-2", "0", "2", "4", "6"]),
        (0, 0.003, 3, ["0.000", "0.001", "0.002", "0.003"]), (1e6, 1_000_010, 2, ["1000000", "1000005", "1000010"]),
    ])
    func `even marks are round numbers`(low: Double, high: Double, count: Int, labels: [String]) {
        let scale = AxisScale(Axis("", range: low...high), values: [])
        #expect(scale.ticks(count).map(\.label) == labels)
    }

    @Test func `nothing, one value and values that are none are drawn without harm`() {
        let nothing: [[SIMD2<Double>]] = [
            [], [[5, 5]], [[.nan, 1], [1, .infinity]], [[0, 0], [.nan, .nan], [1, 1], [2, 2]],
            [[-1e300, -1e300], [1e300, 1e300]],
        ]
        for points in nothing {
            for style in [Series.Style.line, .dashed, .marks, .steps, .bars(width: 1)] {
                for scale in [Axis.Scale.linear, .logarithmic, .tail] {
                    let figure = Figure(
                        title: "", x: Axis("x", scale: scale), y: Axis("y", scale: scale),
                        series: [Series("s", points, style: style)], hasEqualAspect: true, width: 1, height: 1)
                    let text = SVG.text(figure)
                    #expect(!text.contains("nan") && !text.contains("inf"))
                }
            }
        }
    }

    @Test func `a break in the numbers is a break in the line`() {
        let figure = Figure(
            title: "", x: Axis("x"), y: Axis("y"),
            series: [Series("", [[0, 0], [1, 1], [.nan, 0], [2, 2], [3, 3]])])
        #expect(FigureLayout.draw(figure).inside.count == 2)
    }

    @Test func `a hundred thousand samples stay a small file that keeps its ends`() throws {
        let points = (0...100_000).map { SIMD2(Double($0) * 0.001, Double($0 % 7) * 1e-6) }
        let figure = Figure(title: "", x: Axis("s"), y: Axis("m", range: 0...1), series: [Series("a", points)])
        guard case .line(let line, _) = FigureLayout.draw(figure).inside[0] else {
            Issue.record("no line")
            return
        }
        #expect(line.count < 8000)
        let whole = FigureLayout.draw(figure)
        let last = try #require(line.last)
        #expect(abs(last.x - (whole.plotOrigin.x + whole.plotSize.x * (100 + 4) / 108)) < 1e-6)
    }

    @Test func `steps go level, then up`() {
        let figure = Figure(
            title: "", x: Axis("x", range: 0...2), y: Axis("y", range: 0...1),
            series: [Series("", [[0, 0], [1, 0.5], [2, 1]], style: .steps)])
        guard case .line(let line, _) = FigureLayout.draw(figure).inside[0] else {
            Issue.record("no line")
            return
        }
        #expect(line.count == 5)
        #expect(line[1].x == line[2].x && line[0].y == line[1].y)
    }

    @Test func `bars stack on their bases`() {
        let figure = Figure(
            title: "stages", x: Axis("", ticks: [.init(0, "SSH"), .init(1, "UDP")]), y: Axis("ms"),
            series: [
                Series("network", [[0, 2], [1, 1]], style: .bars(width: 0.6)),
                Series("service", [[0, 5], [1, 3]], style: .bars(width: 0.6), bases: [2, 1]),
            ])
        let shapes = FigureLayout.draw(figure).inside
        guard case .rectangle(let low, let lowSize, _) = shapes[0],
            case .rectangle(let high, let highSize, _) = shapes[2]
        else {
            Issue.record("no bars")
            return
        }
        #expect(abs(high.y + highSize.y - low.y) < 1e-9)
        #expect(abs(highSize.y / lowSize.y - 1.5) < 1e-9)
        #expect(SVG.text(figure).contains(">UDP</text>"))
    }

    @Test func `texts cannot break out of the file`() {
        let figure = Figure(
            title: "<script>\u{0}\u{1B}", x: Axis("\"&\""), y: Axis("y"),
            series: [Series("</svg>", [[0, 0], [1, 1]])])
        let text = SVG.text(figure)
        #expect(!text.contains("<script>"))
        #expect(text.split(separator: "</svg>").count == 2)
        #expect(!text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
    }

    @Test func `a picture is a PNG of the size that was asked for`() throws {
        let bytes = try PNG.bytes(Self.flight)
        #expect(bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]))
        #expect(Array(bytes[16..<24]) == [0, 0, 1, 0x90, 0, 0, 1, 0x2C])
        // Drawn, not white alone.
        #expect(bytes.count > 3000)
    }
}
