public import ModeKit

/// What the frame around every screen can do.
@MainActor
public protocol WorkspaceView: ModuleView {
    /// Shows this in the frame.
    func show(_ state: WorkspaceState)
    /// Puts a module's screen into the frame.
    func put(_ view: any ModuleView)
    /// The program is over.
    func end()
}
