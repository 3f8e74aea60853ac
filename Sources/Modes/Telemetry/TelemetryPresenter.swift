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
    private var published: [String] = []
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
            published = []
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
        case .enlarge: state.isEnlarged.toggle()
        case .shrink: state.isEnlarged = false
        case .scroll(let lines): scroll(to: state.scroll + (state.focus == .messages ? -lines : lines))
        case .scrollToEnd(let isEnd): scroll(to: isEnd == (state.focus == .messages) ? 0 : .max)
        case .selectTopic(let step): choose(step)
        case .openTopicPrompt: openTopicPrompt()
        case .typed(let text): suggest(text)
        case .addTopic(let name): add(name)
        case .cancelTopicPrompt: state.prompt = nil
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
        state.panels = TelemetryPanel.showing(interactor.capabilities.telemetry)
        if !state.panels.contains(state.focus), let first = state.panels.first { state.focus = first }
        state.vehicle = interactor.title?.sanitizedLine ?? ""
        if isSeen(.motion) { state.motion = words.motion }
        if isSeen(.vehicle) {
            state.vehicleLines = words.vehicle(batteryLeft: history.batteryLeft(at: now))
            state.hostLines = hostLoads.lines
            state.ratesSummary = words.ratesSummary
        }
        if isSeen(.trail) { state.trail = words.trail(history.trail(at: now)) }
        if isSeen(.sparklines) {
            state.sparklines =
                SparklineFormatter(history: history, parts: interactor.capabilities.telemetry).sparklines
        }
        if isSeen(.messages) { state.messages = words.messages }
        if isSeen(.rates) { state.rates = words.rates }
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
        case .vehicle:
            state.vehicleLines.count + (state.panels.contains(.rates) ? 1 : 0) + state.hostLines.count
        case .trail: 0
        case .sparklines: state.sparklines.count
        case .messages: state.messages.count
        case .rates: state.rates.count
        case .topics: state.topics.reduce(0) { $0 + 1 + $1.fields.count }
        }
    }

    // MARK: Topics

    private func choose(_ step: Int) {
        guard !state.topics.isEmpty else { return }
        state.selectedTopic = (state.selectedTopic + step + state.topics.count) % state.topics.count
        // Scrolls to the chosen topic's first line.
        let above = state.topics[..<state.selectedTopic].reduce(0) { $0 + 1 + $1.fields.count }
        if state.focus == .topics { scroll(to: above) }
    }

    private func openTopicPrompt() {
        guard interactor.snapshot != nil else {
            return router.say(Notice(.warning, "log in to a vehicle before adding a topic"))
        }
        state.prompt = TopicPrompt()
        state.prompt?.note = "requesting the list of topics"
        tasks.start { [interactor, weak self] in
            let answer: Result<[PublishedTopic], LinkError>
            do throws(LinkError) {
                answer = .success(try await interactor.publishedTopics())
            } catch {
                answer = .failure(error)
            }
            self?.take(answer)
        }
    }

    private func take(_ answer: Result<[PublishedTopic], LinkError>) {
        switch answer {
        case .success(let topics):
            published = topics.map(\.name.sanitizedLine).sorted()
            state.prompt?.note = ""
            if state.prompt != nil { suggest(typed) }
        case .failure(let error): state.prompt?.note = error.description
        }
        show()
    }

    private var typed = ""

    private func suggest(_ text: String) {
        typed = text
        let (first, rest) = published.filter { $0.contains(text) }.reduce(into: ([String](), [String]())) {
            if $1.hasSuffix("/" + text) || $1.hasPrefix(text) { $0.0.append($1) } else { $0.1.append($1) }
        }
        state.prompt?.suggestions = Array((first + rest).prefix(Self.suggestions))
    }

    private func add(_ name: String) {
        state.prompt = nil
        typed = ""
        guard !name.isEmpty else { return }
        do {
            _ = try interactor.addTopic(name)
            state.selectedTopic = interactor.topics.count - 1
            state.focus = .topics
            state.scroll = 0
        } catch {
            router.say(Notice(.error, error.description))
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
