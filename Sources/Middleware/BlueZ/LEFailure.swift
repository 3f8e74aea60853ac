internal import DBus

/// Why a device is not reached, in words.
package struct LEFailure: Error, Hashable, Sendable {
    /// What failed, for those who act on it.
    package enum Kind: Hashable, Sendable {
        case noBlueZ, noAdapter, poweredOff, notPermitted, notFound, several, refused, silent, lost, notSupported
    }

    package var kind: Kind
    /// What happened, in one line without a full stop. May have foreign text in it.
    package var what: String
    /// What to do about it.
    package var hint: String

    /// A failure.
    package init(_ kind: Kind, _ what: String, hint: String = "") {
        self.kind = kind
        self.what = what
        self.hint = hint
    }

    static let noBlueZ = Self(
        .noBlueZ, "BlueZ is not running", hint: "install the package 'bluez', then 'systemctl start bluetooth'")
    static let noAdapter = Self(
        .noAdapter, "this computer has no Bluetooth adapter", hint: "plug one in; 'bluetoothctl list' shows them")
    static func poweredOff(_ adapter: String) -> Self {
        Self(
            .poweredOff, "the Bluetooth adapter \(adapter) is switched off",
            hint: "'bluetoothctl power on'; if that fails, 'rfkill unblock bluetooth'")
    }
    static let isSilent = Self(.silent, "BlueZ does not answer", hint: "'systemctl restart bluetooth'")
    static func outOfRange(_ address: String) -> Self {
        Self(.silent, "\(address) does not answer", hint: Self.rangeHint)
    }
    static let rangeHint = "is it switched on, in range, and not connected to another computer or phone?"

    /// What an error of BlueZ, or of the bus, means.
    ///
    /// - Parameter doing: what was asked for: `connecting to AA:BB:CC:DD:EE:FF`.
    init(_ error: DBusError, doing: String) {
        let said = (error.message.isEmpty ? error.name : error.message).cut(to: Self.longestWords)
        let name = error.name.split(separator: ".").last.map(String.init) ?? error.name
        if error.name.hasPrefix("org.freedesktop.DBus.Error.") {
            self = Self.ofBus(name, said, doing)
            return
        }
        switch name {
        case "NotReady":
            self = Self(
                .poweredOff, "\(doing): the Bluetooth adapter is not ready",
                hint: "'bluetoothctl power on'; if that fails, 'rfkill unblock bluetooth'")
        case "NotAuthorized", "NotPermitted":
            self = Self(.notPermitted, "\(doing) is not permitted: \(said)", hint: Self.permissionHint)
        case "AuthenticationFailed", "AuthenticationCanceled", "AuthenticationRejected", "AuthenticationTimeout":
            self = Self(
                .refused, "\(doing): the device refuses the pairing (\(said))",
                hint: "a Bluno needs none: 'bluetoothctl remove' the device, and scan again")
        case "InProgress":
            self = Self(
                .refused, "\(doing): BlueZ is busy with it already",
                hint: "does another program connect to it? try again in a few seconds")
        case "DoesNotExist":
            self = Self(.notFound, "\(doing): it is gone", hint: Self.rangeHint)
        case "NotSupported", "NotAvailable":
            self = Self(
                .notSupported, "\(doing) is not supported: \(said)", hint: "has the adapter Bluetooth 4 or newer?")
        case "NotConnected": self = Self(.lost, "\(doing): the connection is lost", hint: Self.rangeHint)
        case "ConnectionAttemptFailed", "Failed":
            self = Self(.refused, "\(doing) failed: \(Self.words(said))", hint: Self.rangeHint)
        default: self = Self(.refused, "\(doing) failed: \(said)", hint: Self.rangeHint)
        }
    }

    /// The longest words of BlueZ that are repeated, bytes.
    private static let longestWords = 200

    private static let permissionHint =
        "a user needs to be at this computer's seat, or in the group 'bluetooth' where there is one"

    private static func ofBus(_ name: String, _ said: String, _ doing: String) -> Self {
        switch name {
        case "ServiceUnknown", "NameHasNoOwner", "Disconnected": noBlueZ
        case let name where said.hasPrefix("org.freedesktop.systemd1") || name.hasPrefix("Spawn"): noBlueZ
        case "AccessDenied", "AuthFailed", "InteractiveAuthorizationRequired":
            Self(.notPermitted, "this user may not use BlueZ", hint: permissionHint)
        case "NoReply", "TimedOut", "Timeout": isSilent
        case "UnknownObject", "UnknownMethod", "UnknownInterface":
            Self(.notFound, "\(doing): it is gone", hint: rangeHint)
        default: Self(.refused, "\(doing) failed: \(said)", hint: "'systemctl status bluetooth' may say more")
        }
    }

    /// BlueZ gives the reasons of its radio as words of its own.
    private static func words(_ said: String) -> String {
        switch said {
        case "le-connection-abort-by-local", "br-connection-page-timeout", "Page Timeout":
            "no answer over the radio (\(said))"
        case "le-connection-abort-by-remote", "le-connection-terminated-by-remote":
            "the device has ended the connection (\(said))"
        default: said
        }
    }
}
