package import Secrets
package import UAVLink

/// A Wi-Fi network that a drone joins as a station, in place of having its own (`ap`). The passphrase is in no text of this program.
package struct TelloNetwork: Hashable, Sendable {
    /// The network's name (SSID).
    package let name: String
    private let passphrase: SecretBytes

    /// A network; both parts are words of the drone's protocol, which has no way to write a space.
    ///
    /// - Throws: ``UAVLink/LinkError`` with `invalidInput`, without the passphrase, if the drone could not be told them.
    package init(name: String, passphrase: SecretBytes) throws(LinkError) {
        guard Self.nameBytes.contains(name.utf8.count), name.utf8.allSatisfy(Self.isOfWord) else {
            throw LinkError(
                .invalidInput, "'\(name.sanitizedLine)' is no network that a Tello can be told",
                hint: "1 to 32 letters, digits and signs of ASCII, without spaces")
        }
        let isWord = passphrase.withBytes { Self.passphraseBytes.contains($0.count) && $0.allSatisfy(Self.isOfWord) }
        guard isWord else {
            throw LinkError(
                .invalidInput, "the passphrase is none that a Tello can be told",
                hint: "8 to 63 letters, digits and signs of ASCII, without spaces")
        }
        (self.name, self.passphrase) = (name, passphrase)
    }

    /// Of IEEE 802.11, and of WPA2.
    private static let nameBytes = 1...32
    private static let passphraseBytes = 8...63

    private static func isOfWord(_ byte: UInt8) -> Bool { (0x21...0x7E).contains(byte) }

    /// The passphrase after a space, as a command ends with it.
    var commandEnd: [UInt8] { [0x20] + passphrase.withBytes { Array($0) } }

    /// By its name: the passphrase is not hashed.
    package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
