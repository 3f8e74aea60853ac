internal import FlightControl
internal import ModeKit
internal import UAVCore
internal import UAVLink

/// Turns telemetry into words and figures, and keys into what is shown of it.
@MainActor
public final class TelemetryPresenter {
    /// Where it shows things.
    public weak var view: (any TelemetryView)?
    private let interactor: TelemetryInteractor
    private let router: TelemetryRouter
    private let tasks: TaskBag
    private var state = TelemetryScreenState()
    private var published: [String] = []
    private var looks = 0
    private var topicWords = TopicWords()

    /// The vehicle is looked at 20 times a second; a person reads no more than this many of the figures.
    private static let looksPerShow = 2
    /// Suggestions under the question for a name.
    private static let suggestions = 8

    init(interactor: TelemetryInteractor, router: TelemetryRouter, tasks: TaskBag) {
        self.interactor = interactor
        self.router = router
        self.tasks = tasks
    }

    /// Looks at the vehicle, and shows what is known now and then.
    public func look() {
        let isAnother = interactor.look()
        if isAnother {
            let focus = state.focus
            state = TelemetryScreenState()
            state.focus = focus
            published = []
        }
        looks += 1
        guard isAnother || looks.isMultiple(of: Self.looksPerShow) else { return }
        show()
    }

    /// Does what the person asked for.
    public func handle(_ intent: TelemetryIntent) {
        switch intent {
        case .focus(let step):
            let panels = TelemetryPanel.allCases
            state.focus = panels[(state.focus.rawValue + step + panels.count) % panels.count]
            state.scroll = 0
        case .enlarge: state.isEnlarged.toggle()
        case .shrink: state.isEnlarged = false
        case .scroll(let lines): scroll(to: state.scroll + (state.focus == .messages ? -lines : lines))
        case .scrollToEnd(let isEnd): scroll(to: isEnd == (state.focus == .messages) ? 0 : .max)
        case .chooseTopic(let step): choose(step)
        case .askForTopic: askForTopic()
        case .typed(let text): suggest(text)
        case .addTopic(let name): add(name)
        case .cancelTopic: state.prompt = nil
        case .removeTopic: remove()
        }
        show()
    }

    // MARK: Showing

    /// Puts into words what is seen; a panel that another one hides keeps its old words.
    private func show() {
        let snapshot = interactor.snapshot
        let now = snapshot?.now ?? MonotonicTime(nanoseconds: 0)
        let words = TelemetryWords(snapshot?.telemetry, now: now)
        state.vehicle = interactor.title?.harmlessLine ?? ""
        if isSeen(.motion) { state.motion = words.motion }
        if isSeen(.vehicle) {
            state.vehicleLines = words.vehicle(batteryLeft: interactor.history.batteryLeft(at: now))
            state.ratesSummary = words.ratesSummary
        }
        if isSeen(.trail) { state.trail = words.trail(interactor.history.trail(at: now)) }
        if isSeen(.courses) { state.courses = CourseWords(history: interactor.history).courses }
        if isSeen(.messages) { state.messages = words.messages }
        if isSeen(.rates) { state.rates = words.rates }
        if isSeen(.topics) { state.topics = topicWords.topics(interactor.topics, now: now) }
        state.chosenTopic = min(state.chosenTopic, max(0, state.topics.count - 1))
        view?.show(state)
    }

    private func isSeen(_ panel: TelemetryPanel) -> Bool { !state.isEnlarged || panel == state.focus }

    private func scroll(to line: Int) {
        let hidden = max(0, lineCount - (view?.visibleLines ?? 1))
        state.scroll = min(max(0, line), hidden)
    }

    private var lineCount: Int {
        switch state.focus {
        case .motion: state.motion.count
        case .vehicle: state.vehicleLines.count + 1
        case .trail: 0
        case .courses: state.courses.count
        case .messages: state.messages.count
        case .rates: state.rates.count
        case .topics: state.topics.reduce(0) { $0 + 1 + $1.fields.count }
        }
    }

    // MARK: Topics

    private func choose(_ step: Int) {
        guard !state.topics.isEmpty else { return }
        state.chosenTopic = (state.chosenTopic + step + state.topics.count) % state.topics.count
        // The chosen one's first line comes into sight.
        let above = state.topics[..<state.chosenTopic].reduce(0) { $0 + 1 + $1.fields.count }
        if state.focus == .topics { scroll(to: above) }
    }

    private func askForTopic() {
        guard interactor.snapshot != nil else {
            return router.say(Notice(.warning, "log in to a vehicle before you add a topic of it"))
        }
        state.prompt = TopicPrompt()
        state.prompt?.note = "asking for the published topics"
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
            published = topics.map(\.name.harmlessLine).sorted()
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
            state.chosenTopic = interactor.topics.count - 1
            state.focus = .topics
            state.scroll = 0
        } catch {
            router.say(Notice(.error, error.description))
        }
    }

    private func remove() {
        guard !interactor.topics.isEmpty else {
            return router.say(Notice(.information, "no topic was added: a adds one"))
        }
        interactor.removeTopic(at: state.chosenTopic)
        state.scroll = 0
    }
}
