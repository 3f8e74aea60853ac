package import MRS
internal import ReportKit
internal import UAVLink
package import VehicleAccess

/// Finds avoidable causes of latency, with the command that fixes each.
package enum LatencyAdvice {
    /// The findings about a computer's network interface and clock.
    ///
    /// - Parameters:
    ///   - place: which computer: `here`, `on the vehicle`.
    ///   - comparesClocks: whether there is another computer whose stamps are compared with its own.
    package static func findings(_ look: HostReport, _ place: String, comparesClocks: Bool = true) -> [Finding] {
        var findings: [Finding] = []
        if let interface = look.interface {
            if look.isWireless { findings.append(powerSaving(look.savesPower, interface, place)) }
            if let bytes = look.packetBytes { findings.append(packets(bytes, interface, place)) }
        }
        switch comparesClocks ? look.hasSynchronisedClock : nil {
        case true?: findings.append(Finding("clock \(place)", .good, "synchronised"))
        case false?:
            findings.append(
                Finding(
                    "clock \(place)", .warning, "not synchronised; timestamps of the two computers cannot be compared",
                    advice: look.synchronises == true
                        ? "check the time server: timedatectl timesync-status" : "sudo timedatectl set-ntp true"
                ))
        case nil: break
        }
        return findings
    }

    private static func powerSaving(_ saves: Bool?, _ interface: String, _ place: String) -> Finding {
        let check = "Wi-Fi power saving \(place)"
        switch saves {
        case true?:
            return Finding(
                check, .warning,
                "\(interface) sleeps between beacons, which delays received frames by 100 ms and more",
                advice: "sudo iw dev \(interface) set power_save off")
        case false?: return Finding(check, .good, "power saving of \(interface) is off")
        case nil:
            return Finding(
                check, .skipped, "\(interface) is wireless; its power saving state is not known",
                advice: "sudo apt-get install iw")
        }
    }

    /// A frame of the channel has at most 1200 bytes, 1248 with UDP and IPv6 headers; IPv6 requires an MTU of at least 1280.
    private static let minimumMTU = 1280

    private static func packets(_ bytes: Int, _ interface: String, _ place: String) -> Finding {
        guard bytes < minimumMTU else {
            return Finding("MTU \(place)", .good, "the MTU of \(interface) is \(bytes) bytes")
        }
        return Finding(
            "MTU \(place)", .warning,
            "the MTU of \(interface) is only \(bytes) bytes; larger packets are fragmented, and lost if any fragment is",
            advice: "sudo ip link set dev \(interface) mtu 1500")
    }

    /// Whether OpenSSH on this machine delays keystrokes.
    package static func keystrokes(_ look: HostReport, host: String) -> Finding? {
        guard let version = look.openSSH else { return nil }
        // Since 9.5 (2023) small packets of an interactive session are sent only every 20 ms unless that is switched off.
        guard (version.major, version.minor) >= (9, 5), look.obscuresKeystrokes ?? true else {
            return Finding("keystroke obscuring", .good, "ssh sends keystrokes at once")
        }
        return Finding(
            "keystroke obscuring", .warning,
            "ssh delays small packets by up to 20 ms; uavlink's own SSH does not, but 'ssh' and tunnels through it do",
            advice: "ssh -o ObscureKeystrokeTiming=no \(host)")
    }

    /// A shell without start-up files starts in about 10 ms.
    private static let slowShell: Duration = .milliseconds(50)

    /// The start-up cost of every command over the link `ssh`.
    ///
    /// - Parameters:
    ///   - shell: the time that the login shell takes to start.
    ///   - setup: the time of the profile's `setup` line.
    ///   - rosservice: the time that rosservice takes to start; `nil` if it is not installed.
    package static func startUp(shell: Duration, setup: Duration, rosservice: Duration?) -> [Finding] {
        func words(_ duration: Duration) -> String { duration.inMilliseconds.formatted(decimals: 0) + " ms" }
        var findings: [Finding] = []
        if shell > slowShell {
            findings.append(
                Finding(
                    "login shell", .warning,
                    "takes \(words(shell)) to start, for every command over the ssh link; "
                        + "without start-up files about 10 ms",
                    advice: "first line of ~/.bashrc on the vehicle: case $- in *i*) ;; *) return ;; esac"))
        } else {
            findings.append(Finding("login shell", .good, "starts in \(words(shell))"))
        }
        if setup > slowShell {
            findings.append(
                Finding(
                    "setup line", .warning,
                    "the profile's 'setup' takes \(words(setup)), for every command over the ssh link",
                    advice: "use --link udp or tcp: it runs once, when the companion starts"))
        }
        guard let rosservice else {
            findings.append(
                Finding(
                    "rosservice", .warning, "not found on the vehicle; the ssh link cannot work",
                    advice: "add a 'setup' line to the profile, for example: source ~/workspace/devel/setup.bash"))
            return findings
        }
        let isSlow = rosservice > .milliseconds(100)
        findings.append(
            Finding(
                "rosservice", isSlow ? .warning : .good,
                "takes \(words(rosservice)) to start (Python and its imports), for every command over the ssh link",
                advice: isSlow ? "use --link udp or tcp: the companion keeps its ROS connections open" : ""))
        return findings
    }

    /// The delay of a delayed TCP acknowledgement on Linux (RFC 1122 allows up to 500 ms).
    private static let delayedAcknowledgement: ClosedRange<Duration> = .milliseconds(35) ... .milliseconds(60)

    /// Whether TCP is slower than UDP on the same path by the time of a delayed acknowledgement.
    package static func smallPackets(udp: Duration, tcp: Duration) -> Finding? {
        guard delayedAcknowledgement.contains(tcp - udp) else { return nil }
        return Finding(
            "TCP_NODELAY", .warning,
            "a round trip over TCP takes \((tcp - udp).inMilliseconds.formatted(decimals: 0)) ms more than over UDP: a proxy or "
                + "tunnel delays small packets until the previous one is acknowledged",
            advice: "set TCP_NODELAY in the proxy or tunnel, or use --link udp")
    }
}
