import CommandLineKit
import ROS2Node
import SystemKit
import Zenoh

/// The simulated hexacopter in ROS 2: what its options mean.
enum ROS2Simulation {
    /// The router and the domain.
    ///
    /// - Throws: `UsageError`.
    static func configuration(_ arguments: ParsedCommand) throws -> ROS2Configuration {
        guard try arguments[SimulatorProgram.master] == nil else {
            throw UsageError("--master is for ROS 1", hint: "with --ros 2, --router says where the Zenoh router is")
        }
        let locator = try arguments[SimulatorProgram.router]
        let zenoh: ZenohConfiguration
        do throws(ZenohError) { zenoh = try ZenohConfiguration(locator: locator) } catch {
            throw UsageError("--router: \(error.what)", hint: error.hint)
        }
        return ROS2Configuration(zenoh: zenoh, domain: try domain(arguments))
    }

    private static func domain(_ arguments: ParsedCommand) throws -> UInt32 {
        if let domain = try arguments[SimulatorProgram.domain] { return UInt32(clamping: domain) }
        guard let text = HostProcess.environment["ROS_DOMAIN_ID"], !text.isEmpty else { return 0 }
        guard let domain = UInt32(text), domain <= 232 else {
            throw UsageError("ROS_DOMAIN_ID is '\(text)', which is no domain", hint: "set a number from 0 to 232")
        }
        return domain
    }
}
