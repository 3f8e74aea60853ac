import Bluno
import BlunoEmulator
import DBus
import IntegrationKit
import UAVLink

extension LinkFactory {
    /// The emulated robot, over a real pseudo terminal. It refuses nothing in words, and acknowledges nothing that it could keep back.
    static let bluno = LinkFactory(name: "bluno", vehicle: .bluno, refusals: []) {
        let emulator = try LinkFactory.emulatedRobot()
        var settings = BlunoLink.Settings(transport: SerialTransport(path: emulator.path))
        settings.settling = .milliseconds(100)
        return LinkRig(
            link: BlunoLink(settings),
            commandsReceived: { await LinkFactory.words(of: emulator, atLeast: 2, after: .zero) }, hasCamera: false,
            tearDown: { await emulator.end() })
    }

    #if os(Linux)
        /// The same robot over Bluetooth LE: a real D-Bus daemon, with a fake of BlueZ that others' library makes.
        static let blunoOverBluetooth = LinkFactory(
            name: "bluno over bluetooth", missing: FakeBlueZ.missing, vehicle: .bluno, refusals: []
        ) {
            let emulator = try LinkFactory.emulatedRobot()
            let fake = try await FakeBlueZ(["--pty", emulator.path])
            let place = fake.place
            let transport = BluetoothTransport(address: FakeBlueZ.address) { () throws(BusFailure) in
                try SystemBus(address: place)
            }
            // It does not start anew, so that its second stop may replace the first one.
            var rig = LinkRig(
                link: BlunoLink(.init(transport: transport)),
                commandsReceived: { await LinkFactory.words(of: emulator, atLeast: 1, after: .milliseconds(300)) },
                hasCamera: false)
            rig.logs = { fake.asked.joined(separator: "\n") }
            rig.tearDown = {
                await fake.end()
                await emulator.end()
            }
            return rig
        }
    #else
        static let blunoOverBluetooth = LinkFactory(
            name: "bluno over bluetooth", missing: "BlueZ is of Linux only", vehicle: .bluno, refusals: []
        ) { throw ProcessFailure("BlueZ is of Linux only") }
    #endif

    private static func emulatedRobot() throws -> BlunoEmulator {
        var robot = EmulatedRobot.Settings()
        robot.reportSeconds = 0.1
        return try BlunoEmulator(robot)
    }

    /// What has come, once it is stopped as it is opened and when it is ready, by a character each; these are under way for an
    /// instant.
    private static func words(of emulator: BlunoEmulator, atLeast count: Int, after pause: Duration) async -> Int {
        var patience = Patience(.patient(seconds: 10))
        while emulator.robot.words.count < count, !patience.isOver() {
            try? await Task.sleep(for: .milliseconds(10))
        }
        try? await Task.sleep(for: pause)
        return emulator.robot.words.count
    }
}
