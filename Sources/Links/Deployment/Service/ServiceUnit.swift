/// The companion as a service of the vehicle's computer.
package enum ServiceUnit {
    /// The name of the user's unit.
    package static let name = "uavlink-companion.service"
    /// Its path, relative to the home.
    package static let path = ".config/systemd/user/uavlink-companion.service"

    /// A variable of the companion's environment.
    struct Variable: Hashable, Sendable {
        var name: String
        var value: String
    }

    /// The variables that ``ServiceScripts/variables`` has printed.
    static func variables(_ printed: String) -> [Variable] {
        ScriptAnswer(printed).all("variable").compactMap { line in
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, names.contains(String(parts[0])) else { return nil }
            return Variable(name: String(parts[0]), value: String(parts[1]))
        }
    }

    private static let names: Set<String> = ["ROS_MASTER_URI", "ROS_IP", "ROS_HOSTNAME", "UAVLINK_RUNTIME_DIR"]

    /// The text of a unit for the user's service manager, which cannot set up name spaces everywhere: so without the protection
    /// that the unit for the system has.
    ///
    /// - Parameters:
    ///   - bind: the address on which the companion listens; `nil` for all.
    ///   - variables: its environment, as the profile's set-up makes it.
    static func text(vehicle: String, bind: String?, variables: [Variable]) -> String {
        let environment = variables.map { "Environment=\(quoted("\($0.name)=\($0.value)"))\n" }.joined()
        let options = bind.map { " --bind \(escaped($0))" } ?? ""
        return """
            # Written by '\(ScriptText.unitMark) --service'; '\(ScriptText.unitMark) --remove' takes it away.
            [Unit]
            Description=uavlink companion for \(escaped(vehicle))
            # In the air no one can start it by hand: try for ever.
            StartLimitIntervalSec=0

            [Service]
            Type=notify
            WatchdogSec=5
            TimeoutStartSec=10
            \(environment)ExecStart=%h/.local/bin/uavlink-companion run --uav \(escaped(vehicle))\(options)
            Restart=on-failure
            RestartSec=1
            # It brakes a vehicle that it steers and closes its sessions within a second.
            TimeoutStopSec=5
            NoNewPrivileges=yes
            UMask=0077

            [Install]
            WantedBy=default.target

            """
    }

    /// A word of a unit file in double quotes (systemd.syntax(7)).
    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for character in escaped(text) {
            if character == "\"" || character == "\\" { quoted.append("\\") }
            quoted.append(character)
        }
        return quoted + "\""
    }

    /// A percent sign begins a specifier.
    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for character in text { escaped += character == "%" ? "%%" : String(character) }
        return escaped
    }

    /// What to do where the user has no service manager: install the unit for the system, as root.
    ///
    /// - Parameters:
    ///   - user: the user that the companion runs as.
    ///   - vehicle: its name in ROS.
    static func systemInstructions(user: String, vehicle: String) -> [String] {
        [
            "# Save this as /etc/systemd/system/uavlink-companion@.service on the vehicle, then, with root rights:",
            "#   install -m 755 ~\(user)/.local/bin/uavlink-companion /usr/local/bin/uavlink-companion",
            "#   mkdir -p /etc/uavlink && echo UAV_NAME=\(vehicle) >/etc/uavlink/companion.env",
            "#   systemctl daemon-reload && systemctl enable --now uavlink-companion@\(user)",
            "",
        ] + systemUnit.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }
}
