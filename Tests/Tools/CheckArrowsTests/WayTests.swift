import Foundation
import Testing

/// The ways of docs/architecture.md, followed through the sources: each call stands in the body of a function that was reached
/// before. What a stream, a closure or a lock hands over counts as a call; so does what returns before the next call.
@Suite struct WayTests {
    private enum Folder: String {
        case textScreen = "Terminal/TextScreen"
        case workspace = "FrontEnd/Workspace"
        case modeKit = "Modes/ModeKit"
        case joystick = "Modes/Joystick"
        case flightControl = "Flight/FlightControl"
        case channel = "Links/ChannelProtocol"
        case transport = "Links/SocketTransport"
        case core = "Core/UAVLink"
    }

    /// A function, by the beginning of its first line, which no other one of the file has.
    private struct Place: Hashable {
        let type: String
        let file: String
        let line: String

        init(_ folder: Folder, _ file: String, _ line: String, of type: String? = nil) {
            self.file = "Sources/\(folder.rawValue)/\(file)"
            self.line = line
            self.type = type ?? file.split(separator: "/").last.map { String($0.dropLast(".swift".count)) } ?? ""
        }
    }

    /// Where a closure or a stream is connected to what is called.
    private struct Binding {
        let file: String
        let text: String

        init(_ folder: Folder, _ file: String, _ text: String) {
            self.file = "Sources/\(folder.rawValue)/\(file)"
            self.text = text
        }
    }

    private struct Call {
        let from: Place
        /// What stands in its body.
        let text: String
        let to: Place
        /// `nil` for an ordinary call.
        var bound: Binding?
    }

    /// The most calls from one type to another.
    private static let most = 20

    private static let runLoop = Place(.workspace, "Program/FrontEnd.swift", "private func handleAll(")
    private static let screenEvent = Place(.joystick, "Screen/JoystickScreen.swift", "package func handle(_ event:")
    private static let press = Place(.joystick, "JoystickInput.swift", "func press(", of: "JoystickInteractor")
    private static let setpoint = Place(.joystick, "Steering/SetpointGenerator.swift", "package func setpoint(")

    // MARK: A key

    private static let read = Place(.textScreen, "Terminal/TerminalDevice.swift", "private func readAll(")
    private static let pump = Place(.flightControl, "Commands/SteeringPump.swift", "private func pump(")

    private static var key: [Call] {
        let parse = Place(.textScreen, "Input/InputParser.swift", "public mutating func feed(")
        let parseByte = Place(.textScreen, "Input/InputParser.swift", "private mutating func feed(")
        let parseText = Place(.textScreen, "Input/InputParser.swift", "private mutating func ground(")
        let event = Place(.workspace, "Program/FrontEnd.swift", "private func handle(_ typed:")
        let frame = Place(.workspace, "Screen/WorkspaceScreen.swift", "func handle(_ event:")
        let intent = Place(.joystick, "JoystickPresenter.swift", "package func handle(")
        let sticks = Place(.joystick, "Sources/KeyboardSticks.swift", "mutating func press(")
        let keysChanged = Place(.joystick, "JoystickInput.swift", "private func keysChanged(", of: "JoystickInteractor")
        return [
            Call(from: read, text: "parser.feed(", to: parse),
            Call(from: parse, text: "feed(byte, into:", to: parseByte),
            Call(from: parseByte, text: "ground(byte", to: parseText),
            Call(
                from: parseText, text: "LegacyKeys.key(",
                to: Place(.textScreen, "Input/LegacyKeys.swift", "static func key(")),
            Call(
                from: read, text: "queue.push(", to: runLoop,
                bound: Binding(.workspace, "Program/FrontEnd.swift", "await input.next()")),
            Call(from: runLoop, text: "handle(typed", to: event),
            Call(from: event, text: "screen?.handle(typed.event", to: frame),
            Call(from: frame, text: "content?.handle(event)", to: screenEvent),
            Call(
                from: screenEvent, text: "JoystickKeys.intent(key)",
                to: Place(.joystick, "Screen/JoystickKeys.swift", "static func intent(")),
            Call(
                from: screenEvent, text: "send(intent)", to: intent,
                bound: Binding(.workspace, "Program/ModeCatalog.swift", "JoystickScreen(send: $0.handle)")),
            Call(from: intent, text: "interactor.press(key)", to: press),
            Call(from: press, text: "board.keyboard.press(key", to: sticks),
            Call(
                from: sticks, text: "held.press(key)",
                to: Place(.joystick, "Sources/HeldKeys.swift", "package mutating func press(")),
            Call(from: press, text: "keysChanged(", to: keysChanged),
            Call(
                from: keysChanged, text: "desk.set(board.keyboard.source",
                to: Place(.joystick, "Steering/SetpointGenerator.swift", "package func set(_ source:")),
            Call(
                from: pump, text: "source(due)", to: setpoint,
                bound: Binding(.joystick, "Steering/SteeringRun.swift", "pump.run(desk.setpoint")),
            Call(
                from: setpoint, text: "source.reading(at: due)",
                to: Place(.joystick, "Sources/HeldKeys.swift", "package func reading(")),
            Call(
                from: setpoint, text: "shaping.motion(",
                to: Place(.joystick, "Entities/StickShaping.swift", "package func motion(")),
            Call(
                from: setpoint, text: "limiter.step(",
                to: Place(.joystick, "Entities/SlewLimiter.swift", "package mutating func step(")),
            Call(
                from: setpoint, text: "VelocitySetpoint(",
                to: Place(.core, "VelocitySetpoint.swift", "public init(")),
        ]
    }

    // MARK: A telemetry message

    private static let receiving = Place(.transport, "Link/GroundCore.swift", "func run()")

    private static var telemetry: [Call] {
        receivedTelemetry + shownTelemetry
    }

    /// From the socket to the broadcast.
    private static var receivedTelemetry: [Call] {
        let receive = Place(.transport, "Link/GroundCore.swift", "private func receive(")
        let frame = Place(.channel, "Sessions/GroundSession.swift", "package func receive(")
        let text = Place(.channel, "Sessions/GroundSession.swift", "private func take(")
        let kind = Place(.channel, "Sessions/GroundExchange.swift", "func take(")
        let part = Place(.channel, "Sessions/GroundExchange.swift", "private func take(")
        let value = Place(.channel, "Sessions/GroundTelemetry.swift", "mutating func take(")
        let deliver = Place(.transport, "Link/GroundCore.swift", "func deliver(")
        return [
            Call(from: receiving, text: "receive(&$0", to: receive),
            Call(
                from: receive, text: "carrier.receive(",
                to: Place(.transport, "Link/GroundCarrier.swift", "func receive(")),
            Call(from: receive, text: "session.receive(", to: frame),
            Call(from: frame, text: "take(text", to: text),
            Call(from: text, text: "exchange.take(text", to: kind),
            Call(from: kind, text: "take(kind", to: part),
            Call(from: part, text: "received.take(", to: value),
            Call(
                from: value, text: "TelemetryCoding.readState(",
                to: Place(.channel, "Payloads/TelemetryCoding.swift", "static func readState(")),
            Call(
                from: receive, text: "handle(event",
                to: Place(.transport, "Link/GroundCore.swift", "private func handle(")),
            Call(from: receiving, text: "deliver(arrivals)", to: deliver),
            Call(from: deliver, text: "broadcast.send(", to: broadcast),
        ]
    }

    private static let broadcast = Place(.core, "Broadcast.swift", "public func send(")

    /// From the broadcast to the cells.
    private static var shownTelemetry: [Call] {
        let record = Place(.flightControl, "Fleet/TelemetryRecord.swift", "init(of link:")
        let arrived = Place(.flightControl, "Fleet/UpdateLimiter.swift", "package nonisolated func arrived(")
        let announce = Place(.flightControl, "Fleet/UpdateLimiter.swift", "package func announce(")
        let arm = Place(.flightControl, "Fleet/UpdateLimiter.swift", "private func arm(")
        let notifyAll = Place(.flightControl, "Fleet/UpdateLimiter.swift", "private func notify() {")
        let notify = Place(.flightControl, "Fleet/UpdateLimiter.swift", "private func notify(_ number:")
        let look = Place(.joystick, "JoystickPresenter.swift", "package func look(")
        let show = Place(.joystick, "JoystickPresenter.swift", "private func show(")
        let draw = Place(.workspace, "Program/FrontEnd.swift", "private func draw(")
        let drawFrame = Place(.workspace, "Screen/WorkspaceScreen.swift", "func draw(on canvas:")
        let drawScreen = Place(.joystick, "Screen/JoystickScreen.swift", "package func draw(")
        let drawAll = Place(.joystick, "Screen/JoystickScreen.swift", "private func drawAll(")
        let drawFigures = Place(.joystick, "Screen/JoystickStatus.swift", "static func drawFigures(")
        return [
            Call(
                from: broadcast, text: "observer(value)", to: record,
                bound: Binding(.flightControl, "Fleet/TelemetryRecord.swift", "link.observeTelemetry {")),
            Call(
                from: record, text: "onArrival()", to: arrived,
                bound: Binding(.flightControl, "Fleet/Fleet.swift", "updates?.arrived()")),
            Call(from: arrived, text: "self?.announce()", to: announce),
            Call(from: announce, text: "arm()", to: arm),
            Call(from: arm, text: "self?.notify()", to: notifyAll),
            Call(from: notifyAll, text: "notify(number, now)", to: notify),
            Call(
                from: notify, text: "observers[at].body()", to: look,
                bound: Binding(.modeKit, "ModeInstance.swift", "presenter?.look()")),
            Call(from: look, text: "show()", to: show),
            Call(
                from: show, text: ".fill(&state)",
                to: Place(.joystick, "JoystickFormatter.swift", "func fill(")),
            Call(
                from: show, text: "view?.show(state)",
                to: Place(.joystick, "Screen/JoystickScreen.swift", "package func show(")),
            Call(
                from: notify, text: "observers[at].body()", to: draw,
                bound: Binding(.workspace, "Program/FrontEnd.swift", "self?.draw()")),
            Call(from: draw, text: "screen.draw(on:", to: drawFrame),
            Call(from: drawFrame, text: "content?.draw(on:", to: drawScreen),
            Call(from: drawScreen, text: "drawAll(on:", to: drawAll),
            Call(from: drawAll, text: "JoystickStatus.drawFigures(", to: drawFigures),
            Call(
                from: drawFigures, text: "canvas.write(",
                to: Place(.textScreen, "Canvas/Canvas.swift", "public mutating func write(\n")),
        ]
    }

    // MARK: Tests

    @Test func `from the bytes of a key to its setpoint there are at most 20 calls`() throws {
        // The steering thread reads what was set.
        try follow(Self.key, from: [Self.read, Self.pump])
        #expect(Self.key.count <= Self.most)
    }

    @Test func `from the bytes of a telemetry message to the screen there are at most 20 calls between types`() throws {
        try follow(Self.telemetry, from: [Self.receiving])
        #expect(Self.telemetry.count { $0.from.type != $0.to.type } <= Self.most)
    }

    private func follow(_ way: [Call], from begins: Set<Place>) throws {
        var reached = begins
        for call in way {
            #expect(reached.contains(call.from), "\(call.from.line) of \(call.from.type) was not reached")
            let body = try body(of: call.from)
            #expect(body.contains(call.text), "\(call.from.line) of \(call.from.type) has no \(call.text)")
            if let bound = call.bound {
                let source = try source(bound.file)
                #expect(source.contains(bound.text), "\(bound.file) has no \(bound.text)")
            }
            _ = try self.body(of: call.to)
            reached.insert(call.to)
        }
    }

    /// A function from its first line to the brace that closes it.
    private func body(of place: Place) throws -> String {
        let lines = try source(place.file).split(separator: "\n", omittingEmptySubsequences: false)
        let begins = lines.indices.filter { index in
            (String(lines[index].drop { $0 == " " }) + "\n").hasPrefix(place.line)
        }
        try #require(begins.count == 1, "\(place.line) stands \(begins.count) times in \(place.file)")
        let first = lines[begins[0]]
        if first.hasSuffix(" }") { return String(first) }
        let end = String(first.prefix { $0 == " " }) + "}"
        let rest = lines[begins[0]...]
        let last = try #require(rest.firstIndex { $0 == end }, "\(place.line) does not end")
        return rest[...last].joined(separator: "\n")
    }

    private func source(_ file: String) throws -> String {
        let repository = (0..<4).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }
        return try String(contentsOf: repository.appending(path: file), encoding: .utf8)
    }
}
