internal import LatencyOutput
internal import LatencyMeasurement
internal import ModeKit
internal import TextScreen

/// The key bindings of the latency laboratory. Space is not bound here: it commands hover on every screen without text input.
enum LatencyLabKeys {
    private static let leaf = 10
    /// To the first or the last line, however many there are.
    private static let whole = 1_000_000

    static func intent(_ key: KeyEvent, _ state: LatencyLabScreenState) -> LatencyLabIntent? {
        switch state.phase {
        case .choosing: choosing(key, hasResults: state.setup.hasResults)
        // While the measurement is ending, Esc leaves the screen.
        case .measuring: state.progress.isEnding ? nil : measuring(key)
        case .reading: reading(key)
        }
    }

    private static func choosing(_ key: KeyEvent, hasResults: Bool) -> LatencyLabIntent? {
        switch (key.key, key.modifiers) {
        case (.up, []), (.character("k"), []): .move(-1)
        case (.down, []), (.character("j"), []), (.tab, []): .move(1)
        case (.tab, .shift): .move(-1)
        case (.home, []): .move(-whole)
        case (.end, []): .move(whole)
        case (.pageUp, []): .move(-leaf)
        case (.pageDown, []): .move(leaf)
        case (.left, []), (.character("h"), []): .change(-1)
        case (.right, []), (.character("l"), []): .change(1)
        case (.enter, []): .take
        case (.delete, []), (.backspace, []): .remove
        case (.character("c"), []): .typeCondition
        case (.character("s"), []): .start
        case (.character("r"), []): hasResults ? .showResults : nil
        default: nil
        }
    }

    private static func measuring(_ key: KeyEvent) -> LatencyLabIntent? {
        key.isPress(of: .escape) || key.isPress(of: .character("x")) ? .stop : nil
    }

    private static func reading(_ key: KeyEvent) -> LatencyLabIntent? {
        switch (key.key, key.modifiers) {
        case (.tab, []): return .nextPage(1)
        case (.tab, .shift): return .nextPage(-1)
        case (.left, []), (.character("h"), []): return .nextCondition(-1)
        case (.right, []), (.character("l"), []): return .nextCondition(1)
        case (.up, []), (.character("k"), []): return .scroll(-1)
        case (.down, []), (.character("j"), []): return .scroll(1)
        case (.pageUp, []): return .scroll(-leaf)
        case (.pageDown, []): return .scroll(leaf)
        case (.home, []): return .scroll(-whole)
        case (.end, []): return .scroll(whole)
        case (.character("m"), []): return .nextKind(1)
        case (.character("w"), []): return .save
        case (.character("n"), []), (.escape, []): return .newMeasurement
        case (.character(let character), []):
            let pages = LatencyLabPage.allCases
            guard let number = character.wholeNumberValue, pages.indices.contains(number - 1) else { return nil }
            return .page(pages[number - 1])
        default: return nil
        }
    }

    /// Beginning a measurement.
    static let start = KeyHelp("s", "start")

    /// The keys that do something in a state, the most useful first.
    ///
    /// - Parameter area: where the screen is drawn; `nil` until that is known.
    static func help(_ state: LatencyLabScreenState, in area: ScreenArea?) -> [KeyHelp] {
        switch state.phase {
        case .choosing:
            return (state.setup.obstacle == nil ? [start] : []) + [
                KeyHelp("Enter", "choose, type"), KeyHelp("↑ ↓", "line"), KeyHelp("← →", "change value"),
                KeyHelp("c", "condition"),
            ] + (state.setup.hasResults ? [KeyHelp("r", "last results")] : [])
                + [KeyHelp("Del", "remove"), KeyHelp("Esc", "back")]
        case .measuring:
            return state.progress.isEnding
                ? [KeyHelp("Esc", "back")] : [KeyHelp("Esc x", "end, keep results")]
        case .reading:
            return [KeyHelp("w", "save"), KeyHelp("n Esc", "measure again"), KeyHelp("Tab 1-6", "page")]
                + (state.results.map { reading($0, in: area) } ?? [])
        }
    }

    /// What there is to choose and to scroll on the page.
    private static func reading(_ results: LatencyResultsState, in area: ScreenArea?) -> [KeyHelp] {
        var keys: [KeyHelp] = []
        if results.page != .conditions, results.shown.result.summary.conditions.count > 1 {
            keys.append(KeyHelp("← →", "condition"))
        }
        if results.page.hasKinds, results.kinds.count > 1 { keys.append(KeyHelp("m", "kind")) }
        if let area, LatencyResultsDrawing.maximumScroll(results, in: area) > 0 {
            keys += [
                KeyHelp("↑ ↓", "scroll"), KeyHelp("PgUp PgDn", "scroll"), KeyHelp("Home End", "first, last line"),
            ]
        }
        return keys
    }
}

extension LatencyLabPage {
    /// Whether it shows one kind of series at a time.
    fileprivate var hasKinds: Bool {
        switch self {
        case .distribution, .stages, .time, .conditions: true
        case .table, .verdict: false
        }
    }
}
