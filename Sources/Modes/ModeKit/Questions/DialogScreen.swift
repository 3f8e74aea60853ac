package import TextScreen

/// The screen state of a mode with prompts and confirmations.
package protocol DialogScreenState: Equatable {
    /// What is asked for by prompts.
    associatedtype Kind: PromptKind
    /// The state before anything was shown.
    init()
    /// The open prompt.
    var prompt: Prompt<Kind>? { get }
    /// The confirmation that is waited for.
    var confirmation: ConfirmationRequest? { get }
}

extension DialogScreenState {
    /// The open prompt as a dialog: a replaced text is taken over, otherwise the typed one is kept.
    fileprivate var question: Question? {
        prompt.map {
            Question(
                id: ["\($0.kind)", "\($0.revision)"], title: $0.title, text: $0.text, about: $0.about,
                hint: $0.hint, note: $0.note, completes: $0.kind.completes, isCompleted: $0.revision > 0)
        }
    }
}

/// What a screen with prompts and confirmations keeps: its state and area, the dialog over it, and who receives its intents.
@MainActor
package final class DialogScreenHead<State: DialogScreenState, Intent: DialogIntent> {
    /// The state that is shown.
    package fileprivate(set) var state = State()
    /// The area in which the screen is drawn; `nil` until it is known.
    package fileprivate(set) var area: ScreenArea?
    fileprivate var needsFrame: (() -> Void)?
    fileprivate var dialog = DialogLayer()
    fileprivate let send: (Intent) -> Void

    /// A head; `send` receives the user's intents.
    package init(send: @escaping (Intent) -> Void) { self.send = send }
}

/// A screen with prompts and confirmations: they are drawn over its content, and take the events while they are open.
@MainActor
package protocol DialogScreen: Screen {
    /// What the screen shows.
    associatedtype State: DialogScreenState
    /// What the user wants on the screen.
    associatedtype Intent: DialogIntent
    /// The state, the dialog and the receiver of intents.
    var head: DialogScreenHead<State, Intent> { get }
    /// The keys while no dialog is open, most important first.
    var contentKeys: [KeyHelp] { get }
    /// The keys that do nothing now but say why, while no dialog is open.
    var contentRefusals: [RefusedKey] { get }
    /// The intent for a new size of the area.
    func sized(_ area: ScreenArea) -> Intent
    /// Prepares what drawing needs; called after a change of the state or the area.
    func prepare()
    /// Draws the last screen state, without the dialogs.
    func drawContent(on canvas: inout Canvas, in area: ScreenArea)
    /// Handles a key while no dialog is open; `false` when it has no meaning here.
    func handle(_ key: KeyEvent) -> Bool
    /// Handles the mouse while no dialog is open; `false` when it has no meaning here.
    func handle(_ mouse: MouseEvent) -> Bool
}

extension DialogScreen {
    /// The state that is shown.
    package var state: State { head.state }
    /// The area in which it is drawn; `nil` until it is known.
    package var area: ScreenArea? { head.area }
    /// Receives the user's intents.
    package var send: (Intent) -> Void { head.send }

    /// Called when there is something new to draw.
    package var needsFrame: (() -> Void)? {
        get { head.needsFrame }
        set { head.needsFrame = newValue }
    }

    /// No reasons by default.
    package var contentRefusals: [RefusedKey] { [] }

    /// Nothing to prepare by default.
    package func prepare() {}

    package func show(_ state: State) {
        guard state != head.state else { return }
        head.dialog.show(state.question, state.confirmation)
        head.state = state
        prepare()
        needsFrame?()
    }

    /// Sets the area, and tells the Presenter the size.
    package func resize(to area: ScreenArea) {
        guard area != head.area else { return }
        head.area = area
        head.dialog.resize(to: area)
        prepare()
        send(sized(area))
    }

    /// Whether letters are text input and not commands.
    package var takesText: Bool { head.dialog.takesText }

    /// Whether a confirmation is open.
    package var isAsking: Bool { head.dialog.isAsking }

    /// What the open confirmation asks; `nil` without one.
    package var openQuestion: String? { head.dialog.openQuestion }

    package var keys: [KeyHelp] { head.dialog.help ?? contentKeys }
    package var refusedKeys: [RefusedKey] { head.dialog.help == nil ? contentRefusals : [] }

    /// Draws the last screen state.
    package func draw(on canvas: inout Canvas, in area: ScreenArea) {
        drawContent(on: &canvas, in: area)
        head.dialog.draw(on: &canvas, in: area)
    }

    /// Handles a terminal event; `false` when it has no meaning here.
    package func handle(_ event: InputEvent) -> Bool {
        if let outcome = head.dialog.handle(event) {
            let isTaken = outcome.pass(to: send) { needsFrame?() }
            // Whatever a question takes Space for, it hovers too.
            return isTaken && !(outcome == .decline && event.isSpace)
        }
        return switch event {
        case .key(let key): key.phase != .release && handle(key)
        case .mouse(let mouse): handle(mouse)
        default: false
        }
    }
}

extension InputEvent {
    /// Whether the space bar was pressed.
    package var isSpace: Bool {
        guard case .key(let key) = self else { return false }
        return key.isPress(of: .character(" "))
    }
}
