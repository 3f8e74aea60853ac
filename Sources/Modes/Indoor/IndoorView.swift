public import ModeKit

/// What the indoor screen can do.
public protocol IndoorView: ModuleView {
    /// Shows this.
    func show(_ state: IndoorScreenState)
    /// How many columns and rows the plot has just now; 0 before it was drawn.
    var plotSize: (columns: Int, rows: Int) { get }
}
