public import FlightControl
internal import UAVLink

/// What a screen is to the module behind it; each module has a protocol of its own that says what it can show.
@MainActor
public protocol ModuleView: AnyObject {}

/// A module that a Builder has wired: a screen, and what must end when it goes.
///
/// ```
///            Builder wires
///   View ──what the person did──▶ Presenter ──intent──▶ Interactor ──▶ links, files, planners
///    ▲                               │  ▲                   │
///    ╰────words and figures──────────╯  ╰─────Entities──────╯
///                                    Router opens, closes, switches modules (Stage)
/// ```
///
/// The View holds its Presenter, the Presenter its Interactor and Router; nobody holds the way back but weakly. So a module
/// that is detached and let go of is gone, and a test proves it for each.
@MainActor
public final class Module {
    /// Which mode it is.
    public let mode: Mode
    /// Its screen.
    public let view: any ModuleView
    private let stop: (StopCause) -> Void
    private let settle: () async -> Void
    private var end: (() -> Void)?

    /// A wired module.
    ///
    /// - Parameters:
    ///   - onStop: ends every motion that the module causes; the module stays.
    ///   - onDetach: cancels its tasks and stops what moves; called once.
    ///   - settle: returns when what `onDetach` began is done, such as the vehicle's answer to hover; bounded by itself.
    public init(
        _ mode: Mode, view: any ModuleView, onStop: @escaping (StopCause) -> Void = { _ in },
        onDetach: @escaping () -> Void, settle: @escaping () async -> Void = {}
    ) {
        self.mode = mode
        self.view = view
        stop = onStop
        end = onDetach
        self.settle = settle
    }

    /// Ends every motion that the module causes.
    public func stopMotion(_ cause: StopCause) { stop(cause) }

    /// Ends what the module does. Safe to call twice.
    public func detach() {
        end?()
        end = nil
    }

    /// As ``detach()``, and returns when the vehicle has been told.
    public func detachAndSettle() async {
        detach()
        await settle()
    }
}

/// Why motion is ended from outside of a module.
public enum StopCause: Hashable, Sendable {
    /// The person pressed a key that stops.
    case person
    /// The terminal answers no more: nobody could tell that a key was let go of.
    case terminalSilent
    /// The program is about to be suspended.
    case suspended
    /// Another vehicle was selected.
    case otherVehicle
}

/// What a person can do, each a module with a screen.
public enum Mode: String, Sendable, CaseIterable {
    /// Getting to a vehicle.
    case login
    /// Choosing a mode.
    case menu
    /// Flying by hand.
    case joystick
    /// Watching.
    case telemetry
    /// Points on a map, and the flight through them.
    case mapTrajectory
    /// A route through a map made of points.
    case indoor
    /// A shell on the vehicle.
    case terminal
    /// Measuring the links.
    case latencyLab
}

/// Where modules stand; what their Routers know of the outside.
@MainActor
public protocol Stage: AnyObject {
    /// Shows another mode; the present one is detached.
    func open(_ mode: Mode)
    /// Goes back to where this mode was opened from: the menu, or the log-in when nobody is logged in.
    func goBack()
    /// Ends the program, after asking when a vehicle is in the air.
    func quit()
    /// Says something in the line that every screen has.
    func say(_ notice: Notice)
}
