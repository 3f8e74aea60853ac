internal import MRS
internal import SSHTransport
internal import SystemIO
internal import SystemKit
internal import Threads
package import UAVLink

extension HostReport {
    /// The query, for a POSIX shell; `$peer` is the address of the other computer, `$host` its name for `ssh`.
    private static let script = """
        PATH=$PATH:/usr/sbin:/sbin
        device=$(ip -o route get "$peer" 2>/dev/null | sed -n 's/.* dev \\([^ ]*\\).*/\\1/p')
        echo "device $device"
        if [ -n "$device" ]; then
          echo "mtu $(cat "/sys/class/net/$device/mtu" 2>/dev/null)"
          if [ -d "/sys/class/net/$device/wireless" ]; then
            echo "wireless yes"
            echo "power_save $(iw dev "$device" get power_save 2>/dev/null | sed -n 's/.*: *//p')"
          fi
        fi
        timedatectl show --property=NTPSynchronized --property=NTP 2>/dev/null |
          sed -n 's/^NTPSynchronized=/ntp_synchronized /p; s/^NTP=/ntp /p'
        echo "ssh $(ssh -V 2>&1 | head -n 1)"
        [ -z "$host" ] || ssh -G -- "$host" 2>/dev/null </dev/null | sed -n 's/^obscurekeystroketiming /keystrokes /p'
        """

    /// For the vehicle: the peer is where its SSH session came from.
    static let remoteScript = "peer=${SSH_CONNECTION%% *} host=\n" + script

    /// Timeout of the programs on this machine, which take some tens of milliseconds.
    private static let timeout: Duration = .seconds(5)

    /// Inspects this machine.
    ///
    /// - Parameter host: the vehicle's computer.
    package static func here(towards host: String) async -> HostReport {
        let script = "peer=$1 host=$1\n" + script
        let printed = await DedicatedThread.run { run(["-c", script, "sh", host]) }
        return HostReport(printed ?? "")
    }

    private static func run(_ arguments: [String]) -> String {
        ProgramOutput.of("/bin/sh", arguments, environment: HostProcess.environment, within: timeout)?.text ?? ""
    }
}

extension RemoteInspection {
    /// The vehicle's computer, with its network interface towards this machine.
    ///
    /// - Throws: ``LinkError``.
    package func hostReport(within timeout: Duration) async throws(LinkError) -> HostReport {
        HostReport(try await run("sh", ["-c", HostReport.remoteScript], within: timeout).outputText)
    }

    /// Start-up time of the login shell: by how much an empty command takes longer than in a running shell.
    ///
    /// - Throws: ``LinkError``.
    package func loginShellStart(within timeout: Duration) async throws(LinkError) -> Duration {
        let warm = SSHWarmShell(session)
        defer { warm.close() }
        _ = try await warm.run(":", within: timeout)
        var shares: [Duration] = []
        for _ in 0..<3 {
            let began = clock.now
            _ = try await session.run("true", within: timeout)
            let between = clock.now
            _ = try await warm.run(":", within: timeout)
            shares.append((between - began) - (clock.now - between))
        }
        return max(.zero, shares.sorted()[1])
    }
}
