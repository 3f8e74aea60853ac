import Doctor
import MRS
import Testing
import VehicleAccess

@Suite("Advice on what makes links slow") struct LatencyAdviceTests {
    private func found(_ said: String) -> [Finding] { LatencyAdvice.findings(HostReport(said), "here") }

    @Test func `a radio that sleeps is found, with the command that wakes it`() {
        let sleeping = found("device wlan0\nmtu 1500\nwireless yes\npower_save on")
        #expect(sleeping.map(\.verdict) == [.warning, .good])
        #expect(sleeping.first?.advice == "sudo iw dev wlan0 set power_save off")
        #expect(found("device wlan0\nwireless yes\npower_save off").map(\.verdict) == [.good])
        #expect(found("device wlan0\nwireless yes\npower_save ").map(\.verdict) == [.skipped])
        #expect(found("device eth0\nmtu 1500").map(\.check) == ["MTU here"])
    }

    @Test(arguments: [(1279, Finding.Verdict.warning), (1280, .good), (65_536, .good)])
    func `packets that are too small for a frame are found`(bytes: Int, verdict: Finding.Verdict) {
        #expect(found("device tun0\nmtu \(bytes)").map(\.verdict) == [verdict])
    }

    @Test func `a clock that is not synchronised is found`() {
        #expect(found("ntp no\nntp_synchronized no").map(\.advice) == ["sudo timedatectl set-ntp true"])
        #expect(found("ntp yes\nntp_synchronized no").first?.advice.hasSuffix(": timedatectl timesync-status") == true)
        #expect(found("ntp_synchronized yes").map(\.verdict) == [.good])
        #expect(found("").isEmpty)
    }

    @Test func `keystrokes are held back from 9.5 on, unless that is switched off`() {
        func verdict(_ said: String) -> Finding.Verdict? {
            LatencyAdvice.keystrokes(HostReport(said), host: "h")?.verdict
        }
        #expect(verdict("ssh OpenSSH_9.2p1 Debian-2") == .good)
        #expect(verdict("ssh OpenSSH_9.5p1") == .warning)
        #expect(verdict("ssh OpenSSH_10.0p2\nkeystrokes interval:20") == .warning)
        #expect(verdict("ssh OpenSSH_10.0p2\nkeystrokes no") == .good)
        #expect(verdict("ssh dropbear") == nil)
    }

    @Test func `what every rosservice pays is reported, and what is not there`() {
        func startUp(_ shell: Int, _ setup: Int, _ program: Int?) -> [Finding] {
            LatencyAdvice.startUp(
                shell: .milliseconds(shell), setup: .milliseconds(setup), rosservice: program.map { .milliseconds($0) })
        }
        let slow = startUp(80, 700, 400)
        #expect(slow.map(\.verdict) == [.warning, .warning, .warning])
        #expect(
            slow.map { $0.message.contains("80 ms") || $0.message.contains("700 ms") || $0.message.contains("400 ms") }
                == [true, true, true])
        #expect(startUp(5, 1, 60).map(\.verdict) == [.good, .good])
        let none = startUp(5, 1, nil)
        #expect(none.last?.message.contains("not found") == true && none.last?.verdict == .warning)
    }

    @Test(arguments: [(1, 41, true), (1, 34, false), (1, 2, false), (1, 90, false), (20, 61, true), (41, 1, false)])
    func `a delayed acknowledgement is seen in the difference to UDP`(udp: Int, tcp: Int, isSeen: Bool) {
        let finding = LatencyAdvice.smallPackets(udp: .milliseconds(udp), tcp: .milliseconds(tcp))
        #expect((finding != nil) == isSeen)
    }
}
