import MRSMessages
import ROSMessages
import Testing
import UAVLink

@testable import MRS

/// The command lines of ROS 2's own programs, and what these print as those of Jazzy do.
@Suite struct ROS2CommandLinesTests {
    private func lines(_ setup: String = "", domain: UInt32? = nil) throws -> ROSCommandLines {
        ROSCommandLines(
            names: try VehicleNames(vehicle: "uav1"),
            environment: ROSEnvironment(profileSetup: setup, ros: .two(domain: domain)))
    }

    private func printed(_ output: String, _ errors: String = "", status: Int? = 0) -> RemoteResult {
        RemoteResult(standardOutput: Array(output.utf8), standardError: Array(errors.utf8), exitStatus: status)
    }

    @Test func `a call names the service, its type and the request`() throws {
        let trigger = try lines().abortableCall(try ServiceCall(.takeoff))
        #expect(trigger.script.contains("ros2 service call /uav1/uav_manager/takeoff std_srvs/srv/Trigger \"{}\""))
        #expect(trigger.input == .untilClosed)
        let arm = try lines().call(try ServiceCall(.arm(true)))
        #expect(arm.script == "exec ros2 service call /uav1/hw_api/arming std_srvs/srv/SetBool \"{data: true}\"")
        let goal = try lines().abortableCall(try ServiceCall(.altitude(metres: 2)))
        #expect(goal.script.contains("goto_altitude mrs_msgs/srv/Vec1 \"{goal: 2.0}\""))
        #expect(try !lines().timedCall(try ServiceCall(.hover)).script.contains("rosservice"))
        #expect(try !lines().timedStart().script.contains("rosservice"))
        #expect(try lines().worldOrigin.script.contains("mrs_msgs/srv/TransformReferenceSrv"))
        #expect(
            try lines().worldParameter.script.contains(
                "ros2 param get --no-daemon --hide-type /uav1/control_manager world_config"))
        #expect(try lines().maps.script.contains("sensor_msgs/msg/PointCloud2"))
        #expect(try lines().abortableEchoOnce(.gnss).script.contains("ros2 topic echo --once "))
    }

    @Test func `the profile's domain goes before that of its set-up, which may fail`() throws {
        #expect(try lines("source x").setup == "source x")
        #expect(try lines("source x", domain: 7).setup == "{ source x\n} && export ROS_DOMAIN_ID=7")
        #expect(try lines(domain: 7).setup == "{ :\n} && export ROS_DOMAIN_ID=7")
        // None has a ROS master.
        let environment = ROSEnvironment(profileSetup: "source x", ros: .two(domain: nil))
        #expect(environment.master == nil && environment.isMasterNamed && !environment.needsMasterChoice)
    }

    private static let asking = "requester: making request: std_srvs.srv.SetBool_Request(data=True)\n\n"

    @Test func `answers and failures are told apart`() throws {
        let (call, ros) = (try ServiceCall(.enableOutput(true)), ROSVersion.two(domain: nil))
        let answer = Self.asking + "response:\nstd_srvs.srv.SetBool_Response(success=False, message='not armed')\n\n"
        #expect(try call.reply(to: printed(answer), from: ros) == CommandReply(accepted: false, message: "not armed"))
        // What fails as a call in ROS 1 is an empty response.
        let empty = Self.asking + "response:\nstd_srvs.srv.SetBool_Response(success=False, message='')\n\n"
        #expect(try call.reply(to: printed(empty), from: ros).message.contains("'output-on' without a reason"))
        func code(_ result: RemoteResult) -> LinkError.Code? {
            #expect(throws: LinkError.self) { try call.reply(to: result, from: ros) }?.code
        }
        let waiting = "waiting for service to become available...\n"
        #expect(code(printed(waiting, status: 137)) == .serviceMissing)
        // Sent: it is unknown whether the vehicle has acted.
        #expect(code(printed(waiting + Self.asking, status: 137)) == .timedOut)
        #expect(code(printed(Self.asking, status: 0)) == .timedOut)
        #expect(code(printed(Self.asking, "Exception while calling service: None\n", status: 1)) == .timedOut)
        #expect(code(printed("", "The passed service type is invalid\n", status: 1)) == .typeMismatch)
        #expect(code(printed("", "Failed to populate field: no 'data'\n", status: 1)) == .typeMismatch)
        #expect(code(printed("", "Unknown service\n", status: 1)) == .serviceMissing)
        // Its words are of what the node then did, or of another service.
        for words in ["Service [/x] is not available", "Unknown service", "Failed to populate field", "md5sum"] {
            #expect(code(printed(Self.asking, words + "\n", status: 1)) == .timedOut)
            #expect(code(printed(answer, words + "\n", status: 1)) == .timedOut)
            #expect(code(printed("", words + "\n", status: 1)) != .timedOut)
        }
        let missing = #expect(throws: LinkError.self) {
            try call.reply(to: printed("", "sh: 1: ros2: not found\n", status: 127), from: ros)
        }
        #expect(missing?.what.hasPrefix("ros2 was not found") == true && missing?.hint.contains("jazzy") == true)
    }

    private static let noRouter =
        "[WARN] [1.5] [rmw_zenoh_cpp]: Unable to connect to a Zenoh router after 1 attempt(s). Please ensure that ...\n"

    @Test func `a vehicle without a router is named as such, and only when nothing was sent`() throws {
        let (call, ros) = (try ServiceCall(.takeoff), ROSVersion.two(domain: nil))
        func error(_ output: String) -> LinkError? {
            #expect(throws: LinkError.self) {
                try call.reply(to: printed(output, Self.noRouter, status: 137), from: ros)
            }
        }
        let waited = error("waiting for service to become available...\n")
        #expect(waited?.code == .rosMasterUnreachable && waited?.what.hasSuffix("its Zenoh router") == true)
        #expect(waited?.hint.contains("rmw_zenohd") == true)
        #expect(error(Self.asking)?.code == .timedOut)
        let path = #expect(throws: LinkError.self) {
            try lines().worldPath(from: printed("", Self.noRouter + "Node not found\n", status: 1))
        }
        #expect(path?.code == .rosMasterUnreachable && path?.what == waited?.what)
        // One that came later: the reason is another one.
        let later = #expect(throws: LinkError.self) {
            try lines().worldPath(from: printed("", Self.noRouter + "Exception while calling service\n", status: 1))
        }
        #expect(later?.code == .remoteFailed && later?.what.contains("Exception while calling service") == true)
    }

    @Test func `no error of a vehicle in ROS 2 has the words of ROS 1`() throws {
        let call = try ServiceCall(.hover)
        // Also what only programs of ROS 1 print, and a set-up without the program.
        let failures = [
            ("ERROR: Unable to communicate with master!", 2), ("Unable to load type [a/B].", 2), ("md5sum", 1),
            ("bash: line 1: no-such-setup: command not found", 127), ("Unable to communicate with service [/x]", 2),
            ("Cannot load message class for [a/B].", 1), (Self.noRouter, 1), ("boom", 1), ("", 0),
        ]
        for (errors, status) in failures {
            let result = printed("", errors, status: status)
            var watch = EchoWatch(name: "/uav1/x", ros: .two(domain: 3))
            watch.began(at: MonotonicTime(nanoseconds: 0))
            watch.printed(errors: Array(errors.utf8))
            watch.ended(status: status)
            let lines = try lines()
            let said = [
                #expect(throws: LinkError.self) { try call.reply(to: result, from: .two(domain: 3)) },
                status == 0 ? nil : #expect(throws: LinkError.self) { try lines.worldPath(from: result) },
                watch.fault(now: MonotonicTime(nanoseconds: 0)),
            ]
            for error in said.compactMap(\.self) {
                // What the program itself has printed is not ours.
                let words = error.description.replacing(errors, with: "")
                for word in [
                    "rosservice", "rostopic", "rosparam", "roscore", "ROS master", "MASTER", "ROS_IP", "noetic",
                ] {
                    #expect(!words.contains(word), "\(words)")
                }
            }
        }
    }

    @Test func `a message with times of ROS 2, and a header without a number, is read`() throws {
        var stream = try EchoStream(.heightAboveGround)
        let text = """
            header:
              stamp:
                sec: 12
                nanosec: 5
              frame_id: uav1/x
            value: 3.25
            ---

            """
        let message = try MRSMsgs.Float64Stamped(serialised: try #require(try stream.take(text.utf8).first))
        let header = StdMsgs.Header(stamp: ROSTime(seconds: 12, nanoseconds: 5), frameID: "uav1/x")
        #expect(message == .init(header: header, value: 3.25))
        // Any other number that is missing is one of another version.
        #expect(throws: LinkError.self) { try stream.take(text.replacing("value: 3.25", with: "seq: 1").utf8) }
    }

    @Test func `the path of the world file is printed as it is`() throws {
        #expect(try lines().worldPath(from: printed("/tmp/a: b #c.yaml\n")) == "/tmp/a: b #c.yaml")
        #expect(try lines().worldPath(from: printed("", "Parameter not set\n", status: 1)) == nil)
        let error = #expect(throws: LinkError.self) {
            try lines().worldPath(from: printed("", "Node not found\n", status: 1))
        }
        #expect(error?.what.contains("ros2 param") == true && error?.what.contains("Node not found") == true)
    }

    @Test func `a large trajectory has names, and no more than an argument holds`() throws {
        func call(_ count: Int) throws -> ServiceCall {
            let point = Trajectory.Point(position: Vector3(x: 1, y: 2, z: 3), headingRadians: -0.5)
            let points = Array(repeating: point, count: count)
            return try ServiceCall(
                .uploadTrajectory(Trajectory(frame: .worldOrigin, points: points, timeStepSeconds: 0.02)))
        }
        let ros = ROSVersion.two(domain: nil)
        #expect(try call(100).largeDocument(for: ros) == nil)
        let document = try #require(try call(101).largeDocument(for: ros))
        #expect(
            String(decoding: document, as: UTF8.self).contains(
                #"{position: {x: 1.0, "y": 2.0, z: 3.0}, heading: -0.5}"#))
        #expect(try call(101).fault(ofLarge: document, for: ros) == nil)
        let many = try call(101)
        #expect(many.fault(ofLarge: Array(repeating: 0x20, count: 131_071), for: ros) == nil)
        #expect(many.fault(ofLarge: Array(repeating: 0x20, count: 131_072), for: ros)?.code == .unsupported)
        let line = try lines().abortableCall(many, readingFromHome: ".request").script
        #expect(line.contains("mrs_msgs/srv/TrajectoryReferenceSrv \"$(cat <&6)\""))
    }
}
