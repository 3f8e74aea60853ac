import Foundation
import IntegrationKit
import Testing

@testable import Deployment

@Suite struct ServiceUnitTests {
    @Test func `the unit of a user starts the deployed companion for the vehicle`() {
        let text = ServiceUnit.text(
            vehicle: "uav7", bind: "10.0.0.7",
            variables: [.init(name: "ROS_MASTER_URI", value: "http://a:11311"), .init(name: "ROS_IP", value: #"5%"\"#)])
        let lines = text.split(separator: "\n").map(String.init)
        #expect(lines[0].contains("uavlink deploy"))
        #expect(lines.contains("ExecStart=%h/.local/bin/uavlink-companion run --uav uav7 --bind 10.0.0.7"))
        #expect(lines.contains(#"Environment="ROS_MASTER_URI=http://a:11311""#))
        #expect(lines.contains(#"Environment="ROS_IP=5%%\"\\""#))
        #expect(lines.contains("WantedBy=default.target") && lines.contains("Type=notify"))
        // It is recognized by its script.
        #expect(ServiceScripts.install(text, for: "uav7").contains("grep -qs 'uavlink deploy'"))
    }

    @Test func `only the variables that were asked for are taken`() {
        let printed =
            "hello\nuavlink variable ROS_IP=1.2.3.4\nuavlink variable LD_PRELOAD=/x\nuavlink variable ROS_HOSTNAME\n"
        #expect(ServiceUnit.variables(printed) == [.init(name: "ROS_IP", value: "1.2.3.4")])
    }

    @Test func `the unit for the system is that of scripts`() throws {
        let path = BuiltPrograms.repository + "/scripts/systemd/uavlink-companion@.service"
        #expect(try String(contentsOfFile: path, encoding: .utf8) == ServiceUnit.systemUnit)
        let lines = ServiceUnit.systemInstructions(user: "mrs", vehicle: "uav7")
        #expect(lines.contains { $0.contains("uavlink-companion@mrs") })
        #expect(lines.contains("[Install]"))
    }
}
