/// The open question as it is on the terminal, to tell answers from what was typed ahead: that was meant for the screen before.
struct ShownQuestion {
    /// The question, and the first frame that shows it; `nil` until one was drawn.
    private var shown: (text: String, frame: Int)?

    /// Takes note of a frame and of the question in it.
    mutating func wasDrawn(_ question: String?, inFrame number: Int) {
        guard let question else { return shown = nil }
        if shown?.text != question { shown = (question, number) }
    }

    /// Takes note that no question is open: the next one may have the same words.
    mutating func close() { shown = nil }

    /// Whether a question was on the screen in a frame.
    func isOnScreen(_ question: String, inFrame frame: Int) -> Bool {
        guard let shown, shown.text == question else { return false }
        return frame >= shown.frame
    }
}
