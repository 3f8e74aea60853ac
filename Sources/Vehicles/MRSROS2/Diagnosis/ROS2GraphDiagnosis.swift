package import MRS
package import ROS2
package import ROS2Node
internal import ROSMessages
internal import Synchronization
package import UAVLink

/// Checks ROS 2 as seen from this machine: router, domain, the vehicle's types and services, its version of `rmw_zenoh`, and who else
/// steers it. It only reads tokens and listens: nothing is sent to the vehicle.
package struct ROS2GraphDiagnosis: Sendable {
    private let names: VehicleNames
    private let configuration: ROS2Configuration
    private let timeout: Duration

    /// Creates a diagnosis.
    ///
    /// - Parameter timeout: for the router, for the tokens, and for messages of the vehicle.
    /// - Throws: ``UAVLink/LinkError`` with `invalidInput` for an invalid name.
    package init(
        vehicle: String, configuration: ROS2Configuration, timeout: Duration = .seconds(3)
    ) throws(LinkError) {
        names = try VehicleNames(vehicle: vehicle)
        (self.configuration, self.timeout) = (configuration, timeout)
    }

    /// Runs all checks; checks that depend on a failed one are not in the result.
    package func findings() async -> [Finding] {
        let place = "\(configuration.router) (domain \(configuration.domain))"
        do throws(ROSError) {
            let session = try ROS2Session(configuration: configuration)
            let result: Result<[Finding], ROSError>
            do throws(ROSError) {
                try await session.waitForRouter(within: timeout)
                result = .success(try await findings(in: session, place))
            } catch { result = .failure(error) }
            await session.shutdown()
            return try result.get()
        } catch {
            return [
                Finding(
                    Self.router, .bad, "\(place): \(error.what)",
                    advice: error.hint.isEmpty ? "start the router on the vehicle: rmw_zenohd" : error.hint)
            ]
        }
    }

    private static let router = "Zenoh router"

    private func findings(in session: ROS2Session, _ place: String) async throws(ROSError) -> [Finding] {
        let graph = try await session.readGraph(within: timeout)
        var findings = [Finding(Self.router, .good, "\(place) answers; \(graph.nodes.count) nodes are in the graph")]
        if graph.malformed > 0 {
            let why = graph.lastError.map { ": \($0.what)" } ?? ""
            findings.append(
                Finding(
                    "liveliness tokens", .warning, "\(graph.malformed) cannot be read\(why)",
                    advice: "another version of rmw_zenoh may be in the graph"))
        }
        findings += Self.findings(in: graph, names: names, router: configuration.router)
        guard FirstContact(graph, names: names).isPresent else { return findings }
        findings.append(await version(in: session, graph))
        return findings
    }

    // MARK: What tokens say

    /// The services without which the vehicle cannot be flown.
    private static let essential: [VehicleService] = [
        .arming, .toggleOutput, .offboard, .takeoff, .land, .hover, .goTo,
    ]

    /// What the tokens of a domain say about the vehicle.
    package static func findings(in graph: ROS2Graph, names: VehicleNames, router: String) -> [Finding] {
        let contact = FirstContact(graph, names: names)
        guard contact.isPresent else {
            let absence = contact.absence(of: names.vehicle, at: router)
            return [Finding("vehicle", .bad, absence.what, advice: absence.hint)]
        }
        return [services(in: graph, names), types(contact, names), setpoints(in: graph, names)]
    }

    private static func services(in graph: ROS2Graph, _ names: VehicleNames) -> Finding {
        let missing = essential.map { names.name(of: $0) }.filter { name in
            (try? ROS2Name(name)).map { graph.endpoints(.server, of: $0).isEmpty } ?? true
        }
        guard !missing.isEmpty else {
            return Finding(
                "vehicle", .good, "all \(essential.count) services needed to fly \(names.vehicle) are present")
        }
        return Finding(
            "vehicle", .bad, "no node offers \(missing.joined(separator: ", "))",
            advice: "start the flight stack on the vehicle")
    }

    private static func types(_ contact: FirstContact, _ names: VehicleNames) -> Finding {
        guard let refusal = contact.refusal(of: names.vehicle) else {
            return Finding("message types", .good, "all that are used have the hashes of this program")
        }
        return Finding("message types", .bad, refusal.what, advice: refusal.hint)
    }

    /// Whether the vehicle takes setpoints, and from whom besides a companion.
    private static func setpoints(in graph: ROS2Graph, _ names: VehicleNames) -> Finding {
        let check = "setpoints"
        let topic = names.name(of: .velocityReference)
        guard let name = try? ROS2Name(topic) else { return Finding(check, .bad, "'\(topic)' is no name of a topic") }
        let own = "/\(names.vehicle)/"
        guard graph.endpoints(.subscriber, of: name).contains(where: { $0.node.text.hasPrefix(own) }) else {
            return Finding(
                check, .bad, "no node of the vehicle subscribes to \(topic): it cannot be steered",
                advice: "is its control manager running? (ros2 node list)")
        }
        let others = graph.endpoints(.publisher, of: name).map(\.node.text).filter { !$0.hasPrefix("/uavlink_") }
        guard !others.isEmpty else { return Finding(check, .good, "\(topic) is subscribed, and no other node steers") }
        let list = Set(others).sorted().prefix(5).map(\.sanitizedLine).joined(separator: ", ")
        return Finding(
            check, .warning, "\(topic) is also published by \(list)",
            advice: "end these nodes, or two pilots steer the vehicle at the same time")
    }

    // MARK: What messages say

    /// Which version of `rmw_zenoh` the vehicle's messages are of: nothing is sent until that is known.
    private func version(in session: ROS2Session, _ graph: ROS2Graph) async -> Finding {
        let check = "rmw_zenoh"
        let topic = names.name(of: .odometry)
        guard let name = try? ROS2Name(topic),
            let type = graph.endpoints(.publisher, of: name).first?.endpoint?.type
        else { return Finding(check, .warning, "\(topic) is not published") }
        let count = Atomic(0)
        do throws(ROSError) {
            let node = try session.node(
                try ROS2NodeName(name: "uavlink_doctor_\(String(UInt32.random(in: 0 ... .max), radix: 16))"))
            let subscription = try node.subscribeInPlace(to: name, type: type) { _, _ in
                count.add(1, ordering: .relaxed)
            }
            let deadline = ContinuousClock.now + timeout
            while count.load(ordering: .relaxed) == 0, session.refused.isEmpty, ContinuousClock.now < deadline,
                !Task.isCancelled
            {
                try? await Task.sleep(for: .milliseconds(20))
            }
            subscription.cancel()
        } catch { return Finding(check, .bad, error.what, advice: error.hint) }
        if !session.olderSessions.isEmpty {
            return Finding(check, .bad, ROS2Link.older.what, advice: ROS2Link.older.hint)
        }
        if let refused = session.refused.max(by: { $0.value < $1.value }) {
            return Finding(
                check, .bad, "from \(topic) came \(refused.key.description)",
                advice: "another program than rmw_zenoh may publish it: ros2 topic info -v \(topic)")
        }
        guard count.load(ordering: .relaxed) > 0 else {
            return Finding(
                check, .bad, "\(topic) is published, but no message was received in time",
                advice: "do the router's access rules let it pass (access_control in its configuration)?")
        }
        return Finding(check, .good, "messages of \(topic) are received, with attachments of 0.2.4 or later")
    }
}
