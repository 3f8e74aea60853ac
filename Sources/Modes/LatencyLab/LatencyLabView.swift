public import ModeKit

/// What the laboratory's screen can do.
public protocol LatencyLabView: ModuleView {
    /// Shows this.
    func show(_ state: LatencyLabScreenState)
    /// How far what was drawn last can be scrolled, lines.
    var longestScroll: Int { get }
}
