import MRS
import ROS2
import Testing
import UAVLink

@testable import MRSROS2

/// What the diagnosis says about the tokens of a domain.
@Suite("diagnosis of ROS 2") struct ROS2DiagnosisTests {
    private let names: VehicleNames

    init() throws { names = try VehicleNames(vehicle: "uav1") }

    private func token(_ endpoint: VehicleEndpoint, hash: String? = nil) -> String {
        let parts = endpoint.name.text.split(separator: "/")
        let named = endpoint.name.text.replacing("/", with: "%")
        let type = "\(endpoint.type.name)/\(hash ?? endpoint.type.hash)"
        return "@ros2_lv/0/abc/1/2/\(endpoint.role.rawValue)/%/%uav1/\(parts[1])/\(named)/\(type)/::,10:,:,:,,"
    }

    private func graph(without left: String = "", _ change: (inout ROS2Graph) -> Void = { _ in }) -> ROS2Graph {
        var graph = ROS2Graph(domain: 0)
        for (number, endpoint) in VehicleInterface.endpoints(of: names).enumerated() where endpoint.name.text != left {
            graph.insert(token(endpoint).replacing("/1/2/", with: "/1/\(number)/"))
        }
        change(&graph)
        return graph
    }

    private func findings(_ graph: ROS2Graph) -> [String: Finding] {
        let all = ROS2GraphDiagnosis.findings(in: graph, names: names, router: "tcp/127.0.0.1:7447")
        return Dictionary(uniqueKeysWithValues: all.map { ($0.check, $0) })
    }

    @Test func `a vehicle with all that is needed is in order`() {
        let found = findings(graph())
        #expect(found.keys.sorted() == ["message types", "setpoints", "vehicle"])
        #expect(found.values.allSatisfy { $0.verdict == .good }, "\(found)")
    }

    @Test func `no vehicle, no service and no subscription are named with what to do`() {
        let absent = findings(ROS2Graph(domain: 0))
        #expect(absent.keys.sorted() == ["vehicle"] && absent["vehicle"]?.verdict == .bad)
        let land = findings(graph(without: "/uav1/uav_manager/land"))
        #expect(land["vehicle"]?.message == "no node offers /uav1/uav_manager/land")
        let deaf = findings(graph(without: "/uav1/control_manager/velocity_reference"))
        #expect(deaf["setpoints"]?.verdict == .bad)
    }

    @Test func `another type, and another node that steers, are named`() throws {
        let status = try #require(VehicleInterface.endpoints(of: names).first { $0.name.text == "/uav1/hw_api/status" })
        let zeros = "RIHS01_" + String(repeating: "0", count: 64)
        let other = findings(graph(without: status.name.text) { $0.insert(token(status, hash: zeros)) })
        #expect(other["message types"]?.verdict == .bad)
        #expect(other["message types"]?.message.contains("HwApiStatus") == true)

        let setpoints = try #require(
            VehicleInterface.endpoints(of: names).first { $0.role == .subscriber })
        let publisher = token(setpoints).replacing("/MS/", with: "/MP/")
        func steered(by node: String) -> Finding? {
            let theirs = publisher.replacing("/%uav1/control_manager/", with: "/%/\(node)/")
            return findings(graph { $0.insert(theirs) })["setpoints"]
        }
        #expect(steered(by: "joystick")?.verdict == .warning)
        #expect(steered(by: "joystick")?.message.contains("/joystick") == true)
        #expect(steered(by: "uavlink_companion_uav1")?.verdict == .good)
    }
}
