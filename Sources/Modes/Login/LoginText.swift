internal import FlightControl
internal import SSHTransport
internal import UAVLink
internal import VehicleAccess

/// The texts of the log-in.
enum LoginText {
    /// The help for a field.
    ///
    /// - Parameter isOther: whether the form is about a vehicle that is not in the list.
    static func help(_ field: LoginField, _ form: LoginForm, isOther: Bool = false) -> String {
        switch field {
        case .list: "arrows choose a vehicle, Enter logs in, Tab goes to the form; letters: new address"
        case .address where form.link == .only(.sim):
            "sim is inside this program and needs no address; typing one changes the link to auto"
        case .address where form.link.machine != nil:
            "the machine's address is that of its link; typing another one changes the link"
        case .address where isOther && form.link == .only(.ros):
            "name or address of the vehicle's computer; empty: the ROS master of ROS_MASTER_URI"
        case .address where isOther: "name or address of the vehicle's computer, such as 192.168.69.101"
        case .address: "name or address of the vehicle's computer; empty: the companion on this machine"
        case .port where form.isWithoutSSH, .user where form.isWithoutSSH, .password where form.isWithoutSSH:
            "not used: this link needs no SSH"
        case .port: "the SSH server's port, usually 22"
        case .user: "the user to log in as; empty: your local user name"
        case .password:
            form.usesStoredPassword
                ? "empty: use the stored password"
                : "empty: SSH agent and key files; what else is needed is asked for"
        case .vehicle: "the vehicle's number or name in ROS: 1 means uav1"
        case .link: "← → choose. " + explanation(of: form.link)
        case .saveAs: "save the vehicle under this name after the log-in; empty: do not save"
        case .storePassword: "Space: also store the password, in a file that only you can read"
        case .more: "Space: fields that most vehicles do without"
        case .identity: "private key files, separated by commas; empty: the SSH agent and the usual files"
        case .setup: "a shell line before each command there; empty: ROS is found by itself"
        case .companion: "the companion's program there; empty: \(VehicleProfile.usualCompanion), on the PATH"
        }
    }

    /// What stands in the address field while it is empty.
    static func emptyAddress(_ form: LoginForm, isOther: Bool) -> String {
        if form.isWithoutSSH { return "not needed" }
        guard isOther else { return "this machine" }
        return form.link == .only(.ros) ? "ROS_MASTER_URI" : "missing"
    }

    private static func explanation(of link: VehicleProfile.LinkChoice) -> String {
        switch link {
        case .automatic: "auto: UDP, else TCP; without a companion, commands over SSH"
        case .only(.udp): "udp: channel to the companion, lowest delay"
        case .only(.tcp): "tcp: channel to the companion where UDP is blocked"
        case .only(.ssh): "ssh: runs a program on the vehicle per command; slow, needs no companion"
        case .only(.sshShell): "ssh-shell: the same in shells that stay open; a little faster"
        case .only(.ros): "ros: directly to the ROS master; private networks only"
        case .only(.sim): "sim: a simulated vehicle inside this program"
        case .only(.direct), .machine: "directly to the machine, by its own protocol"
        }
    }

    /// A hint for a new user; `nil` when vehicles are known or an address is typed.
    ///
    /// - Parameter isOther: whether the form is about a vehicle that is not in the list.
    static func advice(
        _ form: LoginForm, hasVehicles: Bool, localVehicles: [String], isOther: Bool = false
    ) -> String? {
        guard !hasVehicles, form.address.isEmpty else { return nil }
        switch form.link {
        case .only(.sim): return "press Enter to start a simulated vehicle"
        case .automatic, .only(.udp), .only(.tcp):
            if let vehicle = localVehicles.first {
                return "\(vehicle) is on this machine: " + (isOther ? "choose it in the list" : "press Enter to log in")
            }
            return "no vehicle? run 'uavlink sim' in another terminal, or choose the simulator + Enter"
        case .only(.ssh), .only(.sshShell), .only(.ros), .only(.direct), .machine: return nil
        }
    }

    /// The dialog for an error.
    ///
    /// - Parameter companion: the companion's program as the form has it; empty for the usual one.
    static func dialog(_ error: LinkError, hasPassword: Bool, companion: String = "") -> LoginDialog {
        guard error.code == .companionMissing, !companion.isBlank else {
            return LoginDialog(
                title: title(error.code), paragraphs: [error.what], advice: advice(error, hasPassword: hasPassword))
        }
        // The hint is about a profile, which there may be none of.
        return LoginDialog(
            title: "The companion cannot be run", paragraphs: [error.what],
            advice: "correct the field Companion of the form; empty: the usual program")
    }

    private static func title(_ code: LinkError.Code) -> String {
        switch code {
        case .unreachable: "The vehicle cannot be reached"
        case .authentication: "The log-in was refused"
        case .hostKeyUnknown: "Unknown host"
        case .hostKeyChanged: "The host key has changed"
        case .timedOut: "Timed out"
        case .companionMissing: "No companion on the vehicle"
        case .companionUnavailable: "The companion cannot be used"
        case .rosMasterUnreachable, .serviceMissing: "ROS does not answer"
        case .versionMismatch: "The companion has an incompatible version"
        default: "The log-in failed"
        }
    }

    private static func advice(_ error: LinkError, hasPassword: Bool) -> String {
        if error.code == .hostKeyUnknown { return "log in again and compare its fingerprint with the vehicle's" }
        guard error.code == .authentication else { return error.hint }
        let first = "check user and password"
        return error.hint.isEmpty || hasPassword ? first : "\(first), or use keys: \(error.hint)"
    }

    static func dialog(_ question: LoginQuestion) -> LoginDialog {
        switch question {
        case .hostKey(let host): return dialog(host)
        case .install(let reason): return dialog(reason)
        case .noTelemetry(let link):
            return LoginDialog(
                title: "No telemetry: log in anyway?",
                paragraphs: [
                    "Connected over \(link.rawValue), but no telemetry "
                        + (link == .direct
                            ? "arrives; does a firewall on this computer keep it away?"
                            : "from ROS; is the flight stack running?")
                ],
                advice: link == .direct ? "" : "After the log-in you can check it in the terminal.",
                yes: "log in anyway", no: "no log-in")
        case .prompt(let prompt):
            return LoginDialog(
                title: prompt.isOfKey ? "The key is encrypted" : "The server asks",
                paragraphs: (prompt.lines + [prompt.text]).map(\.sanitizedLine),
                yes: "answer", no: "no log-in", entry: LoginEntry(isHidden: !prompt.echoes, number: prompt.number))
        }
    }

    private static func dialog(_ reason: InstallReason) -> LoginDialog {
        let advice = "It goes into the user's home, without root; 'uavlink deploy --remove' takes it away."
        func dialog(_ title: String, _ paragraphs: [String], no: String) -> LoginDialog {
            LoginDialog(title: title, paragraphs: paragraphs, advice: advice, yes: "install it and log in", no: no)
        }
        switch reason {
        case .fallback(let fallback):
            return dialog(
                "Install the companion?",
                [
                    fallback.reasons,
                    "Without it there is \(fallback.kind.rawValue) only: slow, without control authority.",
                ],
                no: "log in over \(fallback.kind.rawValue)")
        case .missing(let why): return dialog("Install the companion?", [why], no: "no log-in")
        case .incompatible(let why):
            return dialog(
                "Install this program's companion?", [why, "They cannot talk to each other."], no: "no log-in")
        case .otherVersion(let warning):
            return dialog("Install this program's companion?", [warning], no: "log in with the one there")
        }
    }

    private static func dialog(_ question: HostKeyQuestion) -> LoginDialog {
        var paragraphs = [
            "\(question.host.sanitizedLine) presented an unknown host key.",
            "\(question.keyType.sanitizedLine)\n\(question.fingerprint.sanitizedLine)",
        ]
        if !question.otherKnownKeys.isEmpty {
            let known = question.otherKnownKeys.map(\.sanitizedLine).joined(separator: ", ")
            paragraphs.append("Warning: it is known with other keys: \(known).")
        }
        return LoginDialog(
            title: "Do you trust this host?", paragraphs: paragraphs,
            advice: "Compare it with the output of 'ssh-keygen -lf' for the key in /etc/ssh on the vehicle.",
            yes: "trust it and store its key", no: "no log-in")
    }

    /// The notice of a log-in that failed: why, why the links before were not used, and how far it came: the only place where all of it
    /// stands on a small screen.
    static func failed(_ error: LinkError, _ steps: LoginSteps?) -> Notice {
        let story = steps?.story ?? ""
        // A fallback's reasons may be those of the error.
        let before = story.isEmpty || story.contains(error.what) ? story : "\(error.what); \(story)"
        let line = steps?.line ?? ""
        return Notice(
            .error, "the log-in failed: \(before.isEmpty ? error.what : before)\(line.isEmpty ? "" : " (\(line))")")
    }

    static let again = Notice(.information, "logging in again")
    static let cancelled = Notice(.information, "the log-in was cancelled")
    static let quitHint = Notice(.information, "not logged in; F10 quits")

    static func unreadableConfiguration(_ error: LinkError) -> LoginDialog {
        LoginDialog(
            title: "The saved vehicles cannot be read", paragraphs: [error.what],
            advice: "You can log in without them; nothing is saved until the file is repaired.")
    }

    static func welcome(_ vehicle: LoggedInVehicle, _ saved: Result<VehicleProfile?, LinkError>) -> Notice {
        let story = vehicle.linkSelectionReason.isEmpty ? "" : " (\(vehicle.linkSelectionReason))"
        let master = vehicle.connector?.rosMaster(of: vehicle.link.kind).map { " to the ROS master \($0)" } ?? ""
        let welcome = "logged in to \(vehicle.title) over \(vehicle.link.kind.rawValue)\(master)"
        switch saved {
        case .success(nil): return Notice(.success, welcome + story)
        case .success(let profile?): return Notice(.success, "\(welcome), saved as \(profile.name)\(story)")
        case .failure(let error): return Notice(.warning, "\(welcome), but not saved: \(error.what)", scope: .vehicle)
        }
    }
}
