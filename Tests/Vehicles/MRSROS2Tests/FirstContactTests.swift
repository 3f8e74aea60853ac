import MRS
import ROS2
import Testing
import UAVLink

@testable import MRSROS2

/// What tokens say about a vehicle, and what is refused by them.
@Suite("first contact") struct FirstContactTests {
    private let names: VehicleNames

    init() throws { names = try VehicleNames(vehicle: "uav1") }

    /// The tokens of a vehicle with our types, in one session with a node for each manager.
    private func graph(
        changing name: String = "", to type: (EndpointType) -> String = { "\($0.name)/\($0.hash)" }
    ) -> ROS2Graph {
        var graph = ROS2Graph(domain: 0)
        for (number, endpoint) in VehicleInterface.endpoints(of: names).enumerated() {
            let parts = endpoint.name.text.split(separator: "/")
            let named = endpoint.name.text.replacing("/", with: "%")
            let what = endpoint.name.text == name ? type(endpoint.type) : "\(endpoint.type.name)/\(endpoint.type.hash)"
            graph.insert(
                "@ros2_lv/0/abc/1/\(number)/\(endpoint.role.rawValue)/%/%uav1/\(parts[1])/\(named)/\(what)/::,10:,:,:,,"
            )
        }
        return graph
    }

    @Test func `the interface has each topic and each service once, with a type`() {
        let endpoints = VehicleInterface.endpoints(of: names)
        #expect(endpoints.count == VehicleTopic.allCases.count + VehicleService.allCases.count)
        #expect(Set(endpoints.map(\.name)).count == endpoints.count - 1)
        let odometry = endpoints.first { $0.name.text == "/uav1/estimation_manager/odom_main" }
        #expect(odometry?.role == .publisher)
        #expect(
            odometry?.type.hash == "RIHS01_3cc97dc7fb7502f8714462c526d369e35b603cfc34d946e3f2eda2766dfec6e0")
        let takeoff = endpoints.first { $0.name.text == "/uav1/uav_manager/takeoff" }
        #expect(takeoff?.role == .server)
        #expect(takeoff?.type.name == "std_srvs::srv::dds_::Trigger_")
    }

    @Test func `a vehicle with our types is taken`() {
        let contact = FirstContact(graph(), names: names)
        #expect(contact.isPresent)
        #expect(contact.mismatches.isEmpty)
        #expect(contact.refusal(of: "uav1") == nil)
    }

    @Test func `what differs is refused by name`() throws {
        let other = "RIHS01_" + String(repeating: "0", count: 64)
        let contact = FirstContact(graph(changing: "/uav1/hw_api/status") { "\($0.name)/\(other)" }, names: names)
        let mismatch = try #require(contact.mismatches.first)
        #expect(contact.mismatches.count == 1)
        #expect(mismatch.node.text == "/uav1/hw_api")
        let refusal = try #require(contact.refusal(of: "uav1"))
        #expect(refusal.code == .typeMismatch)
        #expect(refusal.what.contains("its mrs_msgs/msg/HwApiStatus (/uav1/hw_api/status) differs from ours"))
        #expect(refusal.what.contains("RIHS01_000000000000..., not RIHS01_daf06f76c80f..."))

        var theirs = try mismatch.ours.describe()
        theirs = TypeDescription(
            type: IndividualTypeDescription(
                typeName: theirs.type.typeName, fields: Array(theirs.type.fields.dropLast())),
            referenced: theirs.referenced)
        let difference = try #require(try mismatch.ours.describe().firstDifference(from: theirs))
        let named = contact.refusal(of: "uav1", fields: ["mrs_msgs/msg/HwApiStatus": difference])
        #expect(named?.what.contains("differs from ours: field 'mode' is missing in theirs") == true)
    }

    @Test func `a service with another type is refused by both names`() throws {
        let contact = FirstContact(
            graph(changing: "/uav1/control_manager/goto") { "mrs_msgs::srv::dds_::Vec1_/\($0.hash)" }, names: names)
        let refusal = try #require(contact.refusal(of: "uav1"))
        #expect(
            refusal.what.contains("'/uav1/control_manager/goto' has the type mrs_msgs/srv/Vec1, not mrs_msgs/srv/Vec4"))
    }

    @Test func `who else subscribes to setpoints is not the vehicle`() {
        var graph = graph()
        let other = "mrs_msgs::msg::dds_::VelocityReferenceStamped_/RIHS01_" + String(repeating: "1", count: 64)
        graph.insert(
            "@ros2_lv/0/def/1/2/MS/%/%/recorder/%uav1%control_manager%velocity_reference/\(other)/::,10:,:,:,,")
        #expect(FirstContact(graph, names: names).mismatches.isEmpty)
        graph.insert(
            "@ros2_lv/0/def/1/3/MS/%/%uav1/x/%uav1%control_manager%velocity_reference/\(other)/::,10:,:,:,,")
        #expect(FirstContact(graph, names: names).mismatches.count == 1)
    }

    @Test func `an absent vehicle is named, with those that are there`() throws {
        let contact = FirstContact(graph(), names: try VehicleNames(vehicle: "uav2"))
        #expect(!contact.isPresent)
        let error = contact.absence(of: "uav2", at: "tcp/10.0.0.7:7447")
        #expect(error.code == .serviceMissing)
        #expect(error.what == "the Zenoh router at tcp/10.0.0.7:7447 answers, but domain 0 has no vehicle 'uav2'")
        #expect(error.hint.hasPrefix("the domain has uav1; "))
    }
}
