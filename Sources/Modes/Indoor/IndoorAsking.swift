internal import FlightControl
internal import ModeKit
internal import RouteKit
internal import RouteFlight
internal import UAVLink

extension IndoorPresenter {
    /// Reads a world file, or with `auto` goes back to that of the profile or the vehicle: the map mode plans in it too.
    func openWorld(_ text: String) {
        tasks.start { [interactor, router, weak self] in
            let placed = interactor.picture
            do throws(FileAccessError) {
                if text.lowercased() == "auto" {
                    try await interactor.closeWorld()
                } else {
                    try await interactor.openWorld(text)
                }
                let line = IndoorFormatter(interactor: interactor).world
                router.say(Notice(interactor.worldProblem == nil ? .success : .warning, line))
                // A map in UTM coordinates is moved by the origin of the world.
                if interactor.picture != placed { self?.showNewMap() }
            } catch {
                self?.askAgain(.world, text, RouteText.withKeys(error.what))
            }
            self?.refresh()
        }
    }
}

/// What is read when the mode is opened, another vehicle is selected, or a lost link is open again.
extension IndoorPresenter {
    /// Reads the world that the vehicle's profile names, and asks the vehicle for its limits and its own world. Says what could not be
    /// read or used.
    func askVehicle() {
        tasks.start { [interactor, router] in
            do throws(FileAccessError) { try await interactor.openProfileWorld() } catch {
                router.say(Notice(.warning, RouteText.withKeys(error.what)))
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
