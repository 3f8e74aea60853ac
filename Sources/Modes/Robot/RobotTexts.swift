internal import GameController
internal import ModeKit
internal import ReportKit
internal import UAVLink

/// The words of the mode.
enum RobotTexts {
    static func connection(_ phase: RobotState.Phase, _ radio: RobotRadioState? = nil) -> (RobotIndicator, String) {
        switch phase {
        case .closed where radio?.progress != nil, .lost where radio?.progress != nil:
            (.searching, radio?.progress?.sanitizedLine ?? "")
        case .closed: (.off, "not connected")
        case .starting: (.starting, "open; the board may still be starting")
        case .ready: (.ready, "ready")
        case .lost(let why): (.lost, "lost: \(why.sanitizedLine); it is tried again every second")
        }
    }

    /// - Parameter before: what was shown: the selection stays on its board when others come and go.
    static func radio(_ radio: RobotRadioState, selected before: RobotRadioView?) -> RobotRadioView {
        var view = RobotRadioView()
        view.isScanning = radio.isScanning
        view.words =
            radio.problem.map(\.sanitizedLine)
            ?? (radio.isScanning ? "scanning" : radio.boards.isEmpty ? "s scans for boards" : "not scanning")
        view.boards = radio.boards.map { board in
            let facts = [board.name, board.rssi.map { "\($0) dBm" }, board.isConnected ? "connected" : nil]
            return KeyHelp(board.address, facts.compactMap { $0?.sanitizedLine }.joined(separator: "  "))
        }
        let address = before.flatMap { $0.boards.indices.contains($0.selected) ? $0.boards[$0.selected].keys : nil }
        view.selected = view.boards.firstIndex { $0.keys == address } ?? 0
        return view
    }

    static func controller(_ state: GamepadsState) -> String {
        switch state {
        case .starting: "looking for a game controller"
        case .unusable(let why): why.sanitizedLine
        case .none: "no game controller is plugged in"
        case .plugged(let pad): pad.name.sanitizedLine
        }
    }

    /// In front of a line: to the robot, from it, or about the connection.
    static func sign(_ kind: RobotLogLine.Kind) -> String {
        switch kind {
        case .sent: ">"
        case .received: "<"
        case .status: "*"
        }
    }

    /// The prompt for a new task.
    static let newTask = Prompt(
        RobotPrompt.task, title: "New task", about: "its name, and the text that starts it in the robot's program",
        hint: "Dance = 5")

    static func deleting(_ task: RobotTask) -> ConfirmationRequest {
        ConfirmationRequest(
            title: "Delete this task?",
            facts: [LabeledValue("name", task.name.sanitizedLine), LabeledValue("text", task.text.sanitizedLine)],
            action: "delete it", otherwise: "it stays")
    }

    /// - Parameter lost: the tasks that only the present list has.
    static func restoring(_ lost: [RobotTask]) -> ConfirmationRequest {
        ConfirmationRequest(
            title: "Put the default tasks in place of these?",
            facts: lost.map { LabeledValue("lost", "\($0.name.sanitizedLine) = \($0.text.sanitizedLine)") },
            action: "default tasks", otherwise: "these stay")
    }

    static func line(_ line: RobotLogLine, since begin: MonotonicTime, isHex: Bool) -> RobotConsoleLine {
        let isBytes = isHex && line.kind != .status
        return RobotConsoleLine(
            time: (line.at - begin).inSeconds.formatted(decimals: 2), kind: line.kind,
            text: isBytes ? HexBytes.text(line.bytes) : line.text.sanitizedLine)
    }

    static func facts(address: String, _ robot: RobotState, lines: [RobotLogLine], now: MonotonicTime) -> [KeyHelp] {
        var facts = [KeyHelp("Address", address.sanitizedLine)]
        if let last = robot.lastLine {
            facts.append(KeyHelp("Last line", "\((now - last.at).inSeconds.formatted(decimals: 1)) s ago"))
        } else {
            facts.append(KeyHelp("Last line", "none yet; a robot need not say anything"))
        }
        facts.append(KeyHelp("Waiting", "\(robot.waitingBytes) bytes to be sent"))
        facts.append(KeyHelp("Task", robot.task.map { $0.name.sanitizedLine } ?? "not known"))
        if let status = lines.last(where: { $0.kind == .status }) {
            facts.append(KeyHelp("Last event", status.text.sanitizedLine))
        }
        return facts
    }
}
