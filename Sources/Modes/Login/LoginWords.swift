internal import FlightControl
internal import SSHTransport
internal import UAVLink
internal import VehicleAccess

/// What the log-in says.
enum LoginWords {
    /// What a field is for.
    static func help(_ field: LoginField, _ form: LoginForm) -> String {
        switch field {
        case .list: "↑ ↓ choose a vehicle, Enter logs in, Tab goes to the form; letters begin a new address"
        case .address: "name or address of the vehicle's computer; empty: the companion on this machine"
        case .port: "the port of its SSH server, usually 22"
        case .user: "the user to log in as; empty: you, by the name you have here"
        case .password:
            form.usesStoredPassword
                ? "empty: the stored password is used"
                : "empty: your SSH agent and your key files are used"
        case .vehicle: "the vehicle's number or name in ROS: 1 means uav1"
        case .link: "← → choose. " + explanation(of: form.link)
        case .saveAs: "a name of your choice: after the log-in the vehicle is saved by it; empty: it is not"
        case .storePassword: "Space: the password is stored, too, in a file that only you can read"
        }
    }

    private static func explanation(of link: VehicleProfile.LinkChoice) -> String {
        switch link {
        case .automatic: "auto: UDP, else TCP; where there is no companion, commands over SSH"
        case .only(.udp): "udp: the channel to the companion, with the least delay"
        case .only(.tcp): "tcp: the channel to the companion where UDP does not get through"
        case .only(.ssh): "ssh: each command is a program run on the vehicle: slow, needs no companion"
        case .only(.ros): "ros: straight to the ROS master, in a network of your own only"
        case .only(.sim): "sim: a simulated vehicle in this program, with nothing else needed"
        }
    }

    /// What a new person does next; nothing when there are vehicles to choose from, or one is being described.
    static func advice(_ form: LoginForm, hasVehicles: Bool, vehiclesHere: [String]) -> String? {
        guard !hasVehicles, form.address.isEmpty else { return nil }
        switch form.link {
        case .only(.sim): return "press Enter: a simulated vehicle starts in this program"
        case .automatic, .only(.udp), .only(.tcp):
            if let vehicle = vehiclesHere.first { return "\(vehicle) is on this machine: press Enter to log in" }
            return "no vehicle? type 'uavlink sim' in another terminal, or choose link sim + Enter"
        case .only(.ssh), .only(.ros): return nil
        }
    }

    /// What went wrong and what to do.
    static func dialog(_ error: LinkError, hasPassword: Bool) -> LoginDialog {
        LoginDialog(
            title: title(error.code), paragraphs: [error.what], advice: advice(error, hasPassword: hasPassword))
    }

    private static func title(_ code: LinkError.Code) -> String {
        switch code {
        case .unreachable: "The vehicle cannot be reached"
        case .authentication: "The log-in was refused"
        case .hostKeyUnknown: "The host is not known"
        case .hostKeyChanged: "The host key has changed"
        case .timedOut: "No answer in time"
        case .companionMissing: "There is no companion"
        case .companionUnavailable: "The companion cannot be used"
        case .rosMasterUnreachable, .serviceMissing: "ROS does not answer"
        case .versionMismatch: "The vehicle's companion is of another version"
        default: "The log-in failed"
        }
    }

    private static func advice(_ error: LinkError, hasPassword: Bool) -> String {
        if error.code == .hostKeyUnknown { return "log in again and compare its fingerprint with the vehicle's" }
        guard error.code == .authentication else { return error.hint }
        let first = hasPassword ? "check user and password" : "type the password into its field"
        return error.hint.isEmpty || hasPassword ? first : "\(first), or use keys: \(error.hint)"
    }

    static func dialog(_ question: LoginQuestion) -> LoginDialog {
        switch question {
        case .hostKey(let host): return dialog(host)
        case .noTelemetry(let link):
            return LoginDialog(
                title: "No telemetry comes",
                paragraphs: [
                    "The vehicle is reached over \(link.rawValue), but ROS there tells nothing: perhaps it does not run yet."
                ],
                advice: "Logged in, you can look at it in the terminal.", yes: "log in nevertheless", no: "give up")
        }
    }

    private static func dialog(_ question: HostKeyQuestion) -> LoginDialog {
        var paragraphs = [
            "\(question.host.harmlessLine) shows a key that is not known here.",
            "\(question.keyType.harmlessLine)\n\(question.fingerprint.harmlessLine)",
        ]
        if !question.otherKnownKeys.isEmpty {
            let known = question.otherKnownKeys.map(\.harmlessLine).joined(separator: ", ")
            paragraphs.append("Careful: it is known by other keys: \(known).")
        }
        return LoginDialog(
            title: "Do you trust this host?", paragraphs: paragraphs,
            advice: "Compare it with what 'ssh-keygen -lf' says of the key in /etc/ssh on the vehicle.",
            yes: "trust it from now on", no: "refuse")
    }

    static let cancelled = Notice(.information, "the log-in was cancelled")
    static let howToLeave = Notice(.information, "nobody is logged in yet; F10 quits")

    static func unreadableConfiguration(_ error: LinkError) -> LoginDialog {
        LoginDialog(
            title: "The saved vehicles cannot be read", paragraphs: [error.what],
            advice: "You can log in without them; nothing is saved until the file is mended.")
    }

    static func welcome(_ vehicle: LoggedInVehicle, _ saved: Result<VehicleProfile?, LinkError>) -> Notice {
        let story = vehicle.linkStory.isEmpty ? "" : " (\(vehicle.linkStory))"
        let welcome = "logged in to \(vehicle.title) over \(vehicle.link.kind.rawValue)"
        switch saved {
        case .success(nil): return Notice(.success, welcome + story)
        case .success(let profile?): return Notice(.success, "\(welcome), saved as \(profile.name)\(story)")
        case .failure(let error): return Notice(.warning, "\(welcome), but not saved: \(error.what)")
        }
    }
}
