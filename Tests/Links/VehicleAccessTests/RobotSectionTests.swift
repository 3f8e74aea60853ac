import Testing
import UAVLink

@testable import VehicleAccess

/// The section `robot` of a vehicle in the configuration file.
@Suite struct RobotSectionTests {
    private func robot(_ section: String) throws -> RobotProgram {
        let text = "vehicles:\n  r: {link: 'bluno:///dev/ttyACM0', robot: \(section)}\n"
        return try Configuration(bytes: Array(text.utf8), source: "file").profile(named: "r").robot
    }

    @Test func `what is not there keeps its default`() throws {
        #expect(try robot("{}") == RobotProgram() && robot("") == RobotProgram())
        let changed = try robot(
            "{keys: {f1: go, stop: '.'}, tasks: {Dance: '7', Rest: '0'}, most-speed: 100, remote-task: ''}")
        #expect(changed.keys[.f1] == "go" && changed.keys[.stop] == "." && changed.keys[.forward] == "f")
        #expect(changed.tasks == [RobotTask(name: "Dance", text: "7"), RobotTask(name: "Rest", text: "0")])
        #expect(changed.mostSpeed == 100 && changed.remoteTask == nil && changed.stopTask == "0")
    }

    @Test(arguments: [
        "{key: {}}", "{keys: {f9: a}}", "{keys: {f1: ''}}", "{keys: {f1: 'ä'}}", "{keys: {f1: '12345678901234567'}}",
        "{tasks: {Dance: ''}}", "{tasks: {Dance: \"a\\n\"}}", "{most-speed: 0}", "{most-speed: 65536}",
        "{stop-task: '12345678901234567'}", "[]", "7",
    ])
    func `anything else names its place`(_ section: String) {
        let error = #expect(throws: LinkError.self) { try robot(section) }
        #expect(error?.code == .invalidInput && error?.what.hasPrefix("file, line 2, ") == true, "\(error as Any)")
    }

    @Test func `it is written as it is read`() throws {
        let program = RobotProgram(
            keys: [.f1: "a: {b}", .stop: "."], tasks: [RobotTask(name: "Über", text: "#1")], mostSpeed: 9,
            remoteTask: nil, stopTask: "x y")
        let read = try robot(program.flow)
        #expect(read.tasks == program.tasks && read.mostSpeed == 9 && read.remoteTask == nil && read.stopTask == "x y")
        #expect(read.keys[.f1] == "a: {b}" && read.keys[.stop] == "." && read.keys[.left] == "l")
    }
}
