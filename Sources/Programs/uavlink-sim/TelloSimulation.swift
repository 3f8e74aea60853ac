import CommandLineKit
import ProgramKit
import SystemIO
import TelloEmulator
import UAVLink

/// `uavlink-sim --machine tello`: an emulated Tello on UDP ports of this machine.
enum TelloSimulation {
    static let address = Argument.option(
        "address", ValueKind.text.called("ADDRESS"), default: "127.0.0.1", defaultText: "127.0.0.1",
        help: "with --machine tello, ardrone: the IPv4 address here on which it takes commands; 0.0.0.0 for all")
    static let port = Argument.option(
        "port", ValueKind<Int>.integer(in: 1...65_535), default: 8889, defaultText: "8889",
        help: "with --machine tello: the UDP port of commands")
    static let statePort = Argument.option(
        "state-port", ValueKind<Int>.integer(in: 1...65_535), default: 8890, defaultText: "8890",
        help: "with --machine tello: the UDP port of its ground to which it sends its state")
    static let edition = Argument.option(
        "sdk", ValueKind<EmulatedTello.Edition>.choice, default: .sdk20, defaultText: "2.0",
        help: "with --machine tello: the edition of its SDK: of the Tello, the EDU or the RoboMaster TT")
    static let dropsWhenBusy = Argument.flag(
        "drop-when-busy",
        help: "with --machine tello: drop commands that come during a move, instead of answering 'error Not joystick'")

    static let pads = Argument.repeatedOption(
        "pad", ValueKind.text.called("N,X,Y"),
        help: "with --machine tello: mission pad N lies X metres ahead of where it stands, and Y metres to the left")

    static let arguments: [any ArgumentDeclaration] = [address, port, statePort, edition, dropsWhenBusy, pads]

    /// What can be wrong with it.
    enum Fault: String, CaseIterable {
        case notActivated = "not-activated"
        case dark
        case chatty
        case hiddenState = "silent-state"
        case pausingState = "pausing-state"
        case lostReply = "lost-reply"
        case lateReply = "late-reply"
        case duplicateReply = "duplicate-reply"
        case runTimeout = "run-timeout"

        func apply(to tello: inout EmulatedTello.Settings) {
            switch self {
            case .notActivated: tello.isActivated = false
            case .dark: tello.isDark = true
            case .chatty: tello.isChatty = true
            case .hiddenState: tello.hidesState = true
            case .pausingState: tello.pausesState = true
            case .lostReply: tello.losesAnswers = true
            case .lateReply: tello.delaysAnswers = true
            case .duplicateReply: tello.doublesAnswers = true
            case .runTimeout: tello.runsIntoTimeout = true
            }
        }
    }

    private static func pad(_ text: String) throws -> EmulatedTello.Pad {
        let words = text.split(separator: ",", omittingEmptySubsequences: false)
        let numbers = words.compactMap { Double($0) }
        guard words.count == 3, numbers.count == 3, let number = Int(exactly: numbers[0]), (1...8).contains(number),
            numbers.dropFirst().allSatisfy({ abs($0) <= 1000 })
        else { throw UsageError("'\(text)' is no mission pad", hint: "such as --pad 1,2,0: pad 1, 2 m ahead") }
        return EmulatedTello.Pad(number, x: numbers[1], y: numbers[2])
    }

    /// Runs until a signal ends it.
    ///
    /// - Returns: the exit code, as that of the hexacopter.
    static func run(_ arguments: ParsedCommand) async throws -> Int32 {
        var settings = TelloEmulator.Settings()
        let text = try arguments[address]
        guard let bound = IPv4Address(text) else {
            throw UsageError("'\(text)' is no IPv4 address", hint: "use one of this machine, or 0.0.0.0 for all")
        }
        settings.address = bound
        settings.port = UInt16(clamping: try arguments[port])
        settings.statePort = UInt16(clamping: try arguments[statePort])
        settings.tello.edition = try arguments[edition]
        settings.tello.battery = try arguments[SimulatorProgram.battery]
        settings.tello.dropsWhenBusy = try arguments[dropsWhenBusy]
        settings.tello.pads = try arguments[pads].map { try pad($0) }
        for fault in try MachineFaults.read(arguments, of: "a Tello", as: Fault.self) {
            fault.apply(to: &settings.tello)
        }
        let emulator: TelloEmulator
        do throws(SocketError) { emulator = try TelloEmulator(settings) } catch {
            throw UsageError(error.what, hint: error.hint)
        }
        StandardStream.error.write(
            "uavlink-sim: a Tello with SDK \(settings.tello.edition.rawValue) takes commands on \(text):\(emulator.port)\n"
        )
        let code = await MachineRun.untilSignal(prints: try arguments[MachineRun.track]) {
            Self.place(of: emulator.tello)
        }
        await emulator.end()
        return code
    }

    private static func place(of tello: EmulatedTello) -> MachineRun.Place {
        let state =
            switch tello.activity {
            case .standing: "landed"
            case .takingOff: "taking off"
            case .hovering: tello.sticks == [0, 0, 0, 0] ? "hovering" : "flying"
            case .moving, .settling: "moving"
            case .landing: "landing"
            case .falling: "cut"
            }
        return .init(
            x: tello.place.x, y: tello.place.y, z: tello.height, heading: tello.place.yaw, state: state)
    }
}
