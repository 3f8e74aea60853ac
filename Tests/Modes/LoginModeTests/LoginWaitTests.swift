import FlightControl
import LoginMode
import Testing
import UAVTestKit

@MainActor
@Suite("The time that a log-in takes")
struct LoginWaitTests {
    @Test func `its seconds are counted, and those of the next one anew`() async {
        let rig = await LoginRig(FakeOpener(.hang([]), .hang([])))
        await rig.fillIn()
        await rig.do(.logIn)
        #expect(rig.state.isLoggingIn && rig.state.secondsWaited == 0)
        await rig.timeSource.beat(.milliseconds(3500))
        #expect(rig.state.secondsWaited == 3)
        await rig.do(.cancel)
        await rig.timeSource.beat(.seconds(2))
        #expect(!rig.state.isLoggingIn && rig.state.secondsWaited == 3)
        await rig.do(.logIn)
        #expect(rig.state.secondsWaited == 0)
        await rig.timeSource.beat(.milliseconds(1500))
        #expect(rig.state.secondsWaited == 1)
        await rig.do(.cancel)
        await rig.detach()
    }
}
