internal import ReportKit

/// Writes the same drawing as ``SVG``, as PNG.
package enum PNG {
    /// The file's bytes.
    ///
    /// - Throws: ``FigureError`` if cairo is not installed or out of memory.
    package static func bytes(_ figure: Figure) throws(FigureError) -> [UInt8] {
        let page = try CairoPage(FigureLayout.draw(figure))
        return try page.png()
    }
}

/// Owns a cairo surface and its drawing context.
private final class CairoPage {
    private let cairo: CairoLibrary
    private let surface: OpaquePointer
    private let pen: OpaquePointer

    init(_ drawing: Drawing) throws(FigureError) {
        cairo = try CairoLibrary.loaded.get()
        // 0: 32 bits per pixel with transparency (`CAIRO_FORMAT_ARGB32`).
        guard let surface = cairo.surface(0, Int32(saturating: drawing.width), Int32(saturating: drawing.height)) else {
            throw FigureError("not enough memory for the picture")
        }
        guard cairo.surfaceStatus(surface) == 0, let pen = cairo.create(surface) else {
            cairo.surfaceDestroy(surface)
            throw FigureError("not enough memory for a picture of \(drawing.width) by \(drawing.height)")
        }
        self.surface = surface
        self.pen = pen
        cairo.colour(pen, 1, 1, 1)
        cairo.paint(pen)
        cairo.font(pen, "sans-serif", 0, 0)
        cairo.joins(pen, 1)
        for shape in drawing.around { draw(shape) }
        let (origin, size) = (drawing.plotOrigin, drawing.plotSize)
        cairo.rectangle(pen, origin.x, origin.y, size.x, size.y)
        cairo.clip(pen)
        for shape in drawing.inside { draw(shape) }
    }

    deinit {
        cairo.destroy(pen)
        cairo.surfaceDestroy(surface)
    }

    private func use(_ colour: Colour) {
        cairo.colour(pen, Double(colour.red) / 255, Double(colour.green) / 255, Double(colour.blue) / 255)
    }

    private func draw(_ shape: Drawing.Shape) {
        switch shape {
        case .line(let points, let stroke):
            guard let first = points.first else { return }
            use(stroke.colour)
            cairo.lineWidth(pen, stroke.width)
            stroke.dashes.withUnsafeBufferPointer { cairo.dash(pen, $0.baseAddress, Int32($0.count), 0) }
            cairo.move(pen, first.x, first.y)
            for point in points.dropFirst() { cairo.line(pen, point.x, point.y) }
            cairo.stroke(pen)
        case .rectangle(let origin, let size, let fill):
            use(fill)
            cairo.rectangle(pen, origin.x, origin.y, size.x, size.y)
            cairo.fill(pen)
        case .discs(let centres, let radius, let fill):
            use(fill)
            for centre in centres {
                cairo.arc(pen, centre.x, centre.y, radius, 0, 2 * .pi)
                cairo.fill(pen)
            }
        case .text(let text, let at, let size, let anchor, let isUpward):
            write(text, at: at, size: size, anchor: anchor, isUpward: isUpward)
        }
    }

    private func write(_ text: String, at: SIMD2<Double>, size: Double, anchor: Drawing.Anchor, isUpward: Bool) {
        use(.black)
        cairo.fontSize(pen, size)
        var extents = [Double](repeating: 0, count: 6)
        cairo.extents(pen, text, &extents)
        let back: Double
        switch anchor {
        case .start: back = 0
        case .middle: back = extents[4] / 2
        case .end: back = extents[4]
        }
        cairo.save(pen)
        if isUpward {
            cairo.move(pen, at.x, at.y + back)
            cairo.rotate(pen, -.pi / 2)
        } else {
            cairo.move(pen, at.x - back, at.y)
        }
        cairo.show(pen, text)
        cairo.restore(pen)
    }

    func png() throws(FigureError) -> [UInt8] {
        guard cairo.status(pen) == 0 else { throw FigureError("cairo could not draw (status \(cairo.status(pen)))") }
        let out = Sink()
        let status = cairo.writePNG(
            surface,
            { closure, start, count in
                guard let closure, let start else { return 0 }
                Unmanaged<Sink>.fromOpaque(closure).takeUnretainedValue().bytes += UnsafeBufferPointer(
                    start: start, count: Int(count))
                return 0
            }, Unmanaged.passUnretained(out).toOpaque())
        guard status == 0 else { throw FigureError("cairo could not write the picture (status \(status))") }
        return withExtendedLifetime(out) { out.bytes }
    }

    private final class Sink {
        var bytes: [UInt8] = []
    }
}
