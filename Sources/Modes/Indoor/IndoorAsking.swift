internal import FlightControl
internal import ModeKit
internal import RouteFlight
internal import UAVLink

/// What is read when the mode is opened, another vehicle is selected, or a lost link is open again.
extension IndoorPresenter {
    /// Reads the world that the vehicle's profile names, and asks the vehicle for its limits and its own world. Says what could not be
    /// read or used.
    func askVehicle() {
        tasks.start { [interactor, router] in
            do throws(FileAccessError) { try await interactor.openProfileWorld() } catch {
                router.say(Notice(.warning, error.what))
            }
            if interactor.flight != nil {
                do throws(LinkError) { try await interactor.askVehicle() } catch {
                    router.say(Notice(.warning, "cannot read the vehicle's limits: \(error.description)"))
                }
                if let warning = interactor.earlierWorld { router.say(Notice(.warning, warning)) }
            }
            if let problem = interactor.worldProblem { router.say(Notice(.warning, "world: \(problem)")) }
        }
    }
}
