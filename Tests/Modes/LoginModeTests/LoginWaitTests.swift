import FlightControl
import LoginMode
import Testing
import UAVLink
import VehicleAccess
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

    @Test func `a machine that is driven by text need not say anything`() async {
        let link = silentLink(.direct)
        link.vehicleCapabilities.isDrivenByText = true
        let rig = await LoginRig(FakeOpener(.open([.opened(.direct)], link)))
        await rig.fillIn()
        await rig.do(.logIn)
        await rig.timeSource.beat(.seconds(1))
        #expect(rig.state.dialog == nil && rig.fleet.vehicles.count == 1)
        await rig.fleet.removeAll()
    }
}
