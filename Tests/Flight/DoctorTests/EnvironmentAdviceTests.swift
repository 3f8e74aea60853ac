import Doctor
import MRS
import Testing

@Suite("Advice on the environment of ROS") struct EnvironmentAdviceTests {
    private func findings(_ lines: String...) throws -> [Finding] {
        let answer = (["uavlink-environment 1"] + lines + ["end"]).joined(separator: "\n")
        return EnvironmentAdvice.findings(try #require(ROSEnvironment(answer: Array(answer.utf8))))
    }

    @Test func `an environment is reported with where it was found and its master`() throws {
        let found = try findings(
            "found workspace /home/u/ws/devel/setup.bash", "distribution noetic",
            "set ROS_MASTER_URI=http://uav1:11311",
            "types")
        #expect(found.map(\.verdict) == [.good])
        #expect(found[0].message.hasPrefix("ROS noetic, from the workspace /home/u/ws/devel/setup.bash"))
        #expect(found[0].message.hasSuffix("; the ROS master is http://uav1:11311"))
    }

    @Test func `what is missing is a warning with the line to be written`() throws {
        for lines in ["found none", "found packages /usr/bin/rosservice"] {
            let found = try findings("looked /opt/ros", lines)
            #expect(found.map(\.verdict) == [.warning])
            #expect(found[0].advice.contains("'setup'"))
        }
        let notes = try findings("found log-in /a", "types", "note several ROS masters are in use")
        #expect(notes.map(\.verdict) == [.good, .warning])
    }

    @Test func `a search that failed and a profile's set-up are one finding each`() {
        let failed = EnvironmentAdvice.findings(ROSEnvironment(unansweredSearch: "no answer"))
        #expect(failed.map(\.verdict) == [.warning] && failed[0].message.contains("no answer"))
        let profile = EnvironmentAdvice.findings(ROSEnvironment(profileSetup: "true"))
        #expect(profile == [Finding("ROS environment", .good, "the profile's 'setup'")])
    }
}
