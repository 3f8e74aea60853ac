import Testing

@testable import Deployment

@Suite struct HostFactsTests {
    @Test func `a vehicle's computer is read`() throws {
        let facts = try #require(SampleFacts().deployed.running().facts)
        #expect(facts.system == "Linux" && facts.architecture == "x86_64" && facts.libc == "glibc 2.31")
        #expect(facts.home == "/home/mrs" && facts.homeProblem == nil && facts.freeBytes == 1_024_000_000)
        #expect(facts.isNoexec == false && !facts.hasUserManager && !facts.lingers && facts.unit == nil)
        #expect(facts.ros == ["ROS 1 noetic (/opt/ros/noetic/setup.bash)"])
        #expect(facts.installed == .deployed(SampleFacts.old) && facts.previous == SampleFacts.older)
        #expect(facts.stored == [SampleFacts.old, SampleFacts.older])
        #expect(facts.foundVersion == "0.1.0")
        let running = try #require(facts.running.first)
        #expect(running.process == 4711 && running.isOwn && running.unit == nil && running.vehicle == "uav1")
        #expect(running.program == "\(SampleFacts.folder)/\(SampleFacts.old)")
        #expect(facts.storedProgram(withChecksum: "0123456789abcdef") == SampleFacts.old)
        #expect(facts.storedProgram(withChecksum: "1123456789abcdef") == nil)
    }

    @Test func `what is missing is not guessed`() throws {
        #expect(HostFacts(ScriptAnswer("")) == nil)
        #expect(HostFacts(ScriptAnswer("uavlink begin\nuavlink system Linux\n")) == nil)
        let empty = try #require(HostFacts(ScriptAnswer("uavlink begin\nuavlink end\n")))
        #expect(empty.homeProblem == .missing && empty.isNoexec == nil && empty.freeBytes == nil)
        #expect(empty.installed == .nothing && empty.found == nil && empty.running.isEmpty)
    }

    @Test(arguments: ["../../etc", "x86 64", "x86_64;reboot", "", String(repeating: "x", count: 33)])
    func `an architecture is a word that can be part of a path`(name: String) {
        #expect(SampleFacts().with("machine \(name)").facts?.architecture == "")
    }

    @Test(arguments: [
        "companion-0.1.0-0123456789a", "companion-0.1.0-0123456789abc", "companion-0.1.0-0123456789aB", "companion-",
        "companion-0.1.0/../../x-0123456789ab", "companion-$(reboot)-0123456789ab", "companion-a b-0123456789ab",
    ])
    func `a name that a deployment does not give is no program of ours`(name: String) throws {
        #expect(!HostFacts.isStored(name))
        let facts = try #require(
            SampleFacts().with("stored \(name)", "link \(SampleFacts.folder)/\(name)").facts)
        #expect(facts.stored.isEmpty && facts.installed == .other && facts.previous == nil)
    }

    @Test(arguments: [
        ("home relative", HostFacts.HomeProblem.missing), ("homeless", .missing),
        ("blocked /home/mrs/.local", .blocked("/home/mrs/.local")), ("unwritable /home/mrs", .unwritable("/home/mrs")),
    ])
    func `a home that cannot be used is found`(line: String, problem: HostFacts.HomeProblem) {
        #expect(SampleFacts().with(line).facts?.homeProblem == problem)
    }

    @Test func `numbers are bounded`() {
        for (text, bytes) in [("0", 0), ("-1", nil), ("x", nil), ("9223372036854775807", Int.max), ("", nil)]
            as [(String, Int?)]
        {
            #expect(SampleFacts().with("free \(text)").facts?.freeBytes == bytes)
        }
        for line in ["x own - uav1 /p", "-1 own - uav1 /p", "1 nobody - uav1 /p", "1 own -", "1 own -  /p"] {
            #expect(SampleFacts().with("running \(line)").facts?.running.isEmpty == true, "\(line)")
        }
    }

    @Test(arguments: [("rw,noexec,relatime", true), ("rw,relatime", false), ("", nil), ("rw,noexecute", false)])
    func `a mount that runs no program is found`(options: String, isNoexec: Bool?) {
        #expect(SampleFacts().with("mount \(options)").facts?.isNoexec == isNoexec)
    }

    @Test func `the vehicle of a unit is a name or nothing`() {
        #expect(SampleFacts().with("unit ours uav7").facts?.unitVehicle == "uav7")
        for line in ["unit ours", "unit ours ", "unit ours $(reboot)", "unit foreign"] {
            #expect(SampleFacts().with(line).facts?.unitVehicle == nil, "\(line)")
        }
    }

    @Test func `a unit of the system is not taken for that of the user`() throws {
        let facts = try #require(SampleFacts().deployed.running(unit: ServiceUnit.name).facts)
        #expect(try !facts.isOurService(#require(facts.running.first)))
        let ours = try #require(SampleFacts().deployed.running(unit: ServiceUnit.name).with("unit ours uav1").facts)
        #expect(try ours.isOurService(#require(ours.running.first)))
    }

    @Test(arguments: [
        ("mrs", true), ("m.r-s_1", true), ("-mrs", false), ("m s", false), ("m;reboot", false), ("", false),
    ])
    func `a user's name is portable or not`(name: String, isPortable: Bool) {
        #expect(SampleFacts().with("user \(name)").facts?.hasPortableUser == isPortable)
    }

    @Test func `releases of ROS are told apart, and workspaces`() {
        let facts = SampleFacts().with("setup /opt/ros/jazzy/setup.bash").facts
        #expect(facts?.ros == ["ROS 2 jazzy (/opt/ros/jazzy/setup.bash)"])
        let workspace = SampleFacts().with("setup /home/mrs/ws/devel/setup.bash").facts
        #expect(workspace?.ros == ["workspace /home/mrs/ws/devel/setup.bash"])
    }
}
