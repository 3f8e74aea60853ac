/// The time-outs of a connection over Bluetooth LE: BlueZ has none for some of these.
package enum LETimes {
    /// A call that BlueZ answers by itself.
    package static let answer: Duration = .seconds(5)
    /// A device advertises several times a second; a weak one is heard within seconds.
    package static let search: Duration = .seconds(10)
    /// How long all devices in range are listened for before the only one is taken.
    package static let survey: Duration = .seconds(4)
    /// `Connect`: BlueZ itself gives up after up to 40 s. DFRobot's own programs wait 10 s.
    package static let connection: Duration = .seconds(12)
    /// From the connection until BlueZ has read the services.
    package static let services: Duration = .seconds(10)
    /// A scan of the user's ends by itself after so long.
    package static let scan: Duration = .seconds(60)
    /// The end of a scan; what was meant to follow does so anyway.
    package static let scanEnd: Duration = .seconds(2)
}
