import ROSMessages
import Testing

@testable import MRS

/// What the doctor says of a node that is registered with the master and does not answer.
@Suite struct UnreachedNodeTests {
    private func finding(
        _ reason: String, at uri: String = "http://10.0.0.7:40001", master: String = "http://10.0.0.7:11311",
        _ code: ROSError.Code = .unreachable
    ) -> Finding {
        let error = ROSError(code, "cannot reach \(uri) (\(reason))")
        return ROSGraphDiagnosis.unreached("node /uav1/control_manager", at: uri, master: master, error)
    }

    @Test func `one whose computer refuses the connection has ended: no address is to be changed`() {
        let dead = finding("connection refused")
        #expect(dead.verdict == .bad && dead.message.contains("it has ended without unregistering"))
        #expect(dead.advice.contains("restart it") && dead.advice.contains("rosnode cleanup"))
        #expect(!dead.advice.contains("ROS_IP"))
        // On the machine of the master, too.
        let here = finding("connection refused", at: "http://localhost:40001", master: "http://localhost:11311")
        #expect(here.message.contains("it has ended without unregistering"))
    }

    @Test(arguments: ["no route to host", "the name 'uav1' is not known", "network is unreachable"])
    func `one whose address is not reached may have announced a wrong one`(reason: String) {
        let away = finding(reason)
        #expect(away.verdict == .bad && away.message.contains(reason) && away.advice.contains("set ROS_IP"))
        #expect(!away.advice.contains("rosnode cleanup"))
    }

    @Test func `one that does not answer in time may have announced a wrong address`() {
        #expect(finding("connection refused", .timedOut).advice.contains("set ROS_IP"))
    }

    @Test(arguments: ["http://localhost:40001", "http://127.0.0.1:40001/"])
    func `one that announced an address of its own machine only is not dead for that`(uri: String) {
        let loopback = finding("connection refused", at: uri)
        #expect(loopback.message.contains("names this machine from here"))
        #expect(loopback.advice.contains("set ROS_IP") && loopback.advice.contains("it has ended"))
    }
}
