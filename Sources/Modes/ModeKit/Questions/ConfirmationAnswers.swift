package import TextScreen

/// The two answers to a question, worded in one form on every screen: the key and what it does, the other keys and what stays.
///
/// ```
///   Enter: command all 3 vehicles   any other key: commands go to uav1 only
///   y: land now   n or Esc: no landing
/// ```
package struct ConfirmationAnswers: Hashable, Sendable {
    /// What confirms.
    package enum Key: Hashable, Sendable {
        /// Nothing: the box only informs, and Enter or Esc closes it.
        case none
        /// Enter, or `y`; any other key declines.
        case enter
        /// `y`; only `n`, Esc, Ctrl-C and Space decline, and Enter decides nothing: it may have been meant for the screen below. Space
        /// hovers besides, as on every screen: whoever has the question passes that on.
        case yes
        /// `F`, although a check failed; otherwise as ``yes``.
        case force
        /// Enter, with a line of text; Esc and Ctrl-C decline.
        case line
    }

    /// What a key means.
    package enum Answer: Hashable, Sendable {
        case confirm, decline
        /// The key has no meaning, and must not reach the screen below.
        case swallowed
        /// The key has no meaning here.
        case ignored
    }

    /// Where the answers were drawn, for clicks.
    package struct Places: Hashable, Sendable {
        /// Confirms; `nil` where a click does not: it may have been meant for something else.
        package var yes: ScreenArea?
        /// Declines.
        package var no: ScreenArea?
    }

    package var key: Key
    /// What confirming does: `land now`.
    package var action: String
    /// What stays if it is declined: `no landing`.
    package var otherwise: String

    package init(_ key: Key, action: String, otherwise: String) {
        (self.key, self.action, self.otherwise) = (key, action, otherwise)
    }

    /// The answer of a box that only informs.
    package init(closing action: String) { self.init(.none, action: action, otherwise: "") }

    // MARK: Keys

    /// What a key means; a held key decides nothing.
    package func answer(_ event: KeyEvent) -> Answer {
        guard event.phase == .press else { return .ignored }
        // Shift alone, which some terminals report, is no answer.
        if case .other = event.key { return .ignored }
        let isEnd = event.isPress(of: .escape) || event.isPress(of: .character("c"), .control)
        let isNo = isEnd || event.isPress(of: .character("n"))
        let (isEnter, isYes) = (event.isPress(of: .enter), event.isPress(of: .character("y")))
        switch key {
        case .none: return isNo || isEnter ? .decline : isYes ? .swallowed : .ignored
        case .enter: return isEnter || isYes ? .confirm : .decline
        case .line: return isEnter ? .confirm : isEnd ? .decline : .ignored
        case .yes, .force:
            if isNo || event.isPress(of: .character(" ")) { return .decline }
            if key == .yes ? isYes : Self.isCapitalF(event) { return .confirm }
            return event.key == .enter ? .swallowed : .ignored
        }
    }

    /// With the kitty protocol the event has the letter and Shift, otherwise the capital letter.
    private static func isCapitalF(_ event: KeyEvent) -> Bool {
        switch (event.key, event.modifiers) {
        case (.character("f"), .shift), (.character("F"), []), (.character("F"), .shift): true
        default: false
        }
    }

    /// The keys, for the help and the line at the bottom.
    package var help: [KeyHelp] {
        switch key {
        case .none: [KeyHelp("Enter", action)]
        case .enter: [KeyHelp("Enter y", doing), KeyHelp("other key", otherwise)]
        case .yes: [KeyHelp("y", doing), KeyHelp("n Esc", otherwise)]
        case .force: [KeyHelp("F", doing), KeyHelp("n Esc", otherwise)]
        case .line: [KeyHelp("Enter", doing), KeyHelp("Esc", otherwise)]
        }
    }

    private var doing: String { key == .force ? "\(action) despite failed check" : action }

    // MARK: Drawing

    private static let gap = 3

    private var first: [Canvas.Span] {
        let label =
            switch key {
            case .none, .line: "Enter"
            case .enter: "Enter, y"
            case .yes: "y"
            case .force: "F"
            }
        return [
            .init(label, Style.plain.adding(.bold)),
            .init(": \(doing)", key == .force ? .tone(.danger) : .plain),
        ]
    }

    private var second: [Canvas.Span] {
        let label: String
        switch key {
        case .none: return []
        case .enter: label = "any other key"
        case .yes, .force: label = "n or Esc"
        case .line: label = "Esc"
        }
        return [.init(label, Style.plain.adding(.bold)), .init(": \(otherwise)")]
    }

    private static func width(_ spans: [Canvas.Span]) -> Int { spans.reduce(0) { $0 + $1.text.cells } }

    private func fits(in columns: Int) -> Bool {
        Self.width(first) + Self.gap + Self.width(second) <= columns
    }

    /// The number of lines that they take: one, or one each.
    package func rows(columns: Int) -> Int { second.isEmpty || fits(in: columns) ? 1 : 2 }

    /// Draws them into the first lines of an area.
    @discardableResult
    package func draw(on canvas: inout Canvas, in area: ScreenArea) -> Places {
        let yes = draw(first, on: &canvas, in: area.split(top: 1).top)
        guard !second.isEmpty else { return Places(yes: nil, no: yes) }
        let place =
            fits(in: area.columns)
            ? area.split(top: 1).top.inset(left: yes.columns + Self.gap) : area.inset(top: 1).split(top: 1).top
        let no = draw(second, on: &canvas, in: place)
        return Places(yes: key == .force ? nil : yes, no: no)
    }

    /// Returns the area that was written to.
    private func draw(_ spans: [Canvas.Span], on canvas: inout Canvas, in line: ScreenArea) -> ScreenArea {
        var column = 0
        for span in spans {
            column += canvas.write(
                span.text.shortened(to: max(0, line.columns - column)), row: 0, column: column, in: line, span.style)
        }
        return line.split(left: column).left
    }
}
