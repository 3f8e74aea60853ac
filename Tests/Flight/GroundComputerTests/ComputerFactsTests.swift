import Testing

@testable import GroundComputer

/// What a report says of the ground's computer, from files made by hand.
@Suite struct ComputerFactsTests {
    private static let route = """
        Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT
        eth0\t00000000\t0101A8C0\t0003\t0\t0\t100\t00000000\t0\t0\t0
        wlan0\t0045A8C0\t00000000\t0001\t0\t0\t600\t00FFFFFF\t0\t0\t0
        """

    private func facts(_ files: [String: String], to address: String = "192.168.69.101") -> [String: String] {
        let all = ComputerFacts(read: { files[$0] }).machine(to: address)
        return Dictionary(all.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    @Test func `what may change the figures is named`() {
        let facts = facts([
            "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor": "powersave\n",
            "/sys/devices/system/clocksource/clocksource0/current_clocksource": "tsc\n",
            "/proc/sys/net/ipv4/tcp_congestion_control": "cubic\n", "/proc/sys/net/ipv4/tcp_sack": "1\n",
            "/proc/loadavg": "0.52 0.48 0.40 1/234 5678\n", "/proc/net/route": Self.route,
            "/sys/class/net/wlan0/device/uevent": "DRIVER=iwlwifi\nPCI_ID=1\n", "/sys/class/net/wlan0/speed": "-1\n",
            "/sys/class/net/wlan0/mtu": "1500\n",
        ])
        #expect(facts["frequency governor"] == "powersave" && facts["clock source"] == "tsc")
        #expect(facts["TCP"] == "congestion control cubic, sack 1" && facts["load at the start"] == "0.52")
        #expect(facts["network device"] == "wlan0, iwlwifi, MTU 1500")
    }

    @Test(arguments: [
        ("192.168.69.101", "wlan0"), ("192.168.70.1", "eth0"), ("127.0.0.1", "loopback"), ("nonsense", nil),
        ("1.2.3.256", nil),
    ])
    func `the network device is that of the most specific route`(_ address: String, _ name: String?) {
        #expect(facts(["/proc/net/route": Self.route], to: address)["network device"] == name)
    }

    @Test func `what a system does not tell is left out`() {
        let facts = facts(["/proc/net/route": "Iface\nx y z\n", "/proc/loadavg": ""])
        #expect(facts["TCP"] == nil && facts["network device"] == nil && facts["load at the start"] == nil)
        #expect(ComputerFacts(read: { _ in "cpu 1 2 3\n" }).processorTime == nil)
        #expect(ComputerFacts.load(from: nil, to: nil).isEmpty)
    }

    @Test func `load and stolen time are those of the run`() throws {
        let begin = try #require(ComputerFacts(read: { _ in "cpu  100 0 50 800 10 0 0 40 7 7\n" }).processorTime)
        let end = try #require(
            ComputerFacts(read: { _ in "cpu  400 0 150 1300 60 0 0 90 8 8\ncpu0 1\n" }).processorTime)
        #expect(ComputerFacts.load(from: begin, to: end).map(\.value) == ["45.0 %", "5.0 %"])
        #expect(ComputerFacts.stealNote(from: begin, to: end)?.contains("took 5.0 % of the processors") == true)
        var quiet = end
        quiet.stolen = begin.stolen
        #expect(ComputerFacts.stealNote(from: begin, to: quiet) == nil)
    }

    @Test func `the commit is that of the checkout around the program`() {
        let hash = "0123456789abcdef0123456789abcdef01234567"
        func commit(_ files: [String: String]) -> String? {
            ComputerFacts(read: { files[$0] }).commit(of: "/home/me/uavlink/.build/release/uavlink")
        }
        let head = ["/home/me/uavlink/.git/HEAD": "ref: refs/heads/main\n"]
        #expect(commit(head.merging(["/home/me/uavlink/.git/refs/heads/main": hash + "\n"]) { $1 }) == "0123456789ab")
        let packed = ["/home/me/uavlink/.git/packed-refs": "# x\n\(hash) refs/heads/main\n"]
        #expect(commit(head.merging(packed) { $1 }) == "0123456789ab")
        #expect(commit(["/home/me/uavlink/.git/HEAD": hash + "\n"]) == "0123456789ab")
        #expect(commit([:]) == nil && commit(head) == nil)
        let worktree = [
            "/home/me/uavlink/.git": "gitdir: /home/me/first/.git/worktrees/uavlink\n",
            "/home/me/first/.git/worktrees/uavlink/HEAD": "ref: refs/heads/side\n",
            "/home/me/first/.git/worktrees/uavlink/commondir": "../..\n",
            "/home/me/first/.git/worktrees/uavlink/../../refs/heads/side": hash,
        ]
        #expect(commit(worktree) == "0123456789ab")
    }

    @Test func `a repository around an installed program says nothing of it`() {
        let facts = ComputerFacts(read: { ["/home/me/.git/HEAD": "0123456789abcdef"][$0] })
        #expect(facts.commit(of: "/home/me/bin/uavlink") == nil)
        #expect(facts.commit(of: "/home/me/uavlink/.build/release/uavlink") == nil)
    }
}
