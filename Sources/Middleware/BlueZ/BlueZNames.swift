/// The names of BlueZ and of the bus.
package enum BlueZNames {
    package static let service = "org.bluez"
    package static let adapter = "org.bluez.Adapter1"
    package static let device = "org.bluez.Device1"
    package static let characteristic = "org.bluez.GattCharacteristic1"
    package static let gattService = "org.bluez.GattService1"
    package static let properties = "org.freedesktop.DBus.Properties"
    package static let objectManager = "org.freedesktop.DBus.ObjectManager"
    package static let bus = "org.freedesktop.DBus"
    package static let busPath = "/org/freedesktop/DBus"

    /// What BlueZ says, and when it comes and goes.
    static let matches = [
        "type='signal',sender='org.bluez'",
        "type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged',arg0='org.bluez'",
    ]
}

/// A UUID of Bluetooth.
package enum LEUUID {
    /// The full form of a short one: `dfb1`.
    package static func full(_ short: String) -> String { "0000\(short)-0000-1000-8000-00805f9b34fb" }
}
