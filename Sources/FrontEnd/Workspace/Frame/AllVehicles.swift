internal import FlightControl
internal import ModeKit

/// What concerns all vehicles: selecting another one, commanding all of them, and the end of the program.
extension WorkspacePresenter {
    /// Selects the next vehicle; motion is stopped first.
    func nextVehicle() {
        guard hasSeveralVehicles else { return }
        router.stopMotion(.otherVehicle)
        interactor.selectNext()
        refresh()
    }

    /// Whether more than one vehicle is logged in; otherwise that is said.
    private var hasSeveralVehicles: Bool {
        guard interactor.vehicleCount < 2 else { return true }
        let words = interactor.hasVehicle ? PaletteItem.onlyOneVehicle : "no vehicle is logged in"
        say(Notice(.warning, words))
        return false
    }

    /// Commands go to all vehicles, after a question, or to the selected one only again.
    func commandAll() {
        guard hasSeveralVehicles || interactor.commandsAll else { return }
        if interactor.commandsAll {
            interactor.setCommandsAll(false)
            return say(Notice(.information, "commands go to the selected vehicle only", scope: .vehicle))
        }
        ask(
            .commandAll, title: "Command all \(interactor.vehicleCount) vehicles",
            text: "Take-off, landing, hover and emergency landing go to all of them until F5 is pressed again. "
                + "Steering applies only to the selected one.",
            action: "command all")
    }

    /// Ends the program, after a question if that ends something.
    func quit() {
        let airborne = interactor.airborne(isSimulated: false)
        let unheard = interactor.airborne(isSimulated: false, isLost: true)
        let (simulated, lost) = (interactor.airborne(isSimulated: true), losses())
        let recorded = interactor.openRecordings
        guard ![airborne, unheard, simulated, lost, recorded].allSatisfy(\.isEmpty) else { return end() }
        var facts: [String] = []
        if !airborne.isEmpty {
            let isOne = airborne.count == 1
            facts.append(
                "\(airborne.joined(separator: ", ")) \(isOne ? "is" : "are") in the air. When you quit, steering ends with hover; "
                    + "a landing, a goto or a trajectory continues.")
        }
        if !unheard.isEmpty {
            facts.append(
                "\(unheard.joined(separator: ", ")): in the air when the link was lost; nothing reaches it now.")
        }
        if !simulated.isEmpty {
            facts.append(
                "\(simulated.joined(separator: ", ")) is in the air, simulated in this program, and ends with it.")
        }
        if !lost.isEmpty { facts.append("Lost when you quit: \(lost.joined(separator: ", ")).") }
        // As the log-out asks: nothing of it is lost, but the rest of the flight is not in it.
        if !recorded.isEmpty { facts.append("Ends when you quit: \(recorded.joined(separator: ", ")).") }
        ask(
            .quit, title: airborne.isEmpty && unheard.isEmpty && simulated.isEmpty ? "Quit" : "Quit in flight",
            text: facts.joined(separator: " "), action: "quit")
    }
}
