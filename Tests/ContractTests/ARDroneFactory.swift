import ARDrone
import ARDroneEmulator
import UAVLink

extension LinkFactory {
    /// The emulated drone, by its own protocol over UDP and TCP on the loopback.
    static let arDrone = LinkFactory(
        name: "ardrone", vehicle: .arDrone,
        refusals: [
            Refusal(command: .land, words: "the AR.Drone stands on the ground"),
            Refusal(
                command: .goTo(
                    .init(.frame(.latitudeLongitude), position: Vector3(x: 50, y: 14, z: 0), headingRadians: 0)),
                words: "it does not fly"),
        ]
    ) {
        var emulated = ARDroneEmulator.Settings()
        (emulated.commandPort, emulated.navdataPort, emulated.controlPort) = (0, 0, 0)
        emulated.videoPort = 0
        emulated.drone.takeOffSeconds = 1.5
        let emulator = try ARDroneEmulator(emulated)
        var settings = ARDroneLink.Settings(host: "127.0.0.1", port: emulator.commandPort)
        (settings.navdataPort, settings.controlPort) = (emulator.navdataPort, emulator.controlPort)
        return LinkRig(
            link: ARDroneLink(settings), silenceVehicle: { emulator.mute() },
            commandsReceived: { emulator.drone.pilotCommands }, hasCamera: false,
            tearDown: { await emulator.end() })
    }
}
