public import ROSMessages
public import Zenoh

extension ROS2Configuration {
    /// The router's address when none is given: each MRS vehicle runs one on its computer.
    public static let defaultRouter = "tcp/127.0.0.1:7447"
    /// The largest domain; beyond it DDS has no ports.
    public static let largestDomain: UInt32 = 232

    /// Creates a configuration as the user gives it.
    ///
    /// - Parameters:
    ///   - router: the router in Zenoh's notation, `tcp/host:port`; `nil` for that of `ZENOH_CONFIG_OVERRIDE`, as `rmw_zenoh`
    ///     reads it (`connect/endpoints=["tcp/..."]`), else ``defaultRouter``.
    ///   - domain: the domain; `nil` for that of `ROS_DOMAIN_ID`, else 0.
    ///   - security: TLS, for a router at `tls/host:port`; `nil` in a program that has none.
    /// - Throws: `ROSError` with `invalidConfiguration`, which names what is wrong.
    public init(
        router: String?, domain: UInt32?, environment: [String: String], security: (any ZenohSecurity)? = nil
    ) throws(ROSError) {
        let zenoh: ZenohConfiguration
        let locator: String
        if let router { locator = router } else { locator = try Self.router(of: environment) }
        do throws(ZenohError) { zenoh = try ZenohConfiguration(locator: locator, security: security) } catch {
            let place = router == nil ? Self.override : "router"
            throw ROSError(.invalidConfiguration, "\(place): \(error.what)", hint: error.hint)
        }
        let given: UInt32
        if let domain { given = domain } else { given = try Self.domain(of: environment) }
        self.init(zenoh: zenoh, domain: given)
        guard self.domain <= Self.largestDomain else {
            throw ROSError(
                .invalidConfiguration, "\(self.domain) is no domain",
                hint: "a domain is from 0 to \(Self.largestDomain)")
        }
    }

    private static let override = "ZENOH_CONFIG_OVERRIDE"

    /// The first of the endpoints to which `rmw_zenoh` connects by `ZENOH_CONFIG_OVERRIDE`: settings of Zenoh in JSON5, separated by `;`,
    /// of which a later one replaces an earlier. Where none is given, also by `connect={}` or an empty list, it is the router of this
    /// computer.
    ///
    /// - Throws: `ROSError` with `invalidConfiguration` for endpoints in another form: another router would be another vehicle.
    private static func router(of environment: [String: String]) throws(ROSError) -> String {
        var router = defaultRouter
        for setting in (environment[override] ?? "").split(separator: ";") {
            let parts = setting.split(separator: "=", maxSplits: 1)
            let key = parts.first?.filter { !$0.isWhitespace }
            guard key == "connect/endpoints" || key == "connect" else { continue }
            let value = (parts.count == 2 ? parts[1] : "").filter { !$0.isWhitespace }
            let quoted = value.split(omittingEmptySubsequences: false) { $0 == "\"" || $0 == "'" }
            if key == "connect/endpoints", quoted.count > 2, quoted[0] == "[" {
                router = String(quoted[1])
            } else if namesNone(value) {
                router = defaultRouter
            } else {
                throw ROSError(
                    .invalidConfiguration, "\(override): no endpoint can be read from '\(setting)'",
                    hint: #"write connect/endpoints=["tcp/host:7447"], or give --router"#)
            }
        }
        return router
    }

    /// Whether a list or an object has no address in it: each has a '/'.
    private static func namesNone(_ value: String) -> Bool {
        (value.hasPrefix("[") && value.hasSuffix("]") || value.hasPrefix("{") && value.hasSuffix("}"))
            && !value.utf8.contains(UInt8(ascii: "/"))
    }

    private static func domain(of environment: [String: String]) throws(ROSError) -> UInt32 {
        guard let text = environment["ROS_DOMAIN_ID"], !text.isEmpty else { return 0 }
        guard let domain = UInt32(text), domain <= largestDomain else {
            throw ROSError(
                .invalidConfiguration, "ROS_DOMAIN_ID is '\(text)', which is no domain",
                hint: "set a number from 0 to \(largestDomain)")
        }
        return domain
    }

    /// The router's address in Zenoh's notation.
    public var router: String { zenoh.locator }
}
