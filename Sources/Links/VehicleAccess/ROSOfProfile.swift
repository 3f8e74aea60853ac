package import MRS
internal import MRSROS2
internal import ROS2Node
internal import ROSMessages
internal import SystemKit
package import UAVLink
internal import YAML
internal import Zenoh
internal import ZenohTLS

/// What a profile says about the vehicle's ROS; nothing where it is to be found out.
package struct ROSOfProfile: Hashable, Sendable {
    /// 1 or 2; `nil`: a router or a domain stands for 2, and a companion looks what answers on its computer.
    package var version: Int?
    /// The Zenoh router as this machine reaches it, `tcp/host:port` or `tls/host:port`, for the link `ros`.
    package var router: String?
    /// Over TLS: the certificates of the authorities that the router's is from; `nil` for those that this machine trusts.
    package var authorityFile: String?
    /// Over TLS: our certificate, for a router that wants one.
    package var certificateFile: String?
    /// The private key of that certificate.
    package var keyFile: String?
    /// The domain of ROS 2.
    package var domain: UInt32?

    /// Says nothing.
    package init() {}

    /// Whether the vehicle is known to run ROS 2.
    package var isTwo: Bool { version == 2 || (version == nil && (router != nil || domain != nil)) }

    /// Whether the router is reached over TLS.
    private var isSecure: Bool { router?.hasPrefix("tls/") == true }

    /// Replaces the paths of the files.
    mutating func moveFiles(_ path: (String) -> String) {
        authorityFile = authorityFile.map(path)
        certificateFile = certificateFile.map(path)
        keyFile = keyFile.map(path)
    }

    /// Takes another router; the files of a profile mean nothing for one over TCP alone.
    package mutating func use(router: String) {
        self.router = router
        if !isSecure { (authorityFile, certificateFile, keyFile) = (nil, nil, nil) }
    }

    /// What a companion is started with; a router as the ground reaches it means nothing there.
    var companionArguments: [String] {
        (version.map { ["--ros", "\($0)"] } ?? (isTwo ? ["--ros", "2"] : []))
            + (isTwo ? domain.map { ["--domain", "\($0)"] } ?? [] : [])
    }

    /// Checks what was given from several places.
    ///
    /// - Throws: ``UAVLink/LinkError`` with `invalidInput`.
    package func check() throws(LinkError) {
        guard version.map({ (1...2).contains($0) }) ?? true else {
            throw LinkError(.invalidInput, "there is no ROS \(version ?? 0)", hint: "give 1 or 2")
        }
        guard version != 1 || (router == nil && domain == nil) else {
            throw LinkError(.invalidInput, "a router and a domain are of ROS 2, not of ROS 1")
        }
        guard isSecure || (authorityFile ?? certificateFile ?? keyFile) == nil else {
            throw LinkError(
                .invalidInput, "certificates are for a router over TLS, and this one is \(router ?? "over TCP alone")",
                hint: "write the router as tls/host:port")
        }
        do throws(ROSError) {
            _ = try ROS2Configuration(
                router: router, domain: domain ?? 0, environment: [:], security: OpenSSLSecurity())
        } catch { throw LinkError(.invalidInput, error.what, hint: error.hint) }
    }
}

extension ROSOfProfile {
    init(node: YAMLNode) throws(YAMLError) {
        if let found = node.find("ros") {
            version = try found.int
            guard (1...2).contains(version ?? 0) else { throw found.unexpected("1 or 2") }
        }
        if let found = node.find("domain") {
            let number = try found.int
            guard (0...Int(ROS2Configuration.largestDomain)).contains(number) else {
                throw found.unexpected("a domain from 0 to \(ROS2Configuration.largestDomain)")
            }
            domain = UInt32(clamping: number)
            guard version != 1 else { throw found.unexpected("no domain: 'ros' is 1") }
        }
        if let found = node.find("router") {
            router = try found.string
            let security = OpenSSLSecurity()
            guard (try? ROS2Configuration(router: router, domain: 0, environment: [:], security: security)) != nil
            else {
                throw found.unexpected(
                    "the address of a Zenoh router, such as tcp/192.168.69.101:7447 or tls/uav1.local:7447")
            }
            guard version != 1 else { throw found.unexpected("no router: 'ros' is 1") }
        }
        let (authority, certificate, key) = (
            node.find("router-ca"), node.find("router-client-certificate"), node.find("router-client-key")
        )
        authorityFile = try authority?.string
        certificateFile = try certificate?.string
        keyFile = try key?.string
        if let found = authority ?? certificate ?? key, !isSecure {
            throw found.unexpected("no file of TLS: 'router' is not tls/host:port")
        }
        if let alone = certificate ?? key, certificate == nil || key == nil {
            throw alone.unexpected("both 'router-client-certificate' and 'router-client-key'")
        }
    }
}

extension ROSOfProfile {
    private static let override = "ZENOH_CONFIG_OVERRIDE"

    /// TLS to a router, with the files of the profile and what the environment says besides; `nil` for a router over TCP.
    fileprivate func security(
        for router: String?, _ environment: [String: String]
    ) throws(ROSError) -> (any ZenohSecurity)? {
        guard router?.hasPrefix("tcp/") != true else { return nil }
        var settings: ZenohTLSSettings
        do throws(ZenohError) { settings = try ZenohTLSSettings(override: environment[Self.override] ?? "") } catch {
            // Where the environment says which router, it may be one over TCP, for which none of that counts.
            guard router != nil else { return UnreadableTLS("\(Self.override): \(error.what)", error.hint) }
            throw ROSError(.invalidConfiguration, "\(Self.override): \(error.what)", hint: error.hint)
        }
        if let authorityFile { settings.authorityFile = FilePath.expandingHome(authorityFile) }
        if let certificateFile, let keyFile {
            settings.certificateFile = FilePath.expandingHome(certificateFile)
            settings.keyFile = FilePath.expandingHome(keyFile)
        }
        return OpenSSLSecurity(settings)
    }
}

/// Settings of TLS that cannot be read: no connection over TLS is made.
private final class UnreadableTLS: ZenohSecurity {
    private let error: ZenohError

    init(_ what: String, _ hint: String) { error = ZenohError(.invalidConfiguration, what, hint: hint) }

    func connection(to host: String, at locator: String) throws(ZenohError) -> any ZenohTLSConnection { throw error }
}

extension VehicleProfile {
    /// The router that the profile names, else that of the vehicle's computer; `nil` for that of this one.
    private var router: String? { ros.router ?? host.map { "tcp/\($0):7447" } }

    private func ros2Configuration(_ environment: [String: String]) throws(ROSError) -> ROS2Configuration {
        try ROS2Configuration(
            router: router, domain: ros.domain, environment: environment,
            security: try ros.security(for: router, environment))
    }

    /// The link to the vehicle's ROS 2, behind that router.
    ///
    /// - Parameter dial: maps the address of the router to the one to connect to, for measurements.
    func ros2Link(
        _ environment: [String: String], dial: (@Sendable (String, UInt16) -> (host: String, port: UInt16))? = nil
    ) throws(LinkError) -> ROS2Link {
        let security: (any ZenohSecurity)?
        do throws(ROSError) { security = try ros.security(for: router, environment) } catch {
            throw LinkError(.invalidInput, error.what, hint: error.hint)
        }
        return try ROS2Link(
            vehicle: vehicle, router: router, domain: ros.domain, environment: environment, dial: dial,
            security: security)
    }

    /// Watches topics as a node behind that router.
    func ros2TopicWatch(_ environment: [String: String]) -> any TopicWatching {
        do throws(ROSError) {
            return ROS2TopicWatch(configuration: try ros2Configuration(environment))
        } catch { return NoTopicWatch(LinkError(.invalidInput, error.what, hint: error.hint)) }
    }

    /// ROS as the ground sees it: for the link `ros`.
    package func graphFindings(_ environment: [String: String]) async -> [Finding] {
        guard ros.isTwo else {
            // The link goes to the master that the profile names.
            var environment = environment
            if let rosMaster { environment["ROS_MASTER_URI"] = rosMaster }
            return await ROSGraphDiagnosis(vehicle: vehicle, environment: environment).findings()
        }
        do {
            let configuration = try ros2Configuration(environment)
            return try await ROS2GraphDiagnosis(vehicle: vehicle, configuration: configuration).findings()
        } catch { return [Finding("Zenoh router", .bad, "\(error)")] }
    }
}
