internal import ReportKit
public import UAVCore
internal import UAVLink
public import VehicleAccess

/// What makes a link slower than it could be, and the command that mends it.
public enum LatencyAdvice {
    /// What a computer says of its network interface and its clock.
    ///
    /// - Parameter place: where it is: `here`, `on the vehicle`.
    public static func findings(_ look: MachineLook, _ place: String) -> [Finding] {
        var findings: [Finding] = []
        if let interface = look.interface {
            if look.isWireless { findings.append(powerSaving(look.savesPower, interface, place)) }
            if let bytes = look.packetBytes { findings.append(packets(bytes, interface, place)) }
        }
        switch look.hasSynchronisedClock {
        case true?: findings.append(Finding("clock \(place)", .good, "synchronised"))
        case false?:
            findings.append(
                Finding(
                    "clock \(place)", .warning, "not synchronised: stamps of both computers cannot be compared",
                    advice: look.synchronises == true
                        ? "timedatectl timesync-status says which server it waits for" : "sudo timedatectl set-ntp true"
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
                "\(interface) sleeps between beacons, which delays what comes to it by 100 ms and more",
                advice: "sudo iw dev \(interface) set power_save off")
        case false?: return Finding(check, .good, "\(interface) stays awake")
        case nil:
            return Finding(
                check, .skipped, "\(interface) is a radio, and nobody says whether it sleeps",
                advice: "sudo apt-get install iw")
        }
    }

    /// A frame of the channel has at most 1200 bytes, 1248 with the headers of UDP and IPv6; IPv6 wants 1280 of every network.
    private static let leastPacket = 1280

    private static func packets(_ bytes: Int, _ interface: String, _ place: String) -> Finding {
        guard bytes < leastPacket else {
            return Finding("MTU \(place)", .good, "\(interface) takes packets of \(bytes) bytes")
        }
        return Finding(
            "MTU \(place)", .warning,
            "\(interface) takes packets of \(bytes) bytes only: larger ones are split, and lost when a part is",
            advice: "sudo ip link set dev \(interface) mtu 1500")
    }

    /// Whether OpenSSH on this machine holds keystrokes back.
    public static func keystrokes(_ look: MachineLook, host: String) -> Finding? {
        guard let version = look.openSSH else { return nil }
        // Since 9.5 (2023) small packets of an interactive session go every 20 ms only, unless that is switched off.
        guard (version.major, version.minor) >= (9, 5), look.obscuresKeystrokes ?? true else {
            return Finding("keystroke obscuring", .good, "ssh sends keystrokes at once")
        }
        return Finding(
            "keystroke obscuring", .warning,
            "ssh holds small packets back for up to 20 ms; uavlink's own SSH does not, but 'ssh' and what it carries does",
            advice: "ssh -o ObscureKeystrokeTiming=no \(host)")
    }

    /// A shell without start-up files is there in some 10 ms.
    private static let slowShell: Duration = .milliseconds(50)

    /// What every command over the link `ssh` pays before it begins.
    ///
    /// - Parameters:
    ///   - shell: the login shell.
    ///   - setup: the profile's `setup` line.
    ///   - rosservice: its start; `nil` where it is not installed.
    public static func startUp(shell: Duration, setup: Duration, rosservice: Duration?) -> [Finding] {
        func words(_ duration: Duration) -> String { duration.inMilliseconds.formatted(decimals: 0) + " ms" }
        var findings: [Finding] = []
        if shell > slowShell {
            findings.append(
                Finding(
                    "login shell", .warning,
                    "it takes \(words(shell)) to start, for every command over the link ssh; without start-up files about 10 ms",
                    advice: "first line of ~/.bashrc on the vehicle: case $- in *i*) ;; *) return ;; esac"))
        } else {
            findings.append(Finding("login shell", .good, "starts in \(words(shell))"))
        }
        if setup > slowShell {
            findings.append(
                Finding(
                    "setup line", .warning,
                    "the profile's 'setup' takes \(words(setup)) of every command over the link ssh",
                    advice: "--link udp or tcp: only the companion's start pays it, once"))
        }
        guard let rosservice else {
            findings.append(
                Finding(
                    "rosservice", .warning, "it is not found on the vehicle, so the link ssh will not work",
                    advice: "give the profile a 'setup' line, such as: source ~/workspace/devel/setup.bash"))
            return findings
        }
        let isSlow = rosservice > .milliseconds(100)
        findings.append(
            Finding(
                "rosservice", isSlow ? .warning : .good,
                "its start alone takes \(words(rosservice)) of every command over the link ssh: Python and its imports",
                advice: isSlow ? "--link udp or tcp: the companion keeps its connections to ROS open" : ""))
        return findings
    }

    /// Linux waits this long before it acknowledges what it has nothing to answer to (RFC 1122 allows 500 ms).
    private static let delayedAcknowledgement: ClosedRange<Duration> = .milliseconds(35) ... .milliseconds(60)

    /// Whether TCP takes as much longer than UDP on the same way as a delayed acknowledgement.
    public static func smallPackets(udp: Duration, tcp: Duration) -> Finding? {
        guard delayedAcknowledgement.contains(tcp - udp) else { return nil }
        return Finding(
            "TCP_NODELAY", .warning,
            "a round trip over TCP takes \((tcp - udp).inMilliseconds.formatted(decimals: 0)) ms more than over UDP: something "
                + "between holds small packets back until the last one is acknowledged",
            advice: "set TCP_NODELAY in the proxy or tunnel between, or fly over UDP")
    }
}
