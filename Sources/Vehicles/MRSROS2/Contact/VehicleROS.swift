internal import ROS1
package import ROS2Node
internal import ROSMessages
internal import SystemIO
internal import Threads
package import UAVLink
internal import Zenoh

/// Which ROS a vehicle runs, as the program on its computer is told or finds out.
package enum VehicleROS: Sendable {
    /// ROS 1, with a master.
    case one
    /// ROS 2, behind a router.
    case two(ROS2Configuration)

    /// What answers on this computer.
    package struct Answers: Hashable, Sendable {
        /// Whether a Zenoh router does, at its usual port.
        package var router: Bool
        /// Whether a ROS master does.
        package var master: Bool

        /// What answers.
        package init(router: Bool, master: Bool) {
            self.router = router
            self.master = master
        }
    }

    /// Chooses by what was asked for, else by what answers: a router alone stands for ROS 2. Where nothing answers yet it is ROS 1, whose
    /// master is then waited for.
    ///
    /// - Parameters:
    ///   - version: 1 or 2; `nil` to find out.
    ///   - router: the router in Zenoh's notation, which stands for ROS 2; `nil` for that of this computer.
    ///   - domain: the domain; `nil` for that of the environment.
    ///   - answers: asked only where nothing was asked for.
    /// - Throws: ``UAVLink/LinkError`` with `invalidInput`: both answer, or what was asked for contradicts itself.
    package static func choose(
        version: Int?, router: String?, domain: UInt32?, environment: [String: String],
        answers: () async -> Answers
    ) async throws(LinkError) -> VehicleROS {
        let isTwo: Bool
        switch version {
        case 1:
            guard router == nil, domain == nil else {
                throw LinkError(.invalidInput, "a router and a domain are of ROS 2", hint: "leave out '--ros 1'")
            }
            isTwo = false
        case 2: isTwo = true
        default:
            if router == nil {
                let answers = await answers()
                guard !(answers.router && answers.master) else {
                    throw LinkError(
                        .invalidInput, "both a ROS master and a Zenoh router answer on this computer",
                        hint: "say which the vehicle runs: '--ros 1' or '--ros 2' (in the profile 'ros: 1' or 'ros: 2')"
                    )
                }
                isTwo = answers.router
            } else {
                isTwo = true
            }
        }
        guard isTwo else { return .one }
        do throws(ROSError) {
            return .two(try ROS2Configuration(router: router, domain: domain, environment: environment))
        } catch { throw LinkError(.invalidInput, error.what, hint: error.hint) }
    }

    /// For an answer of this computer.
    private static let timeout: Duration = .milliseconds(300)

    /// Asks the usual port of a router on this computer and, if something listens there, the ROS master of the environment.
    package static func answers(environment: [String: String]) async -> Answers {
        let hasRouter = await DedicatedThread.run { listens(port: 7447) } ?? false
        guard hasRouter, let ros = try? ROSConfiguration(name: "uavlink", environment: environment),
            let master = try? ROSMaster(uri: ros.masterURI)
        else { return Answers(router: hasRouter, master: false) }
        return Answers(router: true, master: (try? await master.pid(within: timeout)) != nil)
    }

    /// Blocks for at most the timeout; on the loopback, it is known at once.
    private static func listens(port: UInt16) -> Bool {
        guard let socket = try? SocketHandle.connect(to: .loopback, port: port) else { return false }
        let readiness = Poller.wait(for: socket.descriptor, .writable, within: timeout)
        return readiness.contains(.writable) && socket.connectFailure == nil
    }

    /// The name of the graph in one spelling, by which one companion for each vehicle is allowed on a computer.
    package static func graphName(of configuration: ROS2Configuration) -> String {
        let host = configuration.zenoh.host.lowercased()
        let isHere = host == "localhost" || host.hasPrefix("127.")
        return "zenoh \(isHere ? "localhost" : host):\(configuration.zenoh.port) domain \(configuration.domain)"
    }
}
