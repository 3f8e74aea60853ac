import Bluno
import BlunoEmulator
import IntegrationKit
import UAVLink

extension LinkFactory {
    /// The emulated robot, over a real pseudo terminal. It refuses nothing in words, and acknowledges nothing that it could keep back.
    static let bluno = LinkFactory(name: "bluno", vehicle: .bluno, refusals: []) {
        var robot = EmulatedRobot.Settings()
        robot.reportSeconds = 0.1
        let emulator = try BlunoEmulator(robot)
        var settings = BlunoLink.Settings(transport: SerialTransport(path: emulator.path))
        settings.settling = .milliseconds(100)
        return LinkRig(
            link: BlunoLink(settings),
            commandsReceived: {
                // It is stopped as it is opened and when it is ready, by a character each; these are under way for an instant.
                var patience = Patience(.patient(seconds: 10))
                while emulator.robot.words.count < 2, !patience.isOver() {
                    try? await Task.sleep(for: .milliseconds(10))
                }
                return emulator.robot.words.count
            }, hasCamera: false,
            tearDown: { await emulator.end() })
    }
}
