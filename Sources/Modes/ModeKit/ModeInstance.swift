package import FlightControl
package import UAVLink

/// The view of a mode; each mode has its own protocol for what the view can show.
@MainActor
package protocol ModeView: AnyObject {}

/// The view of a mode, which shows its screen state.
@MainActor
package protocol StateView<State>: ModeView {
    /// What the view shows.
    associatedtype State
    /// Shows a state.
    func show(_ state: State)
}

/// The Presenter of a mode that shows what the vehicles do.
@MainActor
package protocol ModePresenter<State>: AnyObject {
    /// What its view shows.
    associatedtype State
    /// The view, which holds its Presenter.
    var view: (any StateView<State>)? { get set }
    /// Shows the first state.
    func begin()
    /// Reads the vehicles and updates the view; called for new telemetry, and for the time that passes.
    func look()
}

extension ModePresenter {
    /// Shows what there is, by default.
    package func begin() { look() }
}

/// A mode instance made by a Builder: its screen, and the work to end when it is left.
///
/// ```
///            Builder wires
///   View ─────── intent ───────▶ Presenter ──────────▶ Interactor ──▶ links, files, planners
///    ▲                               │  ▲                   │
///    ╰──────── screen state ─────────╯  ╰─────Entities──────╯
///                                    Router opens, closes, switches modes (Stage)
/// ```
///
/// The View holds its Presenter, the Presenter its Interactor and Router; references in the other direction are weak. So
/// a detached mode without other references is deallocated, which a test verifies for each mode.
@MainActor
package final class ModeInstance {
    package let mode: Mode
    /// Its screen.
    package let view: any ModeView
    private let stop: (StopCause) -> Void
    private let settle: () async -> Void
    private var end: (() -> Void)?
    private let updates: UpdateLimiter.Observation?

    /// Creates a mode instance.
    ///
    /// - Parameters:
    ///   - updates: what refreshes its screen; ended when it is detached.
    ///   - onStop: ends every motion that the mode causes; the mode stays open.
    ///   - onDetach: cancels its tasks and stops its motion; called once.
    ///   - settle: returns when the work begun by `onDetach` is done, such as the answer to hover; has its own timeout.
    package init(
        _ mode: Mode, view: any ModeView, updates: UpdateLimiter.Observation? = nil,
        onStop: @escaping (StopCause) -> Void = { _ in },
        onDetach: @escaping () -> Void, settle: @escaping () async -> Void = {}
    ) {
        self.mode = mode
        self.view = view
        self.updates = updates
        stop = onStop
        end = onDetach
        self.settle = settle
    }

    /// Creates the instance of a mode that shows what the vehicles do: shows its first state, and calls its Presenter from then on.
    ///
    /// - Parameters:
    ///   - fleet: the vehicles.
    ///   - shortest: the least time between two calls of ``ModePresenter/look()``, however often there is new telemetry.
    ///   - longest: the time after which it is called without new telemetry.
    ///   - onStop: as above; so are `onDetach` and `settle`.
    package convenience init<State>(
        _ mode: Mode, of presenter: some ModePresenter<State>, view: any StateView<State>, fleet: Fleet,
        atMostEvery shortest: Duration, atLeastEvery longest: Duration,
        onStop: @escaping (StopCause) -> Void = { _ in },
        onDetach: @escaping () -> Void, settle: @escaping () async -> Void = {}
    ) {
        presenter.view = view
        presenter.begin()
        let updates = fleet.updates.observe(
            .telemetry, atMostEvery: shortest, atLeastEvery: longest
        ) { [weak presenter] in presenter?.look() }
        self.init(mode, view: view, updates: updates, onStop: onStop, onDetach: onDetach, settle: settle)
    }

    /// Ends every motion that the mode causes.
    package func stopMotion(_ cause: StopCause) { stop(cause) }

    /// Ends the mode's work. Safe to call twice.
    package func detach() {
        updates?.end()
        end?()
        end = nil
    }

    /// As ``detach()``, but also waits for the vehicle's answer.
    package func detachAndWait() async {
        detach()
        await settle()
    }
}

/// Why motion is ended from outside the mode.
package enum StopCause: Hashable, Sendable {
    /// The user pressed a stop key.
    case user
    /// The terminal does not answer: key releases would not be noticed.
    case terminalSilent
    /// The program is about to be suspended.
    case suspended
    /// Another vehicle was selected.
    case otherVehicle
    /// The user gave a command that itself moves the vehicle or ends the flight.
    case command(Command)
}

/// The modes, each with its own screen.
package enum Mode: String, Sendable, CaseIterable {
    /// Log-in to a vehicle.
    case login
    /// Selection of a mode.
    case menu
    /// Manual flight.
    case joystick
    /// Telemetry display.
    case telemetry
    /// A route on a map, flown as a trajectory.
    case mapTrajectory
    /// A route through a point cloud map.
    case indoor
    /// A shell on the vehicle.
    case terminal
    /// Measurement of the links.
    case latencyLab
    /// Driving a machine by text.
    case robot
    /// A flight plan of the machine's own commands.
    case flightPlan
}

/// The place where modes are shown; used by their Routers.
@MainActor
package protocol Stage: AnyObject {
    /// Opens another mode; the current one is detached.
    func open(_ mode: Mode)
    /// Goes back to the menu, or to the log-in when no vehicle is logged in.
    func goBack()
    /// Quits the program; asks first when a vehicle is airborne.
    func quit()
    /// Shows a notice in the notice line of every screen.
    func say(_ notice: Notice)
}
