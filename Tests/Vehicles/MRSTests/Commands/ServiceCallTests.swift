import MRS
import MRSMessages
import ROSMessages
import Testing
import UAVLink

@Suite struct ServiceCallTests {
    @Test func `a place in a named frame is a stamped reference, in the current one a goto`() throws {
        let place = Vector3(x: 1, y: 2, z: 3)
        let named = try ServiceCall(.goTo(.init(.frame(.utm), position: place, headingRadians: 0.5)))
        #expect(named.service == .reference)
        let request = try #require(named.message as? MRSMsgs.ReferenceStampedSrv.Request)
        #expect(request.header == StdMsgs.Header(frameID: "utm_origin"))
        #expect(request.reference == .init(position: .init(x: 1, y: 2, z: 3), heading: 0.5))
        let current = try ServiceCall(.goTo(.init(.frame(.current), position: place, headingRadians: 0.5)))
        #expect(current.service == .goTo)
        #expect((current.message as? MRSMsgs.Vec4.Request)?.goal == [1, 2, 3, 0.5])
        #expect(current.yaml == "{goal: [1.0, 2.0, 3.0, 0.5]}")
    }

    @Test(arguments: [
        (Command.arm(true), "hw_api/arming", "std_srvs/SetBool"),
        (.enableOutput(false), "control_manager/toggle_output", "std_srvs/SetBool"),
        (.altitude(metres: 2), "control_manager/goto_altitude", "mrs_msgs/Vec1"),
        (.emergencyLand, "control_manager/eland", "std_srvs/Trigger"),
        (.landHome, "uav_manager/land_home", "std_srvs/Trigger"),
    ])
    func `a command has its service and type`(command: Command, service: String, type: String) throws {
        let call = try ServiceCall(command)
        #expect(call.service.rawValue == service)
        #expect(call.type.name == type)
        #expect(try VehicleNames(vehicle: "uav7").name(of: call.service) == "/uav7/" + service)
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity])
    func `what is not finite becomes no call`(bad: Double) {
        #expect(throws: LinkError.self) { try ServiceCall(.altitude(metres: bad)) }
        #expect(throws: LinkError.self) {
            try ServiceCall(.goTo(.init(.body, position: Vector3(x: 0, y: bad, z: 0), headingRadians: 0)))
        }
    }

    @Test(arguments: [
        "", "1uav", "uav 1", "uav1/x", "/uav1", "uav1;reboot", "uäv", "$(id)", String(repeating: "a", count: 65),
    ])
    func `what cannot be a vehicle's name is refused`(name: String) {
        #expect(throws: LinkError.self) { try VehicleNames(vehicle: name) }
    }

    @Test func `a vehicle's name may be as long as the limit`() throws {
        let name = String(repeating: "a", count: 64)
        #expect(try VehicleNames(vehicle: name).vehicle == name)
    }

    @Test(arguments: [
        "control_manager/start_trajectory_tracking", "uav_manager/takeoff", "hw_api/offboard", "mavros/set_mode",
        "control_manager", "constraint_manager/set_constraints", "trajectory_generation/path",
    ])
    func `a snapshot, which needs no control authority, calls nothing of the flight stack`(_ service: String) {
        let error = #expect(throws: LinkError.self) { try ServiceCall(.snapshot(service: service)) }
        #expect(error?.code == .invalidInput && error?.what.contains("not of a camera") == true)
        #expect(throws: Never.self) { try ServiceCall(.snapshot(service: "camera/\(service.count)")) }
    }

    @Test func `a response's bytes become the vehicle's answer`() throws {
        let hover = try ServiceCall(.hover)
        let accepted = StdSrvs.Trigger.Response(success: true, message: "initiating hover")
        #expect(try hover.reply(from: accepted.serialised) == CommandReply(accepted: true, message: "initiating hover"))
        let trajectory = Trajectory(
            frame: .current, points: [.init(position: .zero, headingRadians: 0)], timeStepSeconds: 0.2)
        var loaded = MRSMsgs.TrajectoryReferenceSrv.Response()
        (loaded.success, loaded.message, loaded.modified) = (true, "trajectory loaded", true)
        let reply = try ServiceCall(.uploadTrajectory(trajectory)).reply(from: loaded.serialised)
        #expect(reply.trajectoryModified)
        #expect(throws: ROSDecodingError.self) { try hover.reply(from: [1, 2]) }
    }

    @Test(arguments: ["", " \n"])
    func `a refusal without words gets ours, an acceptance does not`(silence: String) throws {
        let call = try ServiceCall(.enableOutput(true))
        #expect(call.refusal(silence).message.contains("'output-on' without a reason; arm the vehicle first"))
        #expect(!call.refusal(silence).accepted)
        let refused = StdSrvs.SetBool.Response(success: false, message: silence)
        #expect(try call.reply(from: refused.serialised).message.contains("without a reason"))
        let accepted = StdSrvs.SetBool.Response(success: true, message: silence)
        #expect(try call.reply(from: accepted.serialised).message == silence)
    }
}
