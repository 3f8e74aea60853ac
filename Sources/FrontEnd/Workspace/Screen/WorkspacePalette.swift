internal import TextScreen

/// Keys while the palette is open.
extension WorkspaceScreen {
    func answerPalette(_ key: KeyEvent) {
        guard let items = palette?.items else { return }
        if let middle, palette?.overlay.scroll(by: key, items, in: middle) == true {
            needsFrame?()
            return
        }
        let line = palette?.overlay.line ?? ""
        let outcome = palette?.overlay.handle(key, items)
        if case .run? = outcome { lastLine = line }
        switch outcome {
        case .close, .run: palette = nil
        case .changed: break
        case .ignored, nil: return
        }
        needsFrame?()
        if case .run(let effect)? = outcome { perform(effect) }
    }
}
