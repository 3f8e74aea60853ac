internal import SystemIO

/// cairo, loaded when the first PNG is written: it depends on fonts and X11, which nothing else needs. The functions
/// used are unchanged since version 1.0 and take only handles, integers and doubles, so no header is needed.
struct CairoLibrary: Sendable {
    typealias Handle = OpaquePointer
    typealias WriteCallback = @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<UInt8>?, UInt32) -> Int32

    let surface: @Sendable @convention(c) (Int32, Int32, Int32) -> Handle?
    let surfaceStatus: @Sendable @convention(c) (Handle?) -> Int32
    let surfaceDestroy: @Sendable @convention(c) (Handle?) -> Void
    let writePNG: @Sendable @convention(c) (Handle?, WriteCallback?, UnsafeMutableRawPointer?) -> Int32
    let create: @Sendable @convention(c) (Handle?) -> Handle?
    let destroy: @Sendable @convention(c) (Handle?) -> Void
    let status: @Sendable @convention(c) (Handle?) -> Int32
    let colour: @Sendable @convention(c) (Handle?, Double, Double, Double) -> Void
    let dash: @Sendable @convention(c) (Handle?, UnsafePointer<Double>?, Int32, Double) -> Void
    let joins: @Sendable @convention(c) (Handle?, Int32) -> Void
    let lineWidth: @Sendable @convention(c) (Handle?, Double) -> Void
    let move: @Sendable @convention(c) (Handle?, Double, Double) -> Void
    let line: @Sendable @convention(c) (Handle?, Double, Double) -> Void
    let rectangle: @Sendable @convention(c) (Handle?, Double, Double, Double, Double) -> Void
    let arc: @Sendable @convention(c) (Handle?, Double, Double, Double, Double, Double) -> Void
    let rotate: @Sendable @convention(c) (Handle?, Double) -> Void
    let fontSize: @Sendable @convention(c) (Handle?, Double) -> Void
    let font: @Sendable @convention(c) (Handle?, UnsafePointer<CChar>?, Int32, Int32) -> Void
    /// Six doubles: two bearings, width, height, two advances.
    let extents: @Sendable @convention(c) (Handle?, UnsafePointer<CChar>?, UnsafeMutablePointer<Double>?) -> Void
    let show: @Sendable @convention(c) (Handle?, UnsafePointer<CChar>?) -> Void
    let paint, stroke, fill, clip, save, restore: @Sendable @convention(c) (Handle?) -> Void

    /// The library, or why it is not available; loaded on first use and never unloaded.
    static let loaded: Result<CairoLibrary, FigureError> = Result { () throws(DynamicLibrary.Failure) in
        try CairoLibrary()
    }.mapError { FigureError("cannot write PNG: \($0)") }

    private static let source = DynamicLibrary.Source(
        "cairo", debianPackage: "libcairo2", linux: ["libcairo.so.2", "libcairo.so"],
        darwin: ["libcairo.2.dylib", "/opt/homebrew/lib/libcairo.2.dylib", "/usr/local/lib/libcairo.2.dylib"])

    private init() throws(DynamicLibrary.Failure) {
        let library = try DynamicLibrary(Self.source)
        surface = try library.function("cairo_image_surface_create")
        surfaceStatus = try library.function("cairo_surface_status")
        surfaceDestroy = try library.function("cairo_surface_destroy")
        writePNG = try library.function("cairo_surface_write_to_png_stream")
        create = try library.function("cairo_create")
        destroy = try library.function("cairo_destroy")
        status = try library.function("cairo_status")
        colour = try library.function("cairo_set_source_rgb")
        dash = try library.function("cairo_set_dash")
        joins = try library.function("cairo_set_line_join")
        lineWidth = try library.function("cairo_set_line_width")
        move = try library.function("cairo_move_to")
        line = try library.function("cairo_line_to")
        rectangle = try library.function("cairo_rectangle")
        arc = try library.function("cairo_arc")
        rotate = try library.function("cairo_rotate")
        fontSize = try library.function("cairo_set_font_size")
        font = try library.function("cairo_select_font_face")
        extents = try library.function("cairo_text_extents")
        show = try library.function("cairo_show_text")
        paint = try library.function("cairo_paint")
        stroke = try library.function("cairo_stroke")
        fill = try library.function("cairo_fill")
        clip = try library.function("cairo_clip")
        save = try library.function("cairo_save")
        restore = try library.function("cairo_restore")
    }
}
