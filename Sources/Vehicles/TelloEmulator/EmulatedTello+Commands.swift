extension EmulatedTello {
    /// From a command to an immediate answer, seconds.
    static let soon = 0.04
    /// The most bytes of a command.
    private static let mostBytes = 256

    /// A datagram has come to the port of commands, from the ground of that number.
    package mutating func receive(_ bytes: some Collection<UInt8>, from ground: Int = 0) {
        sender = ground
        guard bytes.count <= Self.mostBytes, bytes.allSatisfy({ (0x20...0x7E).contains($0) }) else { return }
        let text = String(decoding: Array(bytes), as: UTF8.self)
        let words = text.split(separator: " ").map(String.init)
        guard let name = words.first else { return }
        if name == "command" { return enterCommandMode() }
        // Until then nothing is answered.
        guard isInCommandMode else { return }
        guard settings.isActivated else { return answer("error", after: Self.soon) }
        if name == "rc" { return takeSticks(words.dropFirst().map { Int($0) }) }
        if name.hasSuffix("?") { return answerQuestion(name) }
        if name == "EXT", settings.edition == .sdk30 {
            lastCommandAt = now
            return obeyExpansion(Array(words.dropFirst()))
        }
        guard isKnown(name) else { return answer("unknown command: \(name)", after: Self.soon) }
        lastCommandAt = now
        if commands.count < 10_000 { commands.append(text) }
        switch name {
        case "emergency":
            // Often not answered, so never here.
            if motorsRun { activity = .falling }
        case "stop": stop()
        case _ where Self.settingNames.contains(name): set(name, Array(words.dropFirst()))
        case _ where Self.thirdNames.contains(name): obeyThird(name, Array(words.dropFirst()))
        default: execute(name, Array(words.dropFirst()))
        }
    }

    private mutating func enterCommandMode() {
        if settings.isChatty, !isInCommandMode {
            answers.append(Answer(at: now, bytes: [0xCC, 0x58, 0x00, 0x7C], ground: sender))
        }
        guard settings.isActivated else { return answer("error", after: Self.soon) }
        isInCommandMode = true
        lastCommandAt = now
        answer("ok", after: Self.soon)
    }

    private func isKnown(_ name: String) -> Bool {
        let names: Set<String> = [
            "emergency", "takeoff", "land", "up", "down", "left", "right", "forward", "back", "cw", "ccw", "go", "flip",
            "curve", "speed", "streamon", "streamoff",
        ]
        let later: Set<String> = ["stop", "jump", "mon", "moff", "mdirection", "ap"]
        return names.contains(name) || (settings.edition != .sdk13 && later.contains(name))
            || (settings.edition == .sdk30 && Self.thirdNames.contains(name))
    }

    private mutating func takeSticks(_ values: [Int?]) {
        let numbers = values.compactMap(\.self)
        guard values.count == 4, numbers.count == 4, numbers.allSatisfy({ (-100...100).contains($0) }) else { return }
        lastCommandAt = now
        // During a move they end nothing.
        if activity == .hovering { sticks = numbers }
    }

    private mutating func answerQuestion(_ name: String) {
        let known: String? =
            switch (name, settings.edition) {
            case ("battery?", _): "\(Int(settings.battery))\r\n"
            case ("speed?", _): "\(chosenSpeed ?? 100).0\r\n"
            case ("time?", _): "\(Int(motorSeconds))s\r\n"
            case ("wifi?", _): "90"
            case ("sdk?", .sdk20): "20"
            case ("sdk?", .sdk30): "30"
            case ("sn?", .sdk20), ("sn?", .sdk30): "0TQZEMULATED01"
            case ("hardware?", .sdk30): "RMTT"
            // Those that the later editions have dropped.
            case ("height?", .sdk13): "\(Int(body.z * 10))dm\r\n"
            case ("temp?", .sdk13): "60~63C\r\n"
            case ("attitude?", .sdk13): "pitch:0;roll:-1;yaw:\(yawDegrees);\r\n"
            case ("baro?", .sdk13): "94.480000\r\n"
            case ("acceleration?", .sdk13): "agx:-10.00;agy:16.00;agz:-999.00;\r\n"
            case ("tof?", .sdk13): "\(rangeMillimetres)mm\r\n"
            default: nil
            }
        guard let known else { return answer("unknown command: \(name)", after: Self.soon) }
        lastCommandAt = now
        answer(known, after: 0.02)
    }

    private mutating func stop() {
        switch activity {
        case .moving, .settling:
            body.hold()
            activity = .hovering
            sticks = [0, 0, 0, 0]
            answer("ok", after: Self.soon)
            answer("forced stop", after: 2 * Self.soon, to: mover)
        case .hovering:
            sticks = [0, 0, 0, 0]
            answer("ok", after: Self.soon)
        case .standing, .takingOff, .landing, .falling: answer("ok", after: Self.soon)
        }
    }

    private mutating func execute(_ name: String, _ arguments: [String]) {
        if isBusy {
            if !settings.dropsWhenBusy { answer("error Not joystick", after: Self.soon) }
            return
        }
        switch (name, activity) {
        case ("takeoff", .standing):
            guard settings.battery >= Self.emptyPercent else { return answer("error", after: Self.soon) }
            beginTakeOff()
        case ("takeoff", _): answer("error", after: Self.soon)
        case (_, .standing), (_, .falling): answer("error Motor stop", after: Self.soon)
        case ("land", _): beginLanding(answers: true)
        default:
            if settings.isDark { return answer("error No valid imu", after: Self.soon) }
            switch name {
            case "flip": flip(arguments)
            case "curve": curve(arguments)
            case "jump": jump(arguments)
            case "go" where arguments.count == 5 && settings.edition != .sdk13: goOverPad(arguments)
            case "go": go(arguments.compactMap { Int($0) })
            default: move(name, arguments.map { Int($0) })
            }
        }
    }

    private mutating func move(_ name: String, _ arguments: [Int?]) {
        guard arguments.count == 1, let number = arguments[0] else { return answer("error", after: Self.soon) }
        let isTurn = name == "cw" || name == "ccw"
        guard (isTurn ? 1...360 : 20...500).contains(number) else { return answer("out of range", after: Self.soon) }
        guard !isTurn else {
            let rate = Double.pi / 2
            let seconds = Double(number) * .pi / 180 / rate
            return beginMove(turn: name == "cw" ? -rate : rate, seconds: seconds)
        }
        let speed = chosenSpeed.map { Double($0) / 100 } ?? 0.5
        let seconds = Double(number) / 100 / speed
        switch name {
        case "forward": beginMove(forward: speed, seconds: seconds)
        case "back": beginMove(forward: -speed, seconds: seconds)
        case "left": beginMove(left: speed, seconds: seconds)
        case "right": beginMove(left: -speed, seconds: seconds)
        case "up": beginMove(up: speed, seconds: seconds)
        default: beginMove(up: -speed, seconds: seconds)
        }
    }

    private mutating func go(_ numbers: [Int]) {
        guard numbers.count == 4 else { return answer("error", after: Self.soon) }
        let way = numbers.prefix(3)
        guard way.allSatisfy({ (-500...500).contains($0) }), way.contains(where: { $0.magnitude > 20 }),
            (10...100).contains(numbers[3])
        else { return answer("out of range", after: Self.soon) }
        let metres = way.map { Double($0) / 100 }
        let length = (metres[0] * metres[0] + metres[1] * metres[1] + metres[2] * metres[2]).squareRoot()
        let speed = Double(numbers[3]) / 100
        let share = speed / length
        beginMove(
            forward: metres[0] * share, left: metres[1] * share, up: metres[2] * share, seconds: length / speed)
    }

    // MARK: The state

    /// Degrees, clockwise from where it looked when it was switched on.
    private var yawDegrees: Int { Int(exactly: (-body.yaw * 180 / .pi).rounded()) ?? 0 }

    /// A datagram of its state.
    package var stateLine: String {
        func whole(_ value: Double) -> Int { Int(exactly: value.rounded()) ?? 0 }
        let speeds = (
            // Decimetres per second; its y is to the right, and z down.
            x: whole(body.velocity.x * 10), y: whole(-body.velocity.y * 10), z: whole(-body.velocity.z * 10)
        )
        // In steps of 10 cm, 10 cm too low, as barometers are.
        let height = max(-10, whole(body.z * 10) * 10 - 10)
        let range = max(10, whole(body.z * 100))
        return padPart
            + "pitch:0;roll:-1;yaw:\(yawDegrees);vgx:\(speeds.x);vgy:\(speeds.y);vgz:\(speeds.z);templ:60;temph:63;"
            + "tof:\(range);h:\(height);bat:\(Int(settings.battery));baro:94.48;time:\(Int(motorSeconds));"
            + "agx:-10.00;agy:16.00;agz:-999.00;\r\n"
    }
}
