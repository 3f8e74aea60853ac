import CommandLineKit
import ROSRecordings
import UAVLink
import VehicleAccess

/// The options common to all subcommands: which vehicle, and how to reach it.
enum VehicleOptions {
    static let vehicle = Argument.option(
        "vehicle", ValueKind.text.called("NAME"),
        help: "a vehicle of the configuration file; sim: the one of 'uavlink sim' on this machine; "
            + "local: a companion on this machine, such as that of 'uavlink bridge'")
    static let host = Argument.option(
        "host", ValueKind.text.called("HOST"), help: "host name or address of the vehicle's computer")
    static let port = Argument.option("port", ValueKind<Int>.integer(in: 1...65_535), help: "its SSH port")
    static let user = Argument.option("user", ValueKind.text.called("USER"), help: "the user to log in as")
    static let uav = Argument.option(
        "uav", ValueKind.text.called("UAV"), help: "the vehicle's name in ROS, such as uav1")
    static let link = Argument.option(
        "link", linkKind,
        help: "link to the vehicle; auto: udp, else tcp; ssh only if no companion can be reached; "
            + "or the address of a machine with its own protocol, such as tello://192.168.10.1, ardrone://192.168.1.1 or "
            + "bluno:///dev/ttyACM0, bluno://AA:BB:CC:DD:EE:FF or bluno://scan")
    static let ros = Argument.option(
        "ros", .integer(in: 1...2),
        help: "the vehicle's version of ROS, instead of what its companion finds: 1 with a master, 2 (Jazzy) over Zenoh"
    )
    static let router = Argument.option(
        "router", ValueKind.text.called("LOCATOR"),
        help: "the Zenoh router of a vehicle in ROS 2, for --link ros, such as tcp/192.168.69.101:7447; over TLS "
            + "tls/HOST:PORT")
    static let routerCA = Argument.option(
        "router-ca", .path,
        help: "with --router tls/...: the certificate of the authority that signed the router's (PEM), "
            + "instead of those that this machine trusts")
    static let domain = Argument.option(
        "domain", .integer(in: 0...232), help: "the domain of a vehicle in ROS 2 instead of ROS_DOMAIN_ID")
    static let config = Argument.option(
        "config", .path, help: "the configuration file instead of ~/.config/uavlink/config.yaml")
    static let identity = Argument.option(
        "identity", .path, help: "a private key file to log in with; its passphrase is asked for on a terminal")
    static let passwordFile = Argument.option(
        "password-file", .path,
        help: "a file that only you can read, with the password on its first line; else it is asked for on a terminal")
    static let acceptNewHostKey = Argument.flag(
        "accept-new-host-key", help: "accept and store the key of an unknown host; a changed key is always refused")
    static let timeout = Argument.option(
        "timeout", ValueKind.duration(in: .milliseconds(100) ... .seconds(3600)), default: .seconds(15),
        defaultText: "15s", help: "timeout of log-in, connecting and each answer")
    static let record = Argument.option(
        "record", .path,
        help: "record the flight: to this file, or to one named after vehicle and time in this directory")
    static let format = Argument.option(
        "format", ValueKind<RecordingFormat>.choice,
        help: "record as a ROS 1 bag or as MCAP of ROS 2, instead of what the file's name or the vehicle's ROS says")
    static let json = Argument.flag("json", help: "print one JSON object (or one per line) on standard output")
    static let quiet = Argument.flag("quiet", short: "q", help: "print results and errors only")
    static let verbose = Argument.count("verbose", short: "v", help: "print more details")

    /// Which vehicle, how it is reached, and what is recorded of it: for commands that connect to none these mean nothing.
    static let ofConnection: [any ArgumentDeclaration] = [
        vehicle, host, port, user, link, ros, router, routerCA, domain, identity, passwordFile, acceptNewHostKey,
        timeout,
        record, format,
    ]

    /// What selects the vehicle: a command line that is printed for the user repeats it.
    static let selection: [any ArgumentDeclaration] = [
        vehicle, host, port, user, uav, link, ros, router, routerCA, domain, config, identity, passwordFile,
    ]

    /// The selection of a command line.
    ///
    /// - Parameter place: the vehicle that a parameter names.
    static func repeated(of arguments: ParsedCommand, at place: VehicleProfile? = nil) -> RepeatedOptions {
        var instead: [String: String] = [:]
        if let place, place.name != place.host {
            instead[vehicle.spec.label] = place.name
        } else if let host = place?.host {
            instead[Self.host.spec.label] = host
            if let user = place?.user { instead[Self.user.spec.label] = user }
        }
        return RepeatedOptions(
            selection, of: arguments, in: UAVLinkProgram.program, instead: instead,
            placed: [DeployCommand.spec.name: [vehicle, host]])
    }

    /// One of the links, or the address of a machine.
    private static let linkKind = ValueKind<String>(
        placeholder: (VehicleProfile.LinkChoice.words + MachineAddress.patterns.split(separator: ", ").map(String.init))
            .joined(separator: "|"),
        completion: .words(VehicleProfile.LinkChoice.words)
    ) { text throws(ValueError) in
        let words = VehicleProfile.LinkChoice.words
        guard VehicleProfile.LinkChoice(word: text) != nil else {
            throw ValueError(
                expected: VehicleProfile.LinkChoice.expectation, suggestion: Suggestion.nearest(to: text, among: words))
        }
        return text
    }

    static let all: [any ArgumentDeclaration] = [
        vehicle, host, port, user, uav, link, ros, router, routerCA, domain, config, identity, passwordFile,
        acceptNewHostKey, timeout, record, format, json, quiet, verbose,
    ]
}
