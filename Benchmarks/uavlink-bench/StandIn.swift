import Foundation
import Glibc
import ROS1
import UAVCore
import UAVLink

enum StandIn {
    static func run() async throws {
        let node = try ROSNode(configuration: ROSConfiguration(name: "standin"))
        try await node.waitForMaster(within: .seconds(5))
        let service = try node.advertiseService(
            "/uav1/control_manager/hover", type: StdSrvs.Trigger.self, on: .immediate
        ) { _ in
            var r = StdSrvs.Trigger.Response()
            r.success = true
            r.message = "initiating hover"
            return r
        }
        let goto = try node.advertiseService(
            "/uav1/control_manager/goto", type: MRSMsgs.Vec4.self, on: .immediate
        ) { _ in
            var r = MRSMsgs.Vec4.Response()
            r.success = true
            r.message = "reference set"
            return r
        }
        let pub = try node.advertise("/uav1/estimation_manager/odom_main", type: NavMsgs.Odometry.self)
        try await node.waitForRegistration(within: .seconds(5))
        FileHandle.standardOutput.write(Data("ready\n".utf8))
        let t = Thread {
            while true {
                usleep(10000)
                pub.publish(NavMsgs.Odometry())
            }
        }
        t.start()
        while let _ = readLine() {}
        withExtendedLifetime((service, goto, pub)) {}
    }
}
