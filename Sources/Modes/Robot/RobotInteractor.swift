package import FlightControl
package import GameController
internal import ModeKit
package import RouteFlight
package import UAVLink
internal import VehicleAccess

/// Drives the selected vehicle by text.
///
/// What is held is told to the link again and again; the link stops the robot by itself if that ends, so a program that hangs stops it
/// too.
@MainActor
package final class RobotInteractor {
    /// From one hold to the next; well within ``UAVLink/RobotState/longestHold``.
    static let period: Duration = .milliseconds(80)
    private static let speedSteps = 16
    /// A stick counts as deflected from here.
    private static let deadZone = 0.35

    private let fleet: Fleet
    private let store: RobotStore
    private let files: any FileAccess
    private let clock: any MonotonicClock
    private let makeGamepads: @MainActor () -> any Gamepads
    private let reportsReleases: @MainActor () -> Bool
    private var hold = RobotHold()
    /// The robot that is driven now: it is released even if another vehicle was selected meanwhile.
    private var driven: (any RobotLink)?
    private(set) var gamepads: (any Gamepads)?
    private var gamepadNumber: UInt64?
    private var pressesSeen: [GamepadButton: UInt64] = [:]
    /// Whether the stick must come back to its middle before it drives again.
    private var mustCentre = true

    package init(
        fleet: Fleet, store: RobotStore, files: any FileAccess, clock: any MonotonicClock,
        reportsReleases: @escaping @MainActor () -> Bool, makeGamepads: @escaping @MainActor () -> any Gamepads
    ) {
        self.fleet = fleet
        self.store = store
        self.files = files
        self.clock = clock
        self.reportsReleases = reportsReleases
        self.makeGamepads = makeGamepads
    }

    // MARK: What there is

    var robot: (any RobotLink)? { fleet.selected?.link.capabilities.robot }
    var vehicle: LoggedInVehicle? { fleet.selected }
    var now: MonotonicTime { clock.now }
    var tab: RobotTab {
        get { store.tab }
        set { store.tab = newValue }
    }
    var isHex: Bool {
        get { store.isHex }
        set { store.isHex = newValue }
    }

    var tasks: [RobotTask] {
        guard let vehicle else { return [] }
        return store.tasks[vehicle.id] ?? vehicle.link.capabilities.robot?.program.tasks ?? []
    }

    /// The speed that is driven with; half of the highest at first.
    var speed: Int {
        guard let vehicle, let robot else { return 0 }
        return store.speeds[vehicle.id] ?? robot.program.mostSpeed / 2
    }

    // MARK: Driving

    func press(_ direction: RobotDirection) {
        if reportsReleases() { hold.reportsReleases = true }
        hold.press(direction, now: now)
        drive()
    }

    func repeats(_ direction: RobotDirection) {
        hold.repeats(direction, now: now)
        drive()
    }

    func release(_ direction: RobotDirection) {
        hold.release(direction)
        drive()
    }

    func otherKey() { hold.otherKey() }

    /// Nothing is held any more.
    func letGo() {
        hold.letGo()
        mustCentre = true
        drive()
    }

    /// Tells the link what is held now.
    func drive() {
        let direction = hold.reading(now: now) ?? stick
        guard let direction else {
            driven?.release()
            driven = nil
            return
        }
        guard let robot else { return letGoOfDriven() }
        if driven == nil {
            // What was stopped before moves by this new press.
            robot.release()
            driven = robot
        }
        guard driven === robot else { return letGoOfDriven() }
        // A refused hold is no error here: the screen shows the connection, and that nothing moves.
        _ = try? robot.hold(direction, speed: speed)
    }

    private func letGoOfDriven() {
        driven?.release()
        driven = nil
        hold.letGo()
        mustCentre = true
    }

    /// Stops the robot.
    func stop() throws(LinkError) {
        hold.letGo()
        // Another one that was driven until now, too.
        if let driven, driven !== robot { driven.release() }
        (driven, mustCentre) = (nil, true)
        guard let robot else { throw LinkError(.notConnected, "there is no robot") }
        try robot.stop()
    }

    /// Ends what this screen drives; tasks that the robot carries out by itself go on.
    func detach() {
        letGoOfDriven()
        robot?.radio?.stopScan()
        gamepads?.close()
        gamepads = nil
    }

    /// Changes the speed by steps; it is sent at once, as by the remote's slider.
    func changeSpeed(_ steps: Int) throws(LinkError) {
        guard let vehicle, let robot else { return }
        let step = max(robot.program.mostSpeed / Self.speedSteps, 1)
        let next = robot.program.limited(speed + min(max(steps, -Self.speedSteps), Self.speedSteps) * step)
        store.speeds[vehicle.id] = next
        try robot.send(speed: next)
    }

    func send(_ function: RobotFunction) throws(LinkError) {
        guard let robot else { return }
        try robot.send(robot.program.bytes(function.key))
    }

    // MARK: A game controller

    /// Opens the controllers, or closes them.
    func toggleController() {
        if let open = gamepads {
            open.close()
            (gamepads, gamepadNumber) = (nil, nil)
        } else {
            gamepads = makeGamepads()
            mustCentre = true
        }
        drive()
    }

    /// The direction of the left stick.
    private var stick: RobotDirection? {
        guard let pad = gamepads?.state.gamepad, pad.number == gamepadNumber else { return nil }
        let (x, y) = (pad.leftX, pad.leftY)
        guard max(abs(x), abs(y)) >= Self.deadZone else {
            mustCentre = false
            return nil
        }
        if mustCentre { return nil }
        if abs(y) >= abs(x) { return y > 0 ? .forward : .back }
        return x > 0 ? .right : .left
    }

    /// The presses of buttons since the last call: B stops, A, X, Y and Start are F1 to F4.
    func takeButtons() -> (stops: Bool, functions: [RobotFunction]) {
        guard let pad = gamepads?.state.gamepad else {
            gamepadNumber = nil
            return (false, [])
        }
        // Another controller, or the same plugged in again: its stick must be in the middle first.
        guard pad.number == gamepadNumber else {
            (gamepadNumber, pressesSeen, mustCentre) = (pad.number, pad.presses, true)
            return (false, [])
        }
        defer { pressesSeen = pad.presses }
        func isNew(_ button: GamepadButton) -> Bool { pad.presses(of: button) != pressesSeen[button] ?? 0 }
        let functions: [(GamepadButton, RobotFunction)] = [(.a, .f1), (.x, .f2), (.y, .f3), (.start, .f4)]
        return (isNew(.b), functions.filter { isNew($0.0) }.map(\.1))
    }

    // MARK: The radio

    /// Goes to the board with that address; what was held has to be pressed again.
    func choose(_ address: String) throws(LinkError) {
        letGoOfDriven()
        try robot?.radio?.choose(address)
    }

    /// Ends the scan; without one, leaves the board.
    func endScan() throws(LinkError) {
        guard let radio = robot?.radio else { return }
        if radio.radioState.isScanning { return radio.stopScan() }
        letGoOfDriven()
        try radio.leave()
    }

    // MARK: Tasks

    func start(_ task: RobotTask) throws(LinkError) {
        hold.letGo()
        if let driven, driven !== robot { driven.release() }
        (driven, mustCentre) = (nil, true)
        guard let robot else { return }
        try robot.start(task)
    }

    func change(_ body: (inout [RobotTask]) -> Void) {
        guard let vehicle else { return }
        var changed = tasks
        body(&changed)
        store.tasks[vehicle.id] = changed
    }

    /// The tasks that are in the present list only; `nil` if it is the default one.
    var tasksLostByRestoring: [RobotTask]? {
        guard let robot, tasks != robot.program.tasks else { return nil }
        return tasks.filter { !robot.program.tasks.contains($0) }
    }

    /// The list of the configuration file, or of the remote.
    func restoreTasks() { if let vehicle { store.tasks[vehicle.id] = nil } }

    /// Reads `NAME = TEXT`.
    ///
    /// - Throws: ``UAVLink/LinkError`` with `invalidInput`.
    func add(_ line: String) throws(LinkError) {
        guard tasks.count < RobotProgram.mostTasks else {
            throw LinkError(.invalidInput, "there are \(RobotProgram.mostTasks) tasks, the most", hint: "delete one")
        }
        let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(Self.trimmed)
        guard parts.count == 2 else {
            throw LinkError(.invalidInput, "'\(line)' has no '='", hint: "write NAME = TEXT, such as 'Dance = 5'")
        }
        let task = RobotTask(name: parts[0], text: parts[1])
        if let problem = RobotProgram.problem(task) { throw LinkError(.invalidInput, problem) }
        change { $0.append(task) }
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text.drop { $0 == " " }
        while text.last == " " { text.removeLast() }
        return String(text)
    }

    // MARK: The console

    /// Sends a line of the console: text as it is, or bytes in hexadecimal.
    func send(line: String) throws(LinkError) {
        guard let robot else { return }
        guard isHex else { return try robot.send(Array(line.utf8)) }
        guard let bytes = HexBytes.read(line) else {
            throw LinkError(.invalidInput, "'\(line)' is not bytes in hexadecimal", hint: "such as '3c 31 3e'")
        }
        try robot.send(bytes)
    }

    /// Writes the console to a file beside the others of its kind.
    ///
    /// - Returns: the file's name.
    func save(_ text: String) async throws(FileAccessError) -> String {
        for number in 1...99 {
            let path = "uavlink-robot-\(number).log"
            do throws(FileAccessError) {
                try await files.write(Array(text.utf8), to: path, replacing: false)
                return path
            } catch { guard error.isThere else { throw error } }
        }
        throw FileAccessError("99 logs of robots are there already; move them away")
    }
}
