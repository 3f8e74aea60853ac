import Impairment
import Testing
import UAVLink

@testable import VehicleAccess

@Suite struct RelaySetTests {
    /// A connection past the impairment would be measured as if it were impaired.
    @Test func `where no relay can be created no connection goes past it`() {
        let relays = RelaySet(seed: 1)
        #expect(throws: LinkError.self) { try relays.port(.tcp, host: "no address", port: 11311) }
        #expect(relays.portOrNone(.tcp, host: "no address", port: 11311) == 9)
        relays.close()
    }
}
