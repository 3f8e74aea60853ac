internal import FlightControl
internal import MRS
internal import ModeKit
internal import TextScreen
internal import UAVLink

/// Formats telemetry for the screen, and executes intents.
@MainActor
package final class TelemetryPresenter: ModePresenter {
    package weak var view: (any TelemetryView)?
    private let interactor: TelemetryInteractor
    private let router: ModeRouter
    private let tasks: TaskBag
    private var state = TelemetryScreenState()
    private var area = ScreenArea(rows: 20, columns: 80)
    /// What was typed in the prompt.
    private var typed = ""
    /// The topic that was entered before the list of topics came.
    private var entered: String?
    private var topicFormatter = TopicFormatter()
    private var hostLoads = HostLoads()

    /// Maximum number of suggestions below the prompt.
    private static let suggestions = 8

    init(interactor: TelemetryInteractor, router: ModeRouter, tasks: TaskBag) {
        self.interactor = interactor
        self.router = router
        self.tasks = tasks
    }

    /// Reads the vehicle and updates the view; called for new telemetry.
    package func look() {
        let isAnother = interactor.look()
        if isAnother {
            let focus = state.focus
            state = TelemetryScreenState()
            state.focus = focus
            (typed, entered) = ("", nil)
            hostLoads = HostLoads()
        }
        show()
    }

    /// Shows how busy both computers are.
    func take(_ loads: HostLoads) {
        hostLoads = loads
        show()
    }

    /// Executes an intent.
    package func handle(_ intent: TelemetryIntent) {
        switch intent {
        case .resize(let rows, let columns):
            area = ScreenArea(rows: rows, columns: columns)
            scroll(to: state.scroll)
        case .focus(let step):
            let panels = state.panels
            guard !panels.isEmpty else { return }
            state.focus = panels[((panels.firstIndex(of: state.focus) ?? 0) + step + panels.count) % panels.count]
            state.scroll = 0
        case .focusPanel(let panel):
            guard state.panels.contains(panel), panel != state.focus else { return }
            (state.focus, state.scroll) = (panel, 0)
        case .enlarge:
            if state.isEnlarged || TelemetryLayout(state, in: area).hasRoom { state.isEnlarged.toggle() }
        case .shrink: state.isEnlarged = false
        case .scroll(let lines): scroll(to: state.scroll + (state.focus == .messages ? -lines : lines))
        case .scrollToEnd(let isEnd): scroll(to: isEnd == (state.focus == .messages) ? 0 : .max)
        case .selectTopic(let step): choose(step)
        case .openTopicPrompt: openTopicPrompt()
        case .typed(let text): type(text)
        case .addTopic(let name): add(name)
        case .cancelTopicPrompt: closePrompt()
        case .removeTopic: remove()
        }
        show()
    }

    // MARK: Showing

    /// Formats the visible panels; a hidden panel keeps its old text.
    private func show() {
        let (snapshot, history) = (interactor.snapshot, interactor.history)
        let now = snapshot?.now ?? MonotonicTime(nanoseconds: 0)
        let words = TelemetryFormatter(snapshot?.telemetry, of: interactor.capabilities, now: now)
        let rates = TopicRateFormatter(interactor.rates, age: (snapshot?.telemetry?.topicRates?.at).map { now - $0 })
        state.panels = TelemetryPanel.showing(
            interactor.capabilities.telemetry, canHaveTopics: !interactor.isReachedDirectly)
        if !state.panels.contains(state.focus), let first = state.panels.first { state.focus = first }
        state.hasTopics = interactor.snapshot == nil || interactor.topicObstacle == nil
        state.vehicle = interactor.title?.sanitizedLine ?? ""
        if isSeen(.motion) { state.motion = words.motion }
        if isSeen(.vehicle) {
            state.vehicleLines = words.vehicle(batteryLeft: history.batteryLeft(at: now))
            state.hostLines = hostLoads.lines
            state.ratesSummary = rates.summary
        }
        if isSeen(.trail) { state.trail = words.trail(history.trail(at: now)) }
        if isSeen(.sparklines) {
            state.sparklines =
                SparklineFormatter(
                    history: history, parts: interactor.capabilities.telemetry,
                    measuresRoundTrips: snapshot?.quality.measuresRoundTrips ?? true,
                    roundTrip: snapshot?.presentRoundTrip
                ).sparklines
        }
        if isSeen(.messages) { state.messages = words.messages }
        if isSeen(.rates) { state.rates = rates.lines }
        if isSeen(.topics) { state.topics = topicFormatter.topics(interactor.topics, now: now) }
        state.selectedTopic = min(state.selectedTopic, max(0, state.topics.count - 1))
        view?.show(state)
    }

    private func isSeen(_ panel: TelemetryPanel) -> Bool { !state.isEnlarged || panel == state.focus }

    private func scroll(to line: Int) {
        let hidden = max(0, lineCount - TelemetryLayout(state, in: area).visibleLines)
        state.scroll = min(max(0, line), hidden)
    }

    private var lineCount: Int {
        switch state.focus {
        case .motion: state.motion.count
        case .vehicle: state.allVehicleLines.count
        case .trail: 0
        case .sparklines: state.sparklines.count
        case .messages: state.messages.count
        case .rates: state.rates.count
        case .topics: rows(of: state.topics[...])
        }
    }

    private func rows(of topics: ArraySlice<TelemetryTopic>) -> Int {
        let columns = TelemetryLayout(state, in: area).columns(of: .topics)
        return topics.reduce(0) { $0 + TopicRows(topic: $1, columns: columns).count }
    }

    // MARK: Topics

    private func choose(_ step: Int) {
        guard !state.topics.isEmpty else { return }
        state.selectedTopic = (state.selectedTopic + step + state.topics.count) % state.topics.count
        // Scrolls to the chosen topic's first line.
        if state.focus == .topics { scroll(to: rows(of: state.topics[..<state.selectedTopic])) }
    }

    private func openTopicPrompt() {
        guard interactor.snapshot != nil else {
            return router.say(Notice(.warning, "log in to a vehicle before adding a topic"))
        }
        if let obstacle = interactor.topicObstacle {
            return router.say(Notice(.warning, obstacle.description, scope: .screen))
        }
        state.prompt = TopicPrompt()
        (typed, entered) = ("", nil)
        interactor.openTopicList()
        fillPrompt()
        tasks.start { [interactor, weak self] in
            await interactor.fetchTopicList()
            self?.listCame()
        }
    }

    private func closePrompt() {
        state.prompt = nil
        (typed, entered) = ("", nil)
        interactor.closeTopicList()
    }

    private func listCame() {
        guard state.prompt != nil, !interactor.topicList.isRequested else { return }
        fillPrompt()
        if let entered { add(entered) }
        show()
    }

    private func type(_ text: String) {
        (typed, entered) = (text, nil)
        state.prompt?.problem = ""
        fillPrompt()
    }

    private func fillPrompt() {
        state.prompt?.note = interactor.topicList.note
        state.prompt?.suggestions = interactor.topicList.names(with: typed, atMost: Self.suggestions)
    }

    /// Adds a topic and closes the prompt; one that cannot come is refused there.
    private func add(_ name: String) {
        guard !name.isEmpty else { return closePrompt() }
        if state.prompt != nil, interactor.topicList.isRequested {
            entered = name
            state.prompt?.note = "requesting the list of topics, to look for this one"
            return
        }
        entered = nil
        do {
            _ = try interactor.addTopic(name)
            closePrompt()
            state.selectedTopic = interactor.topics.count - 1
            state.focus = .topics
            state.scroll = 0
        } catch {
            guard state.prompt != nil else { return router.say(Notice(.error, error.description, scope: .screen)) }
            state.prompt?.problem = error.description.sanitizedLine
        }
    }

    private func remove() {
        guard !interactor.topics.isEmpty else {
            return router.say(Notice(.information, "no topic was added; press a to add one"))
        }
        interactor.removeTopic(at: state.selectedTopic)
        state.scroll = 0
    }
}
