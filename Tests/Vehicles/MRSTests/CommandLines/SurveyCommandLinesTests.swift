import Testing
import UAVLink

@testable import MRS

@Suite("Questions by ROS's own programs") struct SurveyCommandLinesTests {
    private let lines: ROSCommandLines

    init() throws { lines = ROSCommandLines(names: try VehicleNames(vehicle: "uav1")) }

    private func result(_ output: String, status: Int = 0) -> RemoteResult {
        RemoteResult(standardOutput: Array(output.utf8), exitStatus: status)
    }

    private let answer = """
        success: True
        message: "transformation successful"
        reference:
          header:
            seq: 0
            stamp:
              secs: 0
              nsecs: 0
            frame_id: "latlon_origin"
          reference:
            position:
              x: 47.397743
              y: 8.545594
              z: 340.0
            heading: 0.0
        """

    @Test func `the transformer's answer is read, and anything else is none`() {
        let origin = lines.worldOrigin(from: result(answer))
        #expect(
            origin
                == .init(
                    latitudeDegrees: 47.397743, longitudeDegrees: 8.545594, altitudeMetres: 340, source: .transformer))
        #expect(lines.worldOrigin(from: result(answer, status: 1)) == nil)
        #expect(lines.worldOrigin(from: result(answer.replacing("True", with: "False"))) == nil)
        for bad in ["", "---", "success: True", "{", answer.replacing("340.0", with: "high")] {
            #expect(lines.worldOrigin(from: result(bad)) == nil)
        }
    }

    @Test func `topics are one name a line, and what is no name is left out`() {
        let printed = "/uav1/map/points\n/uav1/lidar\nWARNING: x\n\n/a b\n"
        #expect(lines.maps(from: result(printed)).map(\.topic) == ["/uav1/map/points", "/uav1/lidar"])
        let many = (0..<100).map { "/t\($0)\n" }.joined()
        #expect(lines.maps(from: result(many)).count == AvailableMap.maximumAvailableMaps)
    }

    @Test func `the path of the world file is read, and a parameter that is not set is none`() throws {
        #expect(lines.worldParameter.line.contains("rosparam get /uav1/control_manager/world_config"))
        #expect(try lines.worldPath(from: result("/home/mrs/world.yaml\n")) == "/home/mrs/world.yaml")
        // rosparam prints YAML.
        #expect(try lines.worldPath(from: result("'/home/mrs/a: b.yaml'\n")) == "/home/mrs/a: b.yaml")
        for none in ["", "''\n", "[1, 2]\n", "{"] { #expect(try lines.worldPath(from: result(none)) == nil) }
        func failed(_ text: String) -> RemoteResult {
            RemoteResult(standardOutput: [], standardError: Array(text.utf8), exitStatus: 1)
        }
        let unset = failed("ERROR: Parameter [/uav1/control_manager/world_config] is not set\n")
        #expect(try lines.worldPath(from: unset) == nil)
        let alone = #expect(throws: LinkError.self) {
            try lines.worldPath(from: failed("ERROR: Unable to communicate with master!\n"))
        }
        #expect(alone?.code == .rosMasterUnreachable)
        let other = #expect(throws: LinkError.self) { try lines.worldPath(from: failed("sh: rosparam: not found\n")) }
        #expect(other?.code == .remoteFailed && other?.what.contains("not found") == true)
    }

    @Test func `a large trajectory is a document of lists that ends with its rule, a small one is none`() throws {
        func call(_ count: Int) throws -> ServiceCall {
            let points = (0..<count).map {
                Trajectory.Point(position: Vector3(x: Double($0), y: 1e-7, z: 1e20), headingRadians: -0.5)
            }
            return try ServiceCall(
                .uploadTrajectory(Trajectory(frame: .worldOrigin, points: points, timeStepSeconds: 0.02)))
        }
        #expect(try call(100).largeDocument == nil)
        #expect(try ServiceCall(.hover).largeDocument == nil)
        let document = String(decoding: try #require(try call(101).largeDocument), as: UTF8.self)
        #expect(document.hasPrefix("{trajectory: {header: "))
        #expect(document.hasSuffix(",-0.5]]}}\n---\n"))
        // YAML 1.1 takes an exponent for a number only behind a point and with a sign.
        #expect(document.contains("[[100.0,1.0e-07,1.0e+20],-0.5]"))
    }

    @Test func `the file is opened and forgotten before the set-up can move the shell elsewhere`() throws {
        let command = ROSCommandLines(names: try VehicleNames(vehicle: "uav1"), setup: "cd /tmp").abortableCall(
            try ServiceCall(.hover), readingFromHome: ".request")
        let line = command.line
        let opened = try #require(line.firstRange(of: ".request"))
        let setUp = try #require(line.firstRange(of: "cd /tmp"))
        #expect(opened.lowerBound < setUp.lowerBound)
        #expect(command.input == .untilClosed)
    }
}
