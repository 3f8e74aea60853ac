internal import ModeKit
internal import TextScreen

/// What the mouse does.
extension WorkspaceScreen {
    /// The mouse does not reach through the help or a dialog, but a release ends what a press began. The wheel scrolls what is open, and a
    /// click chooses in the palette.
    func handleOverlay(_ mouse: MouseEvent, _ event: InputEvent) {
        switch mouse.action {
        case .release: _ = content?.handle(event)
        case .wheelUp, .wheelDown:
            if confirmation.isOpen {
                if confirmation.scroll(by: event, in: middle ?? ScreenArea(size)) { needsFrame?() }
            } else if palette != nil {
                answerPalette(KeyEvent(mouse.action == .wheelUp ? .up : .down))
            } else {
                answerHelp(KeyEvent(mouse.action == .wheelUp ? .up : .down))
            }
        case .press where !confirmation.isOpen && help == nil:
            guard let items = palette?.items, let middle else { return }
            if palette?.overlay.click(mouse, items, in: middle) == .changed { needsFrame?() }
        default: break
        }
    }

    /// A click on a key of the last line presses it. A question is not answered there: the click may have been meant for the key
    /// that was in that place before.
    func click(_ mouse: MouseEvent, seen frame: Int?) {
        guard let key = WorkspaceFoot.key(at: mouse.column, of: keys, columns: size.columns) else { return }
        let isAsking = confirmation.isOpen || content?.isAsking == true
        guard !isAsking || furtherKeys.stops(key) else { return }
        handle(.key(key), seen: frame)
    }
}
