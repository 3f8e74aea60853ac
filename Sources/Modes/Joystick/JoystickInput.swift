internal import FlightControl
internal import ReportKit
internal import UAVLink

/// What keys and settings change; the steering thread gets it at once.
extension JoystickInteractor {
    func press(_ key: StickKey) {
        if settings.source == .controller, machine.isActive {
            return tell(
                Notice(.information, "the game controller steers; release control, then c switches to the keyboard"))
        }
        board.keyboard.press(key, steers: isEngaged, at: clock.now)
        keysChanged(readAt: fleet.inputReadAt)
    }

    func repeats(_ key: StickKey) {
        // Without key releases a repetition counts as a press; with them it does not.
        guard board.keyboard.reportsReleases else { return press(key) }
        board.keyboard.repeats(key, at: clock.now)
        keysChanged()
    }

    func release(_ key: StickKey) {
        // Only a terminal that reports key releases sends one.
        board.keyboard.reportsReleases = true
        board.keyboard.release(key)
        keysChanged(readAt: fleet.inputReadAt)
    }

    func otherKey() {
        board.keyboard.otherKey()
        keysChanged()
    }

    /// - Parameter readAt: when the bytes were read that change a setpoint; `nil` if they change none.
    private func keysChanged(readAt: MonotonicTime? = nil) {
        guard settings.source == .keyboard else { return }
        run?.desk.set(board.keyboard.source, readAt: readAt)
        engageWhenReady()
    }

    func changeFrame() {
        if let frameObstacle { return tell(Notice(.information, frameObstacle)) }
        settings.frame = settings.frame == .body ? .world : .body
        run?.desk.set(frame)
    }

    func changeSpeed(_ step: Int) {
        let limits = chosenLimits.stepped(step)
        if let id = vehicle?.id { store.limits[id] = limits } else { settings.shaping.limits = limits }
        board.keyboard.set(shaping.limits)
        run?.desk.set(shaping)
    }

    func changeRate(_ step: Int) {
        guard isFree("the rate") else { return }
        let before = settings.rateHertz
        settings.rateHertz = settings.steppedRate(step)
        // On a small screen the settings of a run have no line.
        let bound = settings.rateHertz != before ? "" : step > 0 ? ", the highest" : ", the lowest"
        tell(Notice(.information, "setpoint rate: \(settings.rateHertz.formatted(decimals: 0)) Hz\(bound)"))
    }

    func changeLayout() {
        guard isFree("the stick layout") else { return }
        settings.layout = settings.layout.next
        tell(Notice(.information, "stick layout: mode \(settings.layout.rawValue)"))
    }

    func changeSource() {
        guard isFree("the input device") else { return }
        board.keyboard.letGo()
        settings.source = settings.source == .keyboard ? .controller : .keyboard
        if settings.source == .controller { openGamepads() }
        tell(
            Notice(.information, "input device: \(settings.source == .keyboard ? "keyboard" : "game controller")"))
    }

    /// Opens the game controllers, if not yet open.
    func openGamepads() { board.openGamepads() }

    private func isFree(_ what: String) -> Bool {
        if case .released = machine.state { return true }
        tell(Notice(.information, "release control before changing \(what)"))
        return false
    }
}
