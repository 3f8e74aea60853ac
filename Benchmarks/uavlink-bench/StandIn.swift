import Foundation
import ROS1
import SocketTransport
import UAVCore
import UAVLink

final class StandInHandler: ChannelHandler {
    let publisher: ROSPublisher<MRSMsgs.VelocityReferenceStamped>
    let client: ROSServiceClient<StdSrvs.Trigger>
    init(_ p: ROSPublisher<MRSMsgs.VelocityReferenceStamped>, _ c: ROSServiceClient<StdSrvs.Trigger>) {
        publisher = p
        client = c
    }
    func steer(_ setpoint: VelocitySetpoint, from session: SessionID, arrivedAt: MonotonicTime) -> SteeringVerdict {
        publisher.publish(MRSMsgs.VelocityReferenceStamped(setpoint))
        return .applied
    }
    func perform(_ command: Command, from session: SessionID) async -> Result<CommandReply, LinkError> {
        do {
            let r = try await client.call(.init(), within: .seconds(5))
            return .success(CommandReply(accepted: r.success, message: r.message))
        } catch { return .failure(LinkError(.remoteFailed, "\(error)")) }
    }
}
enum StandIn {
    static func run() async throws {
        let node = try ROSNode(configuration: ROSConfiguration(name: "standin"))
        try await node.waitForMaster(within: .seconds(5))
        let service = try node.advertiseService("/uav1/control_manager/hover", type: StdSrvs.Trigger.self) { _ in
            var r = StdSrvs.Trigger.Response()
            r.success = true
            r.message = "initiating hover"
            return r
        }
        let pub = try node.advertise(
            "/uav1/control_manager/velocity_reference", type: MRSMsgs.VelocityReferenceStamped.self)
        let client = try node.serviceClient("/uav1/control_manager/hover", type: StdSrvs.Trigger.self)
        try await node.waitForRegistration(within: .seconds(5))
        let server = try ChannelServer(configuration: .init(vehicle: "uav1"), handler: StandInHandler(pub, client))
        for _ in 0..<4 { FileHandle.standardOutput.write(Data((try server.issueTicket().line + "\n").utf8)) }
        while let _ = readLine() {}
        withExtendedLifetime((service, pub)) {}
    }
}
