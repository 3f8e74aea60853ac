import Foundation
import IntegrationKit
import SSHTransport
import Testing
import UAVLink
@testable import VehicleAccess

@Suite struct SavingTests {
    private let folder: TemporaryFolder
    private let file: ConfigurationFile

    init() throws {
        folder = try TemporaryFolder()
        file = ConfigurationFile(path: folder.path + "/conf/config.yaml", environment: [:])
    }

    private func write(_ text: String) throws {
        try FileManager.default.createDirectory(
            atPath: folder.path + "/conf", withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(fileURLWithPath: file.path))
    }

    private var text: String { get throws { try String(contentsOfFile: file.path, encoding: .utf8) } }

    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    private func vehicle(_ name: String) -> VehicleProfile {
        var profile = VehicleProfile(name: name)
        profile.host = "10.0.0.7"
        profile.user = "mrs"
        profile.vehicle = "uav7"
        return profile
    }

    private func failure(_ body: () throws(LinkError) -> Void) -> LinkError? {
        do throws(LinkError) {
            try body()
            return nil
        } catch {
            return error
        }
    }

    @Test func `the first vehicle makes the file and its folder, for their user only`() throws {
        try file.save(vehicle("hexa7"))
        let written = try text
        #expect(written == "vehicles:\n  hexa7:\n    host: 10.0.0.7\n    user: mrs\n    uav: uav7\n")
        #expect(try mode(file.path) == 0o600)
        #expect(try mode(folder.path + "/conf") == 0o700)
        let read = try file.read()
        #expect(read.vehicles == [vehicle("hexa7")])
    }

    @Test func `everything that can be said of a vehicle comes back`() throws {
        var profile = vehicle("yes")
        profile.host = "fe80::1"
        profile.port = 2222
        profile.link = .only(.tcp)
        profile.setup = "source ~/a.bash; export X=\"y: #z\""
        profile.companion = "/opt/a b"
        profile.identities = ["~/.ssh/a", "/b c"]
        profile.knownHosts = "~/known"
        profile.rosMaster = "http://uav7:11311"
        profile.world = "/fields/a b.yaml"
        profile.rates = ["hw_api/gnss": 5, "hw_api/battery_state": 0.5]
        try file.save(profile)
        try file.save(vehicle("b"))
        let read = try file.read()
        #expect(read.vehicles == [profile, vehicle("b")])
    }

    /// What stands in the file, and the line behind which the new vehicle must stand.
    static let kept: [(String, String)] = [
        (
            """
            # My vehicles
            default: a   # the old one
            vehicles:
              # lives in the hall
              a:
                host: h     # by cable
                setup: |
                  # not a comment
                  source x

            # the end

            """, "      source x"
        ),
        ("vehicles:\n    a:\n          host: h\n# tail\ndefault: a\n", "          host: h"),
        ("vehicles:\n  a: {host: h}\n  # b:\n  #   host: old\n", "  #   host: old"),
        ("vehicles:\n  a:\n    host: h", "    host: h"),
        ("vehicles:\r\n  a:\r\n    host: h\r\n", "    host: h\r"),
        ("# nothing yet\n", "vehicles:"),
        ("vehicles:\n# none yet\n", "vehicles:"),
        ("---\nvehicles:\n  a:\n...\n", "  a:"),
    ]

    @Test(arguments: kept) func `what was there stays, comments too`(before: String, place: String) throws {
        try write(before)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
        let old = try file.read()
        try file.save(vehicle("new"))
        let read = try file.read()
        #expect(read.vehicles == old.vehicles + [vehicle("new")])
        #expect(read.defaultVehicle == old.defaultVehicle)
        #expect(try mode(file.path) == 0o644)
        // Without the new lines it is the old file, byte for byte.
        let after = try Array(text.utf8).split(separator: 0x0A, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        let at = try #require(after.firstIndex { $0.trimmingCharacters(in: .whitespaces).hasPrefix("new:") })
        #expect(after[at - 1] == place)
        var rest = after
        rest.removeSubrange(at..<at + 4)
        if before.hasPrefix("# nothing") { rest.remove(at: at - 1) }
        var joined = rest.joined(separator: "\n")
        if before.utf8.last != 0x0A { joined.removeLast() }
        #expect(joined == before)
    }

    @Test(arguments: [
        "vehicles: {a: {host: h}}", "{vehicles: {a: {}}}", "vehicles: {}\n", "vehicles:\n  a: 1\n", "vehicles: [",
        "other: 1\n", "vehicles:\n  a:\n    setup: |+\n      x\n\n\n", "--- {}\n---\n",
    ]) func `a file that cannot be added to is left alone and that is said`(before: String) throws {
        try write(before)
        let error = failure { () throws(LinkError) in _ = try file.save(vehicle("new"), password: SSHSecret("hunter2"))
        }
        #expect(error?.code == .invalidInput)
        #expect(error?.what.contains("config.yaml") == true)
        #expect(error?.description.contains("hunter2") == false)
        #expect(try text == before)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/conf") == ["config.yaml"])
    }

    /// Line ends that YAML knows and a text editor does not, in every place.
    @Test(arguments: ["\r", "\u{85}", "\u{2028}", "\t", "#", "- ", "? ", "...\n", "---\n", "&a ", "\u{FEFF}"])
    func `an odd thing anywhere in the file loses nothing of it`(odd: String) {
        let sample = Array("# c\ndefault: a\nvehicles:\n  a:\n    host: h\n    setup: |\n      x\n# end\n".utf8)
        var added = 0
        for place in 0...sample.count {
            var bytes = sample
            bytes.insert(contentsOf: odd.utf8, at: place)
            let changed = bytes
            guard let more = try? ConfigurationEdit(changed, source: "config.yaml").adding(vehicle("new")) else {
                continue
            }
            added += 1
            var rest = more[...]
            for byte in changed {
                guard let at = rest.firstIndex(of: byte) else {
                    Issue.record("a byte was lost: \(String(decoding: more, as: UTF8.self))")
                    break
                }
                rest = rest[(at + 1)...]
            }
        }
        #expect(added > 0)
    }

    @Test func `a name that is taken is refused`() throws {
        try file.save(vehicle("a"))
        let before = try text
        #expect(failure { () throws(LinkError) in _ = try file.save(vehicle("a")) }?.what.contains("'a'") == true)
        #expect(try text == before)
    }

    @Test func `a password goes into a file of its own that only its user can read`() throws {
        try file.save(vehicle("hexa7"), password: SSHSecret("correct horse"))
        let secret = folder.path + "/conf/passwords/hexa7"
        #expect(try String(contentsOfFile: secret, encoding: .utf8) == "correct horse")
        #expect(try mode(secret) == 0o600)
        #expect(try mode(folder.path + "/conf/passwords") == 0o700)
        #expect(try !text.contains("horse"))
        #expect(try text.contains("    password-file: passwords/hexa7\n"))
        #expect(try file.read().vehicles.first?.passwordFile == secret)
    }

    @Test func `a password file of the command line is saved with its whole path`() throws {
        var profile = vehicle("a")
        profile.passwordFile = "mine"
        try file.save(profile)
        let whole = FileManager.default.currentDirectoryPath + "/mine"
        #expect(try file.read().vehicles.first?.passwordFile == whole)
    }

    @Test func `a world file is named from the configuration's own folder`() throws {
        var profile = vehicle("a")
        profile.world = "fields/kn.yaml"
        let saved = try file.save(profile)
        #expect(try text.contains("    world: fields/kn.yaml\n"))
        #expect(saved.world == folder.path + "/conf/fields/kn.yaml")
        #expect(try file.read().vehicles == [saved])
    }

    @Test func `a folder for passwords that others could enter is closed to them`() throws {
        let passwords = folder.path + "/conf/passwords"
        try FileManager.default.createDirectory(atPath: passwords, withIntermediateDirectories: true)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: passwords)
        try file.save(vehicle("a"), password: SSHSecret("p"))
        #expect(try mode(passwords) == 0o700)
    }

    @Test func `a folder for passwords that is a link elsewhere is refused`() throws {
        try FileManager.default.createDirectory(atPath: folder.path + "/conf", withIntermediateDirectories: true)
        try FileManager.default.createDirectory(atPath: folder.path + "/elsewhere", withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/conf/passwords", withDestinationPath: folder.path + "/elsewhere")
        let error = failure { () throws(LinkError) in _ = try file.save(vehicle("a"), password: SSHSecret("p")) }
        #expect(error?.code == .invalidInput)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/elsewhere").isEmpty)
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    @Test func `the password of a vehicle that is there is stored, and changed later`() throws {
        try write("vehicles:\n  a:\n    # first\n    host: h\n  b:\n")
        try file.store(SSHSecret("one"), forVehicle: "a")
        try file.store(SSHSecret("two"), forVehicle: "a")
        try file.store(SSHSecret("three"), forVehicle: "b")
        #expect(
            try text == """
                vehicles:
                  a:
                    # first
                    password-file: passwords/a
                    host: h
                  b:
                    password-file: passwords/b

                """)
        let secrets = folder.path + "/conf/passwords/"
        #expect(try String(contentsOfFile: secrets + "a", encoding: .utf8) == "two")
        #expect(try String(contentsOfFile: secrets + "b", encoding: .utf8) == "three")
        #expect(try mode(secrets + "a") == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: secrets).sorted() == ["a", "b"])
    }

    @Test(arguments: ["", "two\nlines", String(repeating: "x", count: 1025)])
    func `a password that could not be read back is not stored`(password: String) throws {
        let error = failure { () throws(LinkError) in _ = try file.save(vehicle("a"), password: SSHSecret(password)) }
        #expect(error?.code == .invalidInput)
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    @Test(arguments: ["../a", "a/b", ".a", "", "a b"])
    func `a vehicle's name leads no password out of its folder`(name: String) throws {
        let error = failure { () throws(LinkError) in _ = try file.save(vehicle(name), password: SSHSecret("p")) }
        #expect(error?.code == .invalidInput)
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    @Test func `a configuration that is a link stays one`() throws {
        try write("default: a\nvehicles:\n  a:\n")
        let link = folder.path + "/link.yaml"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file.path)
        try ConfigurationFile(path: link, environment: [:]).save(vehicle("b"))
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == file.path)
        #expect(try file.read().vehicles.map(\.name) == ["a", "b"])
    }
}
