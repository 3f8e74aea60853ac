#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

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
    static let loaded: Result<CairoLibrary, FigureError> = Result { () throws(FigureError) in try CairoLibrary() }

    private static let names: [String] = {
        #if canImport(Glibc)
            ["libcairo.so.2", "libcairo.so"]
        #else
            ["libcairo.2.dylib", "/opt/homebrew/lib/libcairo.2.dylib", "/usr/local/lib/libcairo.2.dylib"]
        #endif
    }()

    private init() throws(FigureError) {
        guard let library = Self.names.lazy.compactMap({ dlopen($0, RTLD_NOW | RTLD_LOCAL) }).first else {
            throw FigureError(
                "cannot write PNG: the library cairo is not installed; install it with scripts/setup --runtime")
        }
        func find<Function>(_ name: String, as: Function.Type) throws(FigureError) -> Function {
            guard let address = dlsym(library, "cairo_" + name) else {
                throw FigureError("the library cairo on this machine has no 'cairo_\(name)'")
            }
            return unsafeBitCast(address, to: Function.self)
        }
        typealias Plain = @Sendable @convention(c) (Handle?) -> Void
        typealias Number = @Sendable @convention(c) (Handle?, Double) -> Void
        typealias Pair = @Sendable @convention(c) (Handle?, Double, Double) -> Void
        surface = try find(
            "image_surface_create", as: (@Sendable @convention(c) (Int32, Int32, Int32) -> Handle?).self)
        surfaceStatus = try find("surface_status", as: (@Sendable @convention(c) (Handle?) -> Int32).self)
        surfaceDestroy = try find("surface_destroy", as: Plain.self)
        writePNG = try find(
            "surface_write_to_png_stream",
            as: (@Sendable @convention(c) (Handle?, WriteCallback?, UnsafeMutableRawPointer?) -> Int32).self)
        create = try find("create", as: (@Sendable @convention(c) (Handle?) -> Handle?).self)
        destroy = try find("destroy", as: Plain.self)
        status = try find("status", as: (@Sendable @convention(c) (Handle?) -> Int32).self)
        colour = try find(
            "set_source_rgb", as: (@Sendable @convention(c) (Handle?, Double, Double, Double) -> Void).self)
        dash = try find(
            "set_dash", as: (@Sendable @convention(c) (Handle?, UnsafePointer<Double>?, Int32, Double) -> Void).self)
        joins = try find("set_line_join", as: (@Sendable @convention(c) (Handle?, Int32) -> Void).self)
        lineWidth = try find("set_line_width", as: Number.self)
        move = try find("move_to", as: Pair.self)
        line = try find("line_to", as: Pair.self)
        rectangle = try find(
            "rectangle", as: (@Sendable @convention(c) (Handle?, Double, Double, Double, Double) -> Void).self)
        arc = try find(
            "arc", as: (@Sendable @convention(c) (Handle?, Double, Double, Double, Double, Double) -> Void).self)
        rotate = try find("rotate", as: Number.self)
        fontSize = try find("set_font_size", as: Number.self)
        font = try find(
            "select_font_face",
            as: (@Sendable @convention(c) (Handle?, UnsafePointer<CChar>?, Int32, Int32) -> Void).self)
        extents = try find(
            "text_extents",
            as: (@Sendable @convention(c) (Handle?, UnsafePointer<CChar>?, UnsafeMutablePointer<Double>?) -> Void).self)
        show = try find("show_text", as: (@Sendable @convention(c) (Handle?, UnsafePointer<CChar>?) -> Void).self)
        paint = try find("paint", as: Plain.self)
        stroke = try find("stroke", as: Plain.self)
        fill = try find("fill", as: Plain.self)
        clip = try find("clip", as: Plain.self)
        save = try find("save", as: Plain.self)
        restore = try find("restore", as: Plain.self)
    }
}
