import Foundation

#if os(Linux)
    /// A D-Bus daemon of the tests' own, with a fake BlueZ in Python on it.
    public final class FakeBlueZ: Sendable {
        private static let python = BuiltPrograms.repository + "/.build/peers/bin/python3"
        private static let script = BuiltPrograms.repository + "/Tests/Peers/bluez_fake.py"
        private static let daemon = "/usr/bin/dbus-daemon"
        /// Where a program looks for its system bus.
        private static let variable = "DBUS_SYSTEM_BUS_ADDRESS"
        /// The address of its board.
        public static let address = "AA:BB:CC:DD:EE:01"

        /// Why it cannot be run here; `nil` if it can.
        public static let missing = FakeBlueZ.reason(without: ["dbus_fast"])

        /// Why a peer that needs these packages cannot be run here.
        public static func reason(without packages: [String]) -> String? {
            guard FileManager.default.isExecutableFile(atPath: daemon) else {
                return "dbus-daemon is missing: scripts/setup --tests installs it"
            }
            let folder = BuiltPrograms.repository + "/.build/peers/lib"
            let versions = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            for package in packages {
                let files = versions.map { "\(folder)/\($0)/site-packages/\(package)/__init__.py" }
                guard files.contains(where: { FileManager.default.fileExists(atPath: $0) }) else {
                    return "\(package) is missing: scripts/setup --tests gets it"
                }
            }
            return nil
        }

        private let bus: ChildProcess
        private let fake: ChildProcess?
        /// The bus's address.
        public let place: String

        /// - Parameters:
        ///   - faults: those of the script; `nil` for a bus without BlueZ.
        ///   - denies: whether the bus lets nobody call BlueZ.
        public init(_ faults: [String]? = [], denies: Bool = false) async throws {
            let denial = denies ? "<deny send_destination=\"org.bluez\"/>" : ""
            let configuration = """
                <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
                 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
                <busconfig><type>custom</type><listen>unix:tmpdir=/tmp</listen><auth>EXTERNAL</auth>
                <policy context="default"><allow send_destination="*"/><allow receive_sender="*"/><allow own="*"/>\(denial)
                </policy>
                </busconfig>
                """
            let file = FileManager.default.temporaryDirectory.appendingPathComponent("bus-\(UUID().uuidString).conf")
            try Data(configuration.utf8).write(to: file)
            defer { try? FileManager.default.removeItem(at: file) }
            bus = try ChildProcess([
                Self.daemon, "--config-file=\(file.path)", "--nofork", "--nopidfile", "--print-address=1",
            ])
            place = try await bus.line(containing: "unix:")
            guard let faults else {
                fake = nil
                return
            }
            var environment = ProcessInfo.processInfo.environment
            environment[Self.variable] = place
            fake = try ChildProcess([Self.python, Self.script] + faults, environment: environment)
            _ = try await fake?.line(containing: "ready")
        }

        /// What it was asked, a line each.
        public var asked: [String] { (fake?.output ?? "").split(separator: "\n").map(String.init) }

        /// Tells it something.
        public func tell(_ line: String) { fake?.send(line: line) }

        /// Ends the fake and its bus.
        public func end() async {
            await fake?.stop()
            await bus.stop()
        }
    }
#endif
