package import ModeKit

/// The view of the workspace.
@MainActor
package protocol WorkspaceView: ModeView {
    /// Shows a screen state.
    func show(_ state: WorkspaceState)
    /// Shows a mode's screen inside the workspace.
    func put(_ view: any ModeView)
    /// Rings the terminal's bell.
    func ring()
    /// Ends the program.
    func end()
}
