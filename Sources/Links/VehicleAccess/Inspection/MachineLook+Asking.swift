#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import Foundation
internal import SSHTransport
internal import Threads
public import UAVLink

extension MachineLook {
    /// What is asked, for a POSIX shell; `$peer` is the address that the way leads to, `$host` what `ssh` calls it.
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

    /// For the vehicle's end: the way leads back to where its SSH session came from.
    static let remoteScript = "peer=${SSH_CONNECTION%% *} host=\n" + script

    /// How long this machine's programs may take; they take some tens of milliseconds.
    private static let patience: Duration = .seconds(5)

    /// Looks at this machine.
    ///
    /// - Parameter host: the vehicle's computer.
    public static func here(towards host: String) async -> MachineLook {
        let script = "peer=$1 host=$1\n" + script
        let printed = await OwnThread.run { run(["-c", script, "sh", host]) }
        return MachineLook(printed ?? "")
    }

    private static func run(_ arguments: [String]) -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        let output = Pipe()
        process.standardOutput = output
        guard (try? process.run()) != nil else { return "" }
        // The pipe has room for all that is said, so that nobody waits for a reader.
        let deadline = ContinuousClock.now + patience
        while process.isRunning {
            guard ContinuousClock.now < deadline else {
                process.terminate()
                return ""
            }
            usleep(5000)
        }
        return String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    }
}

extension RemoteInspection {
    /// What the vehicle's computer says of the way that leads back to here.
    ///
    /// - Throws: ``LinkError``.
    public func machineLook(within timeout: Duration) async throws(LinkError) -> MachineLook {
        MachineLook(try await run("sh", ["-c", MachineLook.remoteScript], within: timeout).outputText)
    }

    /// How long a command that does nothing takes more than one in a warm shell: the start of the login shell.
    ///
    /// - Throws: ``LinkError``.
    public func loginShellStart(within timeout: Duration) async throws(LinkError) -> Duration {
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
