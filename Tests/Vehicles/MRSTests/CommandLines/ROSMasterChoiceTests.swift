import Testing
import UAVLink

@testable import MRS

/// Of several ROS masters that have the vehicle none is picked without being named.
@Suite struct ROSMasterChoiceTests {
    private let one = "http://localhost:11311"
    private let two = "http://localhost:11312"

    private func environment(_ lines: String...) throws -> ROSEnvironment {
        let answer = ([ROSEnvironment.answerMark] + lines + ["end"]).joined(separator: "\n")
        return try #require(ROSEnvironment(answer: Array(answer.utf8)))
    }

    private func several(_ more: String...) throws -> ROSEnvironment {
        let lines = ["master \(one)", "master \(two)", "found installation /opt/ros/noetic"] + more
        let answer = ([ROSEnvironment.answerMark] + lines + ["end"]).joined(separator: "\n")
        return try #require(ROSEnvironment(answer: Array(answer.utf8)))
    }

    @Test func `the usual master of a setup file is no choice among several`() throws {
        #expect(try several("uses \(one)").needsMasterChoice)
        #expect(try several().needsMasterChoice)
        #expect(try several("uses http://uav1:11311").needsMasterChoice == false)
        #expect(try several("named", "uses \(one)").needsMasterChoice == false)
        #expect(try environment("master \(one)", "found installation /o", "uses \(one)").needsMasterChoice == false)
    }

    @Test func `several with the vehicle are refused with their list and the way out`() throws {
        let having: [ROSEnvironment.MasterWithVehicle] = [.init(one, identity: "a\n"), .init(two, identity: "b\n")]
        let refused = try several("uses \(one)").choosing(among: having, vehicle: "uav1")
        let failure = try #require(refused.failure)
        #expect(failure.code == .remoteFailed)
        #expect(failure.what.contains(one) && failure.what.contains(two) && failure.what.contains("'uav1'"))
        #expect(failure.hint.contains("ros-master") && failure.hint.contains("'setup'"))
    }

    @Test func `one master under two names is one`() throws {
        let having: [ROSEnvironment.MasterWithVehicle] = [.init(one, identity: "a\n"), .init(two, identity: "a\n")]
        let chosen = try several("uses \(one)").choosing(among: having, vehicle: "uav1")
        #expect(chosen.failure == nil && chosen.master == one)
    }

    @Test func `the only one with the vehicle is used, also in place of a profile's set-up`() throws {
        let having = [ROSEnvironment.MasterWithVehicle(two, identity: "")]
        let chosen = try several("uses \(one)").choosing(among: having, vehicle: "uav1")
        #expect(chosen.failure == nil && chosen.master == two)
        #expect(chosen.setup == "export ROS_MASTER_URI='\(two)'")
        var profile = ROSEnvironment(profileSetup: "source ~/x")
        let answer = [ROSEnvironment.answerMark, "master \(one)", "master \(two)", "uses \(one)", "end"]
        profile.takeMasters(fromAnswer: Array(answer.joined(separator: "\n").utf8))
        #expect(profile.needsMasterChoice && profile.master == one)
        let other = profile.choosing(among: having, vehicle: "uav1")
        #expect(other.setup == "{ source ~/x\n} && export ROS_MASTER_URI='\(two)'")
        #expect(other.master == two)
    }

    @Test func `none with the vehicle is no reason to take the usual one`() throws {
        let refused = try several("uses \(one)").choosing(among: [], vehicle: "uav1")
        #expect(refused.failure?.code == .serviceMissing)
    }

    @Test func `a profile that names its master has chosen`() {
        let set = ROSEnvironment(profileSetup: "source ~/x", master: two)
        #expect(set.isMasterNamed && set.master == two && set.setup.contains(two))
        #expect(ROSEnvironment(profileSetup: "export ROS_MASTER_URI=\(two)").isMasterNamed)
    }

    @Test func `the masters of a set-up are listed after it`() throws {
        let names = try VehicleNames(vehicle: "uav1")
        let lines = ROSCommandLines(names: names, setup: "source ~/x")
        #expect(lines.masters().line.contains("rosmaster"))
        let call = try ServiceCall(.hover)
        #expect(lines.identity(ofMaster: "http://a:1", having: call).line.contains("http://a:1"))
    }
}
