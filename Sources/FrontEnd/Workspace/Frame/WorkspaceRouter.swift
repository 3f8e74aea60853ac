package import FlightControl
package import ModeKit

/// The stage: shows one mode at a time inside the workspace.
@MainActor
package final class WorkspaceRouter: Stage {
    /// Makes the instance of a mode on a stage; provided by the program's composition.
    package typealias Maker = (Mode, any Stage) -> ModeInstance

    /// The workspace's presenter.
    weak var presenter: WorkspacePresenter?
    private let make: Maker
    private let hasVehicle: () -> Bool
    private(set) var current: ModeInstance?

    init(make: @escaping Maker, hasVehicle: @escaping () -> Bool) {
        self.make = make
        self.hasVehicle = hasVehicle
    }

    /// Opens another mode; the current one is detached.
    package func open(_ mode: Mode) {
        current?.detach()
        let instance = make(mode, self)
        current = instance
        presenter?.opened(instance)
    }

    /// Goes to the menu, or to the log-in when no vehicle is logged in.
    package func goBack() { open(hasVehicle() ? .menu : .login) }

    /// Quits the program; asks first when a vehicle is airborne.
    package func quit() { presenter?.handle(.quit) }

    /// Shows a notice in the notice line of every screen.
    package func say(_ notice: Notice) { presenter?.say(notice) }

    func stopMotion(_ cause: StopCause) { current?.stopMotion(cause) }

    func detachAndWait() async {
        let last = current
        current = nil
        await last?.detachAndWait()
    }
}
