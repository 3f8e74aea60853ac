import Testing
import VehicleAccess

@Suite("How busy a computer is")
struct HostLoadTests {
    private static let wireless = """
        0.50 0.40 0.30 2/345 6789
        4
        Inter-| sta-|   Quality        |   Discarded packets               | Missed | WE
         face | tus | link level noise |  nwid  crypt   frag  retry   misc | beacon | 22
         wlan0: 0000   54.  -56.  -256        0      0      0      0    110        0
        """

    @Test("the load is that of one processor, the signal that of the first wireless interface")
    func parse() throws {
        let load = try #require(HostLoad(Self.wireless))
        #expect(load.load == 0.125 && load.signalDecibels == -56)
        #expect(HostLoad("1.00 1.0 1.0 1/2 3\n2\n").map { $0.load == 0.5 && $0.signalDecibels == nil } == true)
    }

    @Test(
        "anything else is none",
        arguments: ["", "x", "1.0", "nan 1\n2", "1.0 1\n0", "1.0 1\n-3", "-1 0\n2", "1e9 1\n2"])
    func others(_ text: String) { #expect(HostLoad(text) == nil) }

    @Test("a signal that cannot be is left out")
    func signals() {
        #expect(HostLoad("1 1\n1\n wlan0: 0000 54. 12. -256 0\n")?.signalDecibels == nil)
        #expect(HostLoad("1 1\n1\n wlan0: 0000 54.\n")?.signalDecibels == nil)
    }
}
