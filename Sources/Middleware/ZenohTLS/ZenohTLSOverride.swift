public import Zenoh

extension ZenohTLSSettings {
    private static let group = "transport/link/tls"

    /// What settings of Zenoh in the form `key=value;key=value` say about TLS, as `rmw_zenoh` reads them from
    /// `ZENOH_CONFIG_OVERRIDE`: `transport/link/tls/root_ca_certificate="/path"` and so on. Without any, the usual ones.
    ///
    /// - Throws: ``Zenoh/ZenohError`` with `invalidConfiguration` for settings of TLS that cannot be read: without them the
    ///   connection would have others than the user wants.
    public init(override text: String) throws(ZenohError) {
        self.init()
        var (certificate, key): (String?, String?) = (nil, nil)
        var identifiesItself = false
        for setting in text.split(separator: ";") {
            let parts = setting.split(separator: "=", maxSplits: 1)
            let name = String(parts.first?.filter { !$0.isWhitespace } ?? "")
            let value = parts.count == 2 ? Self.trimmed(parts[1]) : ""
            // A whole group as one object.
            if ["transport", "transport/link", Self.group].contains(name), value != "null" {
                throw Self.unreadable(name, "write each key on its own: \(Self.group)/root_ca_certificate=...")
            }
            guard name.hasPrefix(Self.group + "/") else { continue }
            switch name.dropFirst(Self.group.count + 1) {
            case "root_ca_certificate": authorityFile = try Self.path(value, name)
            case "connect_certificate": certificate = try Self.path(value, name)
            case "connect_private_key": key = try Self.path(value, name)
            case "enable_mtls": identifiesItself = try Self.choice(value, name) ?? false
            case "verify_name_on_connect": verifiesName = try Self.choice(value, name) ?? true
            case "root_ca_certificate_base64", "connect_certificate_base64", "connect_private_key_base64":
                throw ZenohError(
                    .invalidConfiguration, "'\(name)' is not supported",
                    hint: "give a file, by the key without '_base64'")
            // Of routers, and of sockets.
            default: break
            }
        }
        guard identifiesItself else { return }
        guard let certificate, let key else {
            throw ZenohError(
                .invalidConfiguration, "'\(Self.group)/enable_mtls' is true without a certificate and its private key",
                hint: "set connect_certificate and connect_private_key there, too")
        }
        (certificateFile, keyFile) = (certificate, key)
    }

    private static func trimmed(_ text: Substring) -> String {
        var rest = text.drop { $0.isWhitespace }
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return String(rest)
    }

    /// By its name, and not with its value, which may be a key.
    private static func unreadable(_ name: String, _ hint: String) -> ZenohError {
        ZenohError(.invalidConfiguration, "the setting of TLS '\(name)' cannot be read", hint: hint)
    }

    /// A path in quotes; `nil` for `null`.
    private static func path(_ value: String, _ name: String) throws(ZenohError) -> String? {
        if value == "null" { return nil }
        guard let quote = value.first, quote == "\"" || quote == "'", value.count > 2, value.last == quote,
            !value.dropFirst().dropLast().contains(where: { $0 == quote || $0 == "\\" })
        else { throw unreadable(name, #"write the path of a PEM file in quotes: "/home/me/ca.pem""#) }
        return String(value.dropFirst().dropLast())
    }

    private static func choice(_ value: String, _ name: String) throws(ZenohError) -> Bool? {
        switch value {
        case "true": true
        case "false": false
        case "null": nil
        default: throw unreadable(name, "write true or false")
        }
    }
}
