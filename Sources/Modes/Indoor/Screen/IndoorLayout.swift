internal import RouteKit
internal import TextScreen

/// The layout of the indoor screen: that of a map with a route, and a layer slider inside the frame.
struct IndoorLayout {
    /// Frame, panel and lines.
    let route: RouteLayout
    /// The map itself.
    let plot: ScreenArea
    /// The layer slider, one column.
    let slider: ScreenArea

    init(_ area: ScreenArea) {
        route = RouteLayout(area)
        (plot, slider) = route.inside.split(left: max(0, route.inside.columns - 1))
    }
}
