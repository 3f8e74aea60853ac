public import ModeKit

/// The view of the indoor mode.
public protocol IndoorView: ModeView {
    /// Shows a state.
    func show(_ state: IndoorScreenState)
    /// The size of the plot, in columns and rows; 0 before it was first drawn.
    var plotSize: (columns: Int, rows: Int) { get }
}
