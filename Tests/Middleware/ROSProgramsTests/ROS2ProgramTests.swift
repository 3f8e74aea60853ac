import ROSPrograms
import Testing

/// The command lines of ROS 2's programs.
@Suite("programs of ROS 2") struct ROS2ProgramTests {
    @Test func `types are named as ROS 2 names them`() {
        #expect(
            ROS2Program.call("/uav1/x", type: "std_srvs/Trigger", request: "\"{}\"")
                == "ros2 service call /uav1/x std_srvs/srv/Trigger \"{}\"")
        #expect(
            ROS2Program.echo("/uav1/y", type: "mrs_msgs/UavStatus", once: true)
                == "ros2 topic echo --once --no-daemon --no-lost-messages --full-length /uav1/y mrs_msgs/msg/UavStatus")
    }

    @Test func `no program leaves a daemon behind`() {
        let programs = [
            ROS2Program.find(service: "/x"), ROS2Program.echo("/x", type: "a/B"), ROS2Program.topics(ofType: "a/B"),
            ROS2Program.parameter("p", of: "/n"),
        ]
        for program in programs { #expect(program.contains("--no-daemon"), "\(program)") }
    }
}
