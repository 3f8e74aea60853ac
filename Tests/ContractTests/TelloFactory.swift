import SystemIO
import Tello
import TelloEmulator
import UAVLink

extension LinkFactory {
    /// The emulated drone of each edition, by its own protocol over UDP on the loopback.
    static let tello13 = tello(.sdk13)
    static let tello20 = tello(.sdk20)
    static let tello30 = tello(.sdk30)

    private static let telloRefusals = [Refusal(command: .land, words: "error Motor stop")]

    private static func tello(_ edition: EmulatedTello.Edition) -> LinkFactory {
        LinkFactory(name: "tello \(edition.rawValue)", vehicle: .tello, refusals: telloRefusals) {
            // The drone sends its state to a fixed port: one that is free now, so that tests side by side do not meet.
            let statePort = try DatagramSocket(bound: .init(.loopback, port: 0)).port
            var emulated = TelloEmulator.Settings()
            emulated.port = 0
            emulated.statePort = statePort
            emulated.tello.edition = edition
            emulated.tello.takeOffSeconds = 1.5
            let emulator = try TelloEmulator(emulated)
            var settings = TelloLink.Settings(host: "127.0.0.1", port: emulator.port)
            settings.statePort = statePort
            return LinkRig(
                link: TelloLink(settings), silenceVehicle: { emulator.mute() },
                commandsReceived: { emulator.tello.commands.count }, hasCamera: false,
                tearDown: { await emulator.end() })
        }
    }
}
