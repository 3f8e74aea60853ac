/// Where the companion's program is on a vehicle, and what puts it there.
extension VehicleProfile {
    /// Where `uavlink deploy` puts the program: in the user's home, which needs no root.
    package static let deployedCompanion = "~/.local/bin/uavlink-companion"

    /// The program that starts the companion on the vehicle, and its arguments; to be run after the profile's set-up.
    ///
    /// Without a path in the profile a deployed companion comes before one on the `PATH`: who deployed one wants it used, and the
    /// `PATH` of a shell that is not interactive has no `~/.local/bin`.
    func companionCommand(_ arguments: [String]) -> (program: String, arguments: [String]) {
        guard companion == Self.usualCompanion else { return (companion, arguments) }
        return ("/bin/sh", ["-c", Self.search, "sh"] + arguments)
    }

    /// For a POSIX shell. A file that is there and cannot run is an error of its own, and no reason to take another one.
    private static let search =
        #"[ ! -e "${HOME-}/.local/bin/uavlink-companion" ] || exec "$HOME/.local/bin/uavlink-companion" "$@"; "#
        + #"exec uavlink-companion "$@""#

    /// The companion's program that the profile names in place of the deployed one; `nil` if it names none.
    package var namedCompanion: String? {
        [Self.usualCompanion, Self.deployedCompanion].contains(companion) ? nil : companion
    }

    /// The program that is a companion in front of a machine with its own protocol: `uavlink bridge`.
    private static let bridgeProgram = "uavlink"

    /// Whether the program at a path is that of a bridge.
    static func isBridge(_ program: String) -> Bool {
        program.split(separator: "/").last.map(String.init) == bridgeProgram
    }

    /// Whether the companion is a bridge on the host: a computer without ROS, beside a machine with its own protocol.
    package var isBridged: Bool { host != nil && Self.isBridge(companion) }

    /// What starts a bridge there, as it is typed.
    var bridgeCommand: String { "\(companion) --link MACHINE://ADDRESS --uav \(Self.word(vehicle)) bridge" }

    /// The command that installs the companion on the vehicle, as it is typed.
    ///
    /// It repeats what differs from the defaults also for a vehicle of the configuration, whose entry the command line may override.
    package var deployCommand: String {
        guard let host else { return "uavlink deploy HOST" }
        let defaults = VehicleProfile(name: "")
        // A vehicle that is not in the configuration has the name of its host.
        let isOfConfiguration = name != host && !name.isEmpty
        var words = ["uavlink deploy", Self.word(isOfConfiguration ? name : host)]
        if let user { words += ["--user", Self.word(user)] }
        if port != defaults.port { words += ["--port", "\(port)"] }
        if vehicle != defaults.vehicle { words += ["--uav", Self.word(vehicle)] }
        if !isOfConfiguration, identities.count == 1 { words += ["--identity", Self.word(identities[0])] }
        return words.joined(separator: " ")
    }

    /// What installs this program's companion so that it is used: the command, after what the profile must not have.
    package var deployAdvice: String {
        if isBridged { return "install this version of uavlink there, and start the bridge anew: \(bridgeCommand)" }
        guard let namedCompanion else { return deployCommand }
        return "remove 'companion: \(namedCompanion)' from the profile, then: \(deployCommand)"
    }

    /// A word of a shell's line, in quotes where it needs them.
    private static func word(_ text: String) -> String {
        let isPlain =
            !text.isEmpty
            && text.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || "_-./:@%+,".utf8.contains(byte)
            }
        guard !isPlain else { return text }
        return "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
    }
}
