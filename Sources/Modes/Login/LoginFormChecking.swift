internal import FlightControl
internal import ReportKit
internal import SSHTransport
internal import UAVLink
internal import VehicleAccess

extension LoginForm {
    /// Checks the fields in order and makes a request from them.
    ///
    /// - Parameter knownNames: the names in the configuration file, which are taken.
    /// - Throws: ``LoginProblem`` for the first invalid field.
    package func request(knownNames: [String]) throws(LoginProblem) -> LoginRequest {
        var profile = base
        // The simulator in this program is on no host, whatever the entry is that the form was filled in from: a shell would open on
        // the computer of a real vehicle.
        let link = linkMeant(byAddress: address.trimmed)
        profile.link = link
        if isWithoutSSH {
            // What no log-in over SSH uses must not refuse one without it; the entry's own values stay.
            profile.host = nil
        } else {
            profile.host = try checkedAddress()
            profile.port = try checkedPort()
            profile.user = try checkedUser()
        }
        // A machine without ROS has no name in it; one that was typed stays.
        if let machine = link.machine, vehicle.isBlank || vehicle.trimmed == VehicleProfile(name: "").vehicle {
            profile.vehicle = machine.kind.rawValue
        } else {
            profile.vehicle = try checkedVehicle()
        }
        try checkFurther(&profile)
        if case .only(let kind) = link, kind.runsPrograms, profile.isLocal {
            throw LoginProblem(.address, "the \(kind.rawValue) link needs an address")
        }
        // A stored password is used only for the user, host and port that it was stored for.
        let isSameLogIn = profile.host == base.host && profile.port == base.port && profile.user == base.user
        if !isSameLogIn { profile.passwordFile = nil }
        if link == .only(.ros), let host = profile.host, profile.rosMaster == nil || host != base.host {
            profile.rosMaster = "http://\(host.contains(":") ? "[\(host)]" : host):11311"
        }
        let isSameVehicle = isSaved && isSameLogIn && profile.vehicle == base.vehicle
        let saving = try checkedSaving(isSameVehicle: isSameVehicle, knownNames: knownNames)
        if !saveAs.isBlank {
            profile.name = saveAs.trimmed
        } else if base.name.isEmpty || !isSameLogIn || profile.vehicle != base.vehicle {
            profile.name = link == .only(.sim) ? VehicleProfile.simulatedName : profile.host ?? "local"
        }
        return LoginRequest(profile: profile, password: password.secret, saving: saving)
    }

    /// Refuses a form without an address, for an entry of the list that is not about this machine. The simulator in this program has no
    /// address, a machine with its own protocol has that of its link, and `ROS_MASTER_URI` may have that of the ROS master.
    ///
    /// - Throws: ``LoginProblem`` of the address.
    func requireAddress() throws(LoginProblem) {
        guard address.isBlank, link != .only(.sim), link != .only(.ros), link.machine == nil else { return }
        throw LoginProblem(.address, "enter the address of the vehicle's computer")
    }

    /// Whether the vehicle is reached without SSH, so that address, port, user and password have no meaning: the simulator in this
    /// program, and a machine with its own protocol.
    package var isWithoutSSH: Bool {
        let link = linkMeant(byAddress: address.trimmed)
        return link == .only(.sim) || link.machine != nil
    }

    /// Takes what was typed or pasted as the port, without blanks around it.
    ///
    /// - Returns: the problem with it, in which case the port stays as it was; `nil` if it was taken.
    mutating func setPort(_ text: String) -> LoginProblem? {
        let typed = text.trimmed
        guard typed.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return LoginProblem(.port, Self.portRange) }
        port = typed
        return nil
    }

    private static let portRange = "not a port: 1 to 65535, usually 22"

    /// Whether both forms are about the same vehicle, whatever user, password and link lead to it; the simulator in this program is
    /// one, whatever its name.
    func isSameVehicle(as other: LoginForm) -> Bool {
        let simulator = VehicleProfile.LinkChoice.only(.sim)
        guard link != simulator, other.link != simulator else { return link == other.link }
        guard link.machine == other.link.machine else { return false }
        return address.trimmed == other.address.trimmed && (try? checkedPort()) == (try? other.checkedPort())
            && (try? checkedVehicle()) == (try? other.checkedVehicle())
    }

    /// Whether the stored password would be used: none was typed, and host, port and user are unchanged.
    package var usesStoredPassword: Bool {
        guard password.text.isEmpty, let request = try? request(knownNames: []) else { return false }
        return request.profile.passwordFile != nil
    }

    /// The link that is meant: a machine's address that was typed as the address is one, and a host that was typed leads to no machine.
    private func linkMeant(byAddress address: String) -> VehicleProfile.LinkChoice {
        if let machine = MachineAddress(address) { return .machine(machine) }
        return link.machine != nil && !address.isEmpty ? .automatic : link
    }

    private func checkedAddress() throws(LoginProblem) -> String? {
        var text = address.trimmed
        if text.hasPrefix("["), text.hasSuffix("]") { text = String(text.dropFirst().dropLast()) }
        guard !text.isEmpty else { return nil }
        guard text.utf8.count <= 255 else { throw LoginProblem(.address, "at most 255 characters") }
        if text.contains("@") { throw LoginProblem(.address, "enter the user in its own field") }
        if text.contains("://") { throw LoginProblem(.address, "not a machine's address: \(MachineAddress.patterns)") }
        // An IPv6 address has more colons, and its brackets are taken off above.
        if text.contains("]:") || text.filter({ $0 == ":" }).count == 1 {
            throw LoginProblem(.address, "enter the port in its own field")
        }
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != 0x2F }), !text.hasPrefix("-") else {
            throw LoginProblem(.address, "not a host name or address")
        }
        return text
    }

    private func checkedPort() throws(LoginProblem) -> Int {
        let text = port.trimmed
        if text.isEmpty { return 22 }
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text),
            (1...65_535).contains(number)
        else { throw LoginProblem(.port, Self.portRange) }
        return number
    }

    private func checkedUser() throws(LoginProblem) -> String? {
        let text = user.trimmed
        if text.isEmpty { return nil }
        guard text.utf8.count <= 64, text.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7F }) else {
            throw LoginProblem(.user, "not a valid user name")
        }
        return text
    }

    /// Returns the vehicle's name; a number is accepted, too: 1 means uav1.
    private func checkedVehicle() throws(LoginProblem) -> String {
        let text = vehicle.trimmed
        if text.isEmpty { throw LoginProblem(.vehicle, "enter the vehicle's number or name: 1 or uav1") }
        let isNumber = text.utf8.count <= 4 && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
        let name = isNumber ? "uav\(Int(text) ?? 0)" : text
        guard VehicleProfile.isVehicleName(name) else {
            throw LoginProblem(.vehicle, "not a vehicle number or name, such as 1 or uav1")
        }
        return name
    }

    private func checkFurther(_ profile: inout VehicleProfile) throws(LoginProblem) {
        for (field, text) in [(LoginField.identity, identity), (.setup, setup), (.companion, companion)] {
            guard text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }) else {
                throw LoginProblem(field, "control characters are not accepted")
            }
        }
        profile.identities = identity.split(separator: ",").map { String($0).trimmed }.filter { !$0.isEmpty }
        profile.setup = setup.trimmed
        profile.companion = companion.isBlank ? VehicleProfile.usualCompanion : companion.trimmed
    }

    private func checkedSaving(
        isSameVehicle: Bool, knownNames: [String]
    ) throws(LoginProblem) -> LoginRequest.Saving {
        let name = saveAs.trimmed
        if storesPassword, password.text.isEmpty {
            throw LoginProblem(.password, "enter the password to store it")
        }
        if name.isEmpty {
            guard storesPassword else { return .nothing }
            guard isSameVehicle else {
                throw LoginProblem(.saveAs, "enter a name to store the password")
            }
            return .password
        }
        guard ConfigurationFile.isFileName(name) else {
            throw LoginProblem(.saveAs, "letters, digits, '-', '_' and '.' only")
        }
        if knownNames.contains(name) { throw LoginProblem(.saveAs, "a vehicle '\(name)' already exists") }
        return .vehicle(withPassword: storesPassword)
    }
}
