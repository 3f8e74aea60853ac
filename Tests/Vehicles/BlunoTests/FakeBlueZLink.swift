import DBus
import IntegrationKit

@testable import Bluno

#if os(Linux)
    extension FakeBlueZ {
        /// A link to a board over the fake; `nil` for the only one in range.
        func link(_ address: String? = FakeBlueZ.address) -> BlunoLink {
            let place = place
            return BlunoLink(
                .init(
                    transport: BluetoothTransport(address: address) { () throws(BusFailure) in
                        try SystemBus(address: place)
                    }, vehicle: "r1"))
        }
    }
#endif
