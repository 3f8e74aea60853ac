internal import ROS1
internal import ROSMessages
internal import SystemIO
internal import TextSearch
internal import Threads
internal import UAVLink

/// Checks ROS as seen from this machine: the master, this machine's own address, the vehicle's nodes and services.
///
/// This is where most ROS 1 network problems are: a node announces a name or address (`ROS_HOSTNAME`, `ROS_IP`) that
/// others cannot reach, so the master answers but no data arrives.
public struct ROSGraphDiagnosis: Sendable {
    private let vehicle: String
    private let environment: [String: String]
    private let timeout: Duration

    /// Creates a diagnosis for this machine and environment.
    ///
    /// - Parameter timeout: for each request.
    public init(vehicle: String, environment: [String: String], timeout: Duration = .seconds(3)) {
        self.vehicle = vehicle
        self.environment = environment
        self.timeout = timeout
    }

    /// Runs all checks; checks that depend on a failed one are not in the result.
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

    /// Checks the address that this machine's nodes announce to others.
    private func ownName() async -> Finding {
        let check = "ROS_IP, ROS_HOSTNAME"
        let (hostname, address) = (environment["ROS_HOSTNAME"] ?? "", environment["ROS_IP"] ?? "")
        // ROS_HOSTNAME takes precedence in every ROS 1 client.
        let advertised = hostname.isEmpty ? address : hostname
        let variable = hostname.isEmpty ? "ROS_IP" : "ROS_HOSTNAME"
        guard !advertised.isEmpty else {
            return Finding(
                check, .warning, "neither is set: nodes on this machine announce its host name",
                advice: "set ROS_IP to the address at which other machines reach this one")
        }
        // Name resolution may block: never on a thread of Swift's cooperative pool.
        let (own, meant) =
            await DedicatedThread.run { () -> (Set<String>, Set<String>) in
                let meant = (try? AddressLookup.addresses(of: advertised)) ?? []
                return (Set(AddressLookup.interfaces().map(\.text)), Set(meant.map(\.text)))
            } ?? ([], [])
        if meant.isEmpty {
            return Finding(
                check, .bad, "\(variable) is '\(advertised)', which this machine cannot resolve",
                advice: "set ROS_IP to an address of this machine: \(own.sorted().joined(separator: ", "))")
        }
        if own.isDisjoint(with: meant) {
            return Finding(
                check, .bad, "\(variable) is '\(advertised)', which is not an address of this machine",
                advice: "set ROS_IP to one of \(own.sorted().joined(separator: ", "))")
        }
        if meant.allSatisfy({ $0.hasPrefix("127.") || $0 == "::1" }) {
            return Finding(
                check, .warning, "\(variable) is '\(advertised)': only this machine itself can reach its nodes",
                advice: "set ROS_IP to the address at which the other machines reach this one")
        }
        return Finding(check, .good, "\(variable) is \(advertised)")
    }

    /// The services without which the vehicle cannot be flown.
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
                Finding("vehicle", .good, "all \(wanted.count) services needed to fly \(vehicle) are present"))
        } else {
            findings.append(
                Finding(
                    "vehicle", .bad, "no node offers \(missing.joined(separator: ", "))",
                    advice: advice(forMissing: missing, in: state)))
        }
        if let finding = await time(master, publishers: state.publishers[ROSMaster.clockTopic] ?? []) {
            findings.append(finding)
        }
        var nodes: Set<String> = []
        for (name, providers) in state.services where name.hasPrefix("/\(vehicle)/") { nodes.formUnion(providers) }
        for node in nodes.sorted().prefix(Self.maximumDiagnosedNodes) { findings.append(await reach(node, master)) }
    }

    /// By which clock the vehicle's nodes stamp their messages.
    private func time(_ master: ROSMaster, publishers: [String]) async -> Finding? {
        guard let isSimulated = try? await master.usesSimulatedTime(within: timeout) else { return nil }
        return Self.time(isSimulated: isSimulated, publishers: publishers)
    }

    static func time(isSimulated: Bool, publishers: [String]) -> Finding {
        let check = "ROS time"
        let publisher = publishers.first?.sanitizedLine
        switch (isSimulated, publisher) {
        case (true, let publisher?):
            return Finding(
                check, .good,
                "simulated: /use_sim_time is true, and /clock is published by \(publisher); ages and latencies count from "
                    + "receipt, not from stamps")
        case (true, nil):
            return Finding(
                check, .warning,
                "/use_sim_time is true, but no node publishes /clock: time stands still for every ROS node",
                advice: "start the simulator; on a real vehicle 'rosparam set /use_sim_time false', then restart the "
                    + "flight stack")
        case (false, let publisher?):
            return Finding(
                check, .warning,
                "/clock is published by \(publisher), but /use_sim_time is not true: nodes may stamp by different clocks",
                advice: "'rosparam set /use_sim_time true' before the flight stack is started, or end \(publisher)")
        case (false, nil): return Finding(check, .good, "nodes use the wall clock")
        }
    }

    /// The flight stack offers all its services in one node; a few more nodes are checked, not hundreds.
    private static let maximumDiagnosedNodes = 8

    private func advice(forMissing missing: [String], in state: ROSMaster.SystemState) -> String {
        let suffix = "/" + VehicleService.goTo.rawValue
        let others = state.services.keys.filter { $0.hasSuffix(suffix) }.map { $0.dropFirst().dropLast(suffix.count) }
        guard !others.isEmpty else { return "start the flight stack on the vehicle" }
        return "this master has \(others.sorted().joined(separator: ", ")): select one with --uav"
    }

    private func reach(_ node: String, _ master: ROSMaster) async -> Finding {
        let check = "node \(node)"
        do {
            let uri = try await master.nodeURI(of: node, within: timeout)
            do throws(ROSError) {
                _ = try await master.pid(ofNodeAt: uri, within: timeout)
                return Finding(check, .good, "answers at \(uri)")
            } catch {
                return Self.unreached(check, at: uri, master: environment["ROS_MASTER_URI"] ?? "", error)
            }
        } catch {
            return Finding(check, .bad, "\(error)")
        }
    }

    /// A node that is registered and does not answer: a computer that refuses the connection is reached, and its node has ended; what
    /// else fails may be due to the name or address that it announced.
    static func unreached(_ check: String, at uri: String, master: String, _ error: ROSError) -> Finding {
        let renaming = "on its machine set ROS_IP to an address reachable from here, and restart it"
        guard error.code == .unreachable, error.what.includes(refused) else {
            return Finding(
                check, .bad, "is registered at \(uri), but cannot be reached there from here: \(error)",
                advice: renaming)
        }
        // Of another machine's node this is an address of the wrong machine.
        if isLoopback(uri), !isLoopback(master) {
            return Finding(
                check, .bad,
                "is registered at \(uri), which names this machine from here, and nothing listens there (connection refused)",
                advice: "\(renaming); if it runs on this machine, it has ended: restart it")
        }
        return Finding(
            check, .bad,
            "is registered at \(uri), but nothing listens there (connection refused): it has ended without unregistering",
            advice: "restart it, or the flight stack; 'rosnode cleanup' removes registrations of nodes that have ended")
    }

    /// As ``SystemIO/SystemError`` writes it.
    private static let refused = "connection refused"

    private static func isLoopback(_ uri: String) -> Bool {
        let host = uri.rest(after: "//")?.prefix { $0 != ":" && $0 != "/" } ?? ""
        return host == "localhost" || host.hasPrefix("127.")
    }
}
