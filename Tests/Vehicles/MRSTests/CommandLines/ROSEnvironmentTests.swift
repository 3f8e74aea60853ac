import Testing
import UAVLink

@testable import MRS

/// The answer of a vehicle to the search for ROS, and the set-up that is made of it.
@Suite struct ROSEnvironmentTests {
    private func answer(_ lines: [String]) -> [UInt8] {
        Array((["Welcome to uav1", ROSEnvironment.answerMark] + lines + ["end", ""]).joined(separator: "\n").utf8)
    }

    private func environment(_ lines: String...) throws -> ROSEnvironment {
        try #require(ROSEnvironment(answer: answer(lines)))
    }

    @Test func `an answer becomes an environment`() throws {
        let found = try environment(
            "looked the environment of the log-in", "looked /home/u/.bashrc",
            "note /opt/ros/jazzy is not ROS 1", "found start-up-file /home/u/.bashrc",
            "file /opt/ros/noetic/setup.bash",
            "file /home/u/my ws/devel/setup.bash", "process 12", "distribution noetic",
            "set PATH=/opt/ros/noetic/bin:/home/u/b=c", "set ROS_MASTER_URI=http://uav1:11311", "types")
        #expect(found.source == .startUpFile)
        #expect(found.place == "/home/u/.bashrc")
        #expect(found.files == ["/opt/ros/noetic/setup.bash", "/home/u/my ws/devel/setup.bash"])
        #expect(found.process == 12)
        #expect(found.distribution == "noetic")
        #expect(
            found.variables == [
                .init("PATH", "/opt/ros/noetic/bin:/home/u/b=c"), .init("ROS_MASTER_URI", "http://uav1:11311"),
            ])
        #expect(found.master == "http://uav1:11311")
        #expect(found.knowsMessages && found.isFound && found.failure == nil)
        #expect(found.searched == ["the environment of the log-in", "/home/u/.bashrc"])
        #expect(found.notes == ["/opt/ros/jazzy is not ROS 1"])
        #expect(found.summary.contains("ROS noetic") && found.summary.contains("/home/u/.bashrc"))
    }

    @Test func `an answer that is incomplete or contradicts itself is none`() {
        let good = answer(["found log-in /opt/ros/noetic/bin/rosservice"])
        #expect(ROSEnvironment(answer: good) != nil)
        for length in [0, 3, 16, good.count - 5] { #expect(ROSEnvironment(answer: Array(good.prefix(length))) == nil) }
        #expect(ROSEnvironment(answer: Array("found log-in x\nend\n".utf8)) == nil)
        for lines in [
            [], ["looked x"], ["found"], ["found elsewhere x"], ["found profile x"],
            ["found log-in x", "found none"],
        ] {
            #expect(ROSEnvironment(answer: answer(lines)) == nil, "\(lines)")
        }
    }

    @Test func `what is unknown or unusable is left out`() throws {
        let found = try environment(
            "later something", "file relative/setup.bash", "file /a\u{1B}[2J/setup.bash", "file /a\u{85}b", "process 0",
            "process 4194305", "process x", "set LD_PRELOAD=/tmp/x.so", "set ROS_IP", "set ROS_IP=1",
            "found packages /b")
        #expect(found.files.isEmpty && found.process == nil)
        #expect(found.variables == [.init("ROS_IP", "")])
        #expect(try environment("found process x", "process 4194304").process == 4_194_304)
        let before = Array((ROSEnvironment.answerMark + "\nfound none\nfile /").utf8)
        let notText = ROSEnvironment(answer: before + [0xFF] + Array("\nend\n".utf8))
        #expect(notText?.files == [])
    }

    @Test func `an answer is bounded`() throws {
        let files = (0..<33).map { "file /\($0)" }
        #expect(ROSEnvironment(answer: answer(["found none"] + files))?.files.count == 32)
        let short = answer(["found none", "note "])
        func padded(to count: Int) -> [UInt8] {
            answer(["found none", "note " + String(repeating: "x", count: count - short.count)])
        }
        let limit = ROSEnvironment.longestAnswer
        #expect(padded(to: limit).count == limit)
        #expect(ROSEnvironment(answer: padded(to: limit)) != nil)
        #expect(ROSEnvironment(answer: padded(to: limit + 1)) == nil)
    }

    @Test func `the set-up sets the variables if what they came from is there still`() throws {
        let found = try environment(
            "found workspace /home/u/it's/devel/setup.bash", "file /home/u/it's/devel/setup.bash", "process 12",
            "set PATH=/a b", "set ROS_IP=10.0.0.1")
        #expect(
            found.setup
                == #"[ -r '/home/u/it'\''s/devel/setup.bash' ] && [ -d /proc/12 ] && export PATH='/a b':"$PATH" "#
                + "ROS_IP='10.0.0.1'")
        #expect(try environment("found log-in /x").setup.isEmpty)
        #expect(try environment("found none", "set ROS_IP=1").setup == "export ROS_IP='1'")
    }

    @Test func `variables too long for each command line are read from the setup files`() throws {
        func setup(_ length: Int, _ more: String...) throws -> String {
            let value = String(repeating: "x", count: length)
            let lines = ["found workspace /w", "set PYTHONPATH=\(value)", "set ROS_IP=1"] + more
            return try #require(ROSEnvironment(answer: answer(lines))).setup
        }
        let other = "export PYTHONPATH='' ROS_IP='1'".utf8.count
        let limit = ROSEnvironment.longestExports
        #expect(try setup(limit - other, "file /w").hasPrefix("[ -r '/w' ] && export PYTHONPATH='xx"))
        #expect(try setup(limit - other + 1, "file /w") == "[ -r '/w' ] && source '/w' && export ROS_IP='1'")
        #expect(try setup(limit - other + 1).utf8.count == limit + 1, "there is nothing else to be read")
    }

    @Test func `where there is none, the error says where was looked and what to do`() throws {
        let none = try environment("looked /home/u/.bashrc", "looked /opt/ros", "found none")
        let error = try #require(none.failure)
        #expect(error.code == .remoteFailed)
        #expect(error.what.contains("/home/u/.bashrc, /opt/ros"))
        #expect(error.hint.contains("'setup'") && error.hint.contains("source ~/workspace/devel/setup.bash"))
        let silent = ROSEnvironment(unansweredSearch: "it took too long")
        #expect(silent.failure?.what.contains("it took too long") == true)
    }

    @Test func `the search is a command line that SSH carries, and ends with its input`() throws {
        let names = try VehicleNames(vehicle: "uav1")
        for ros in [ROSVersion.one, .two(domain: nil)] {
            let command = EnvironmentSearch.command(for: names, installations: "/it's", ros: ros)
            #expect(command.input == .untilClosed)
            #expect(command.line.utf8.count < 12_000)
            let script = EnvironmentSearch.script(for: names, installations: "/it's", ros: ros)
            #expect(script.contains(#"installations='/it'\''s'"#) && script.contains("vehicle=uav1\n"))
            for name in ros.variableNames { #expect(script.contains(name)) }
        }
    }

    @Test func `a profile's set-up stays as it is, and its failure is the profile's`() throws {
        let profile = ROSEnvironment(profileSetup: "source ~/x; true")
        #expect(profile.setup == "source ~/x; true" && !profile.isFound && profile.failure == nil)
        let names = try VehicleNames(vehicle: "uav1")
        let failed = RemoteResult(
            standardOutput: [], standardError: Array("no disk\nuavlink: setup ended with 1\n".utf8), exitStatus: 121)
        let ofProfile = ROSCommandLines(names: names, environment: profile).setupFailure(in: failed)
        #expect(ofProfile?.what.contains("the profile's 'setup' failed") == true)
        // Shown as the user wrote it, without what is run after it.
        let named = ROSEnvironment(profileSetup: "source ~/x", master: "http://a:1")
        let ofNamed = ROSCommandLines(names: names, environment: named).setupFailure(in: failed)
        #expect(ofNamed?.hint.hasSuffix("setup: source ~/x") == true)
        let found = try environment("found workspace /w/devel/setup.bash")
        let ofFound = ROSCommandLines(names: names, environment: found).setupFailure(in: failed)
        #expect(ofFound?.what.contains("/w/devel/setup.bash") == true && ofFound?.what.contains("no disk") == true)
        #expect(ofFound?.what.contains("the profile's") == false)
    }
}
