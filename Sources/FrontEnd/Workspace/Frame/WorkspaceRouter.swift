public import FlightControl
public import ModeKit

/// The stage: one module at a time inside the frame.
@MainActor
public final class WorkspaceRouter: Stage {
    /// Makes the module of a mode on a stage; the composition of the program knows how.
    public typealias Maker = (Mode, any Stage) -> Module

    /// What the frame is told.
    weak var presenter: WorkspacePresenter?
    private let make: Maker
    private let hasVehicle: () -> Bool
    private(set) var current: Module?

    init(make: @escaping Maker, hasVehicle: @escaping () -> Bool) {
        self.make = make
        self.hasVehicle = hasVehicle
    }

    /// Shows another mode; the present one is detached.
    public func open(_ mode: Mode) {
        current?.detach()
        let module = make(mode, self)
        current = module
        presenter?.opened(module)
    }

    /// Goes to the menu, or to the log-in when nobody is logged in.
    public func goBack() { open(hasVehicle() ? .menu : .login) }

    /// Ends the program, after asking when a vehicle is in the air.
    public func quit() { presenter?.handle(.quit) }

    /// Says something in the line that every screen has.
    public func say(_ notice: Notice) { presenter?.say(notice) }

    func stopMotion(_ cause: StopCause) { current?.stopMotion(cause) }

    func detachAndSettle() async {
        let last = current
        current = nil
        await last?.detachAndSettle()
    }
}
