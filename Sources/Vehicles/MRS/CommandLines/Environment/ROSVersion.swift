internal import UAVLink

/// The ROS of a vehicle, as far as its own programs differ by it.
public enum ROSVersion: Hashable, Sendable {
    /// ROS 1.
    case one
    /// ROS 2 in this domain; `nil` for that of the vehicle's environment.
    case two(domain: UInt32?)

    /// Whether it is ROS 2.
    public var isTwo: Bool { self != .one }

    var name: String { isTwo ? "ROS 2" : "ROS 1" }

    /// The program by which an environment is recognised.
    var program: String { isTwo ? "ros2" : "rosservice" }

    /// The usual release that has it.
    var release: String { isTwo ? "jazzy" : "noetic" }

    /// The fault of its programs when they reach no other node.
    var unreachable: LinkError {
        LinkError(
            .rosMasterUnreachable, "the vehicle cannot reach its \(isTwo ? "Zenoh router" : "ROS master")",
            hint: isTwo
                ? "is rmw_zenohd running there? ZENOH_CONFIG_OVERRIDE can be exported in the profile's 'setup'"
                : "is roscore running there? ROS_MASTER_URI can be exported in the profile's 'setup'")
    }

    /// All variables that are taken over from the vehicle's shells and processes.
    var variableNames: [String] {
        let common = ["PATH", "PYTHONPATH", "LD_LIBRARY_PATH", "CMAKE_PREFIX_PATH", "ROS_DISTRO", "ROS_VERSION"]
        return common
            + (isTwo
                ? ["ROS_PYTHON_VERSION", "AMENT_PREFIX_PATH", "COLCON_PREFIX_PATH"]
                : ["ROS_ROOT", "ROS_PACKAGE_PATH", "ROS_ETC_DIR"]) + networkNames
    }

    /// Those that say how nodes are reached, and where the ROS master is.
    var networkNames: [String] {
        isTwo
            ? ["RMW_IMPLEMENTATION", "ROS_DOMAIN_ID", "ZENOH_SESSION_CONFIG_URI", "ZENOH_CONFIG_OVERRIDE"]
            : ["ROS_MASTER_URI", "ROS_IP", "ROS_HOSTNAME"]
    }
}
