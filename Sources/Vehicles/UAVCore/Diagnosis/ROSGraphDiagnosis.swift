internal import ROS1
internal import Threads
internal import UAVLink

/// Looks at ROS as this machine sees it: the master, this machine's own name, the vehicle's nodes and services.
///
/// Most trouble with ROS 1 over a network is here: a node tells others a name or address (`ROS_HOSTNAME`, `ROS_IP`) that
/// they cannot reach, the master answers, and yet no data comes.
public struct ROSGraphDiagnosis: Sendable {
    private let vehicle: String
    private let environment: [String: String]
    private let timeout: Duration

    /// A look from this machine, with this environment.
    ///
    /// - Parameter timeout: how long each question may take.
    public init(vehicle: String, environment: [String: String], timeout: Duration = .seconds(3)) {
        self.vehicle = vehicle
        self.environment = environment
        self.timeout = timeout
    }

    /// Looks at everything; what cannot be looked at, since something before it failed, is not in the result.
    public func findings() async -> [Finding] {
        var findings = [await ownName()]
        guard let uri = environment["ROS_MASTER_URI"], !uri.isEmpty else {
            findings.append(
                Finding(
                    "ROS master", .bad, "ROS_MASTER_URI is not set",
                    advice: "give the profile a 'setup' line that sets it: source ~/workspace/devel/setup.bash"))
            return findings
        }
        do {
            let master = try ROSMaster(uri: uri, callerID: "/uavlink_doctor")
            let pid = try await master.pid(within: timeout)
            findings.append(Finding("ROS master", .good, "\(uri) answers (process \(pid))"))
            try await look(atGraphOf: master, &findings)
        } catch {
            findings.append(
                Finding("ROS master", .bad, "\(error)", advice: "start roscore, or the flight stack, on the vehicle"))
        }
        return findings
    }

    /// What this machine's nodes tell others of where they are.
    private func ownName() async -> Finding {
        let check = "ROS_IP, ROS_HOSTNAME"
        let (hostname, address) = (environment["ROS_HOSTNAME"] ?? "", environment["ROS_IP"] ?? "")
        // ROS_HOSTNAME wins in every ROS 1 client.
        let told = hostname.isEmpty ? address : hostname
        let variable = hostname.isEmpty ? "ROS_IP" : "ROS_HOSTNAME"
        guard !told.isEmpty else {
            return Finding(
                check, .warning, "neither is set: nodes here call themselves by the host's name",
                advice: "set ROS_IP to the address that the other machines reach this one at")
        }
        // Name servers may be slow: never on one of Swift's own threads.
        let (own, meant) =
            await OwnThread.run { (LocalAddresses.all(), LocalAddresses.of(host: told)) } ?? ([], [])
        if meant.isEmpty {
            return Finding(
                check, .bad, "\(variable) is '\(told)', which this machine cannot resolve",
                advice: "set ROS_IP to an address of this machine: \(own.sorted().joined(separator: ", "))")
        }
        if own.isDisjoint(with: meant) {
            return Finding(
                check, .bad, "\(variable) is '\(told)', which is no address of this machine",
                advice: "set ROS_IP to one of \(own.sorted().joined(separator: ", "))")
        }
        if meant.allSatisfy({ $0.hasPrefix("127.") || $0 == "::1" }) {
            return Finding(
                check, .warning, "\(variable) is '\(told)': only this machine itself can reach its nodes",
                advice: "for other machines set ROS_IP to the address that they reach this one at")
        }
        return Finding(check, .good, "\(variable) is \(told)")
    }

    /// Without these there is no flight.
    private static let essential: [VehicleService] = [
        .arming, .toggleOutput, .offboard, .takeoff, .land, .hover, .goTo,
    ]

    private func look(atGraphOf master: ROSMaster, _ findings: inout [Finding]) async throws(ROSError) {
        let state = try await master.systemState(within: timeout)
        let names: VehicleNames
        do {
            names = try VehicleNames(vehicle: vehicle)
        } catch {
            return findings.append(Finding("vehicle", .bad, error.description))
        }
        let wanted = Self.essential.map { names.name(of: $0) }
        let missing = wanted.filter { state.services[$0] == nil }
        if missing.isEmpty {
            findings.append(
                Finding("vehicle", .good, "the \(wanted.count) services that flying \(vehicle) needs are there"))
        } else {
            findings.append(
                Finding(
                    "vehicle", .bad, "no node offers \(missing.joined(separator: ", "))",
                    advice: advice(forMissing: missing, in: state)))
        }
        var nodes: Set<String> = []
        for (name, providers) in state.services where name.hasPrefix("/\(vehicle)/") { nodes.formUnion(providers) }
        for node in nodes.sorted().prefix(Self.mostNodes) { findings.append(await reach(node, master)) }
    }

    /// The flight stack has all its services in one node; a few more may be looked at, not hundreds.
    private static let mostNodes = 8

    private func advice(forMissing missing: [String], in state: ROSMaster.SystemState) -> String {
        let suffix = "/" + VehicleService.goTo.rawValue
        let others = state.services.keys.filter { $0.hasSuffix(suffix) }.map { $0.dropFirst().dropLast(suffix.count) }
        guard !others.isEmpty else { return "start the flight stack on the vehicle" }
        return "this master knows \(others.sorted().joined(separator: ", ")): name it with --uav"
    }

    private func reach(_ node: String, _ master: ROSMaster) async -> Finding {
        let check = "node \(node)"
        do {
            let uri = try await master.nodeURI(of: node, within: timeout)
            do {
                _ = try await master.pid(ofNodeAt: uri, within: timeout)
                return Finding(check, .good, "answers at \(uri)")
            } catch {
                return Finding(
                    check, .bad, "told the master that it is at \(uri), where it cannot be reached from here: \(error)",
                    advice: "where it runs, set ROS_IP to an address that this machine reaches, and restart it")
            }
        } catch {
            return Finding(check, .bad, "\(error)")
        }
    }
}
