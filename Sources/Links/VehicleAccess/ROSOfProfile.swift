package import MRS
internal import MRSROS2
internal import ROS2Node
internal import ROSMessages
package import UAVLink
internal import YAML

/// What a profile says about the vehicle's ROS; nothing where it is to be found out.
package struct ROSOfProfile: Hashable, Sendable {
    /// 1 or 2; `nil`: a router or a domain stands for 2, and a companion looks what answers on its computer.
    package var version: Int?
    /// The Zenoh router as this machine reaches it, `tcp/host:port`, for the link `ros`.
    package var router: String?
    /// The domain of ROS 2.
    package var domain: UInt32?

    /// Says nothing.
    package init() {}

    /// Whether the vehicle is known to run ROS 2.
    package var isTwo: Bool { version == 2 || (version == nil && (router != nil || domain != nil)) }

    /// What a companion is started with; a router as the ground reaches it means nothing there.
    var companionArguments: [String] {
        (version.map { ["--ros", "\($0)"] } ?? (isTwo ? ["--ros", "2"] : []))
            + (isTwo ? domain.map { ["--domain", "\($0)"] } ?? [] : [])
    }

    /// Checks what was given from several places.
    ///
    /// - Throws: ``UAVLink/LinkError`` with `invalidInput`.
    package func check() throws(LinkError) {
        guard version.map({ (1...2).contains($0) }) ?? true else {
            throw LinkError(.invalidInput, "there is no ROS \(version ?? 0)", hint: "give 1 or 2")
        }
        guard version != 1 || (router == nil && domain == nil) else {
            throw LinkError(.invalidInput, "a router and a domain are of ROS 2, not of ROS 1")
        }
        do throws(ROSError) {
            _ = try ROS2Configuration(router: router, domain: domain ?? 0, environment: [:])
        } catch { throw LinkError(.invalidInput, error.what, hint: error.hint) }
    }
}

extension ROSOfProfile {
    init(node: YAMLNode) throws(YAMLError) {
        if let found = node.find("ros") {
            version = try found.int
            guard (1...2).contains(version ?? 0) else { throw found.unexpected("1 or 2") }
        }
        if let found = node.find("domain") {
            let number = try found.int
            guard (0...Int(ROS2Configuration.largestDomain)).contains(number) else {
                throw found.unexpected("a domain from 0 to \(ROS2Configuration.largestDomain)")
            }
            domain = UInt32(clamping: number)
            guard version != 1 else { throw found.unexpected("no domain: 'ros' is 1") }
        }
        if let found = node.find("router") {
            router = try found.string
            guard (try? ROS2Configuration(router: router, domain: 0, environment: [:])) != nil else {
                throw found.unexpected("the address of a Zenoh router, such as tcp/192.168.69.101:7447")
            }
            guard version != 1 else { throw found.unexpected("no router: 'ros' is 1") }
        }
    }
}

extension VehicleProfile {
    /// The router that the profile names, else that of the vehicle's computer, else of this one.
    private func ros2Configuration(_ environment: [String: String]) throws(ROSError) -> ROS2Configuration {
        try ROS2Configuration(
            router: ros.router ?? host.map { "tcp/\($0):7447" }, domain: ros.domain, environment: environment)
    }

    /// The link to the vehicle's ROS 2, behind that router.
    ///
    /// - Parameter dial: maps the address of the router to the one to connect to, for measurements.
    func ros2Link(
        _ environment: [String: String], dial: (@Sendable (String, UInt16) -> (host: String, port: UInt16))? = nil
    ) throws(LinkError) -> ROS2Link {
        try ROS2Link(
            vehicle: vehicle, router: ros.router ?? host.map { "tcp/\($0):7447" }, domain: ros.domain,
            environment: environment, dial: dial)
    }

    /// Watches topics as a node behind that router.
    func ros2TopicWatch(_ environment: [String: String]) -> any TopicWatching {
        do throws(ROSError) {
            return ROS2TopicWatch(configuration: try ros2Configuration(environment))
        } catch { return NoTopicWatch(LinkError(.invalidInput, error.what, hint: error.hint)) }
    }

    /// ROS as the ground sees it: for the link `ros`.
    package func graphFindings(_ environment: [String: String]) async -> [Finding] {
        guard ros.isTwo else { return await ROSGraphDiagnosis(vehicle: vehicle, environment: environment).findings() }
        do {
            let configuration = try ros2Configuration(environment)
            return try await ROS2GraphDiagnosis(vehicle: vehicle, configuration: configuration).findings()
        } catch { return [Finding("Zenoh router", .bad, "\(error)")] }
    }
}
