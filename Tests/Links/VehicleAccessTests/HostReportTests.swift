import Foundation
import Testing

@testable import VehicleAccess

@Suite("What a computer says of its way to another one") struct HostReportTests {
    private static let radio = """
        device wlan0
        mtu 1500
        wireless yes
        power_save on
        ntp yes
        ntp_synchronized no
        ssh OpenSSH_9.6p1 Ubuntu-3ubuntu13, OpenSSL 3.0.13
        keystrokes yes
        """

    @Test func `all that is said is understood`() {
        let look = HostReport(Self.radio)
        #expect(look.interface == "wlan0" && look.packetBytes == 1500 && look.isWireless)
        #expect(look.savesPower == true && look.synchronises == true && look.hasSynchronisedClock == false)
        #expect(look.openSSH?.major == 9 && look.openSSH?.minor == 6 && look.obscuresKeystrokes == true)
    }

    @Test(arguments: [
        "", "device ", "device", "mtu 99999999999999999999", "mtu 67", "mtu x", "power_save", "power_save maybe",
        "ssh dropbear", "ssh OpenSSH_", "ssh OpenSSH_9", "ssh OpenSSH_9999.1", "ntp perhaps",
        "device -f", "device a b", "device wlan0;rm", "device abcdefghijklmnop", "device w\u{1B}",
    ])
    func `what is not understood says nothing`(_ text: String) { #expect(HostReport(text) == HostReport("")) }

    @Test func `this machine is looked at by the same script`() async {
        let look = await HostReport.here(towards: "127.0.0.1")
        if FileManager.default.isExecutableFile(atPath: "/usr/sbin/ip")
            || FileManager.default.isExecutableFile(atPath: "/usr/bin/ip")
            || FileManager.default.isExecutableFile(atPath: "/sbin/ip")
        {
            #expect(look.interface == "lo" && look.packetBytes == 65_536 && !look.isWireless)
        }
        // A name that would be an option, or more than a word, stays a name.
        let odd = await HostReport.here(towards: "-oProxyCommand=touch /tmp/uavlink-odd; $(touch /tmp/uavlink-odd)")
        #expect(odd.interface == nil && !FileManager.default.fileExists(atPath: "/tmp/uavlink-odd"))
    }
}
