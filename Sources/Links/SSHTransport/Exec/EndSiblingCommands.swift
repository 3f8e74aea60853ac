internal import MRS
package import UAVLink

extension SSHSession {
    /// Ends what all other commands of this session have started: SIGTERM to their process groups, and SIGKILL to what is still there
    /// after 2 s. For a session that has only the command which was interrupted.
    ///
    /// libssh2 before 1.11 cannot send the channel request `signal` (RFC 4254, 6.9), and a closed channel ends only what writes to it.
    /// sshd starts each command of a session as a child of one process, in a process group of its own.
    ///
    /// - Throws: ``LinkError`` as ``run(_:input:within:outputLimit:)``; `remoteFailed` if one of them could not be ended.
    package func endSiblingCommands(within timeout: Duration) async throws(LinkError) {
        let result = try await run(SiblingCommands.line, within: timeout)
        guard result.exitStatus == 0 else {
            throw LinkError(.remoteFailed, "the command on the vehicle could not be ended")
        }
    }
}

/// The command line that ends the other commands of an SSH session.
enum SiblingCommands {
    static let line = RemoteShell.posixLine(running: script)

    /// `kill -TERM -- -1` is an error in dash, `kill -s TERM -- -1` is not. The parent is the fourth field of `/proc/PID/stat`, after a name that may contain anything: it is looked for after the last
    /// parenthesis.
    /// What has ended and was not waited for yet is in its group still, but not alive.
    private static let script = """
        lives() {
            for file in /proc/[0-9]*/stat; do
                { read -r line <"$file"; } 2>/dev/null || continue
                set -- "$1" ${line##*) }
                [ "$4" = "$1" ] && [ "$2" != Z ] && [ "$2" != X ] && return 0
            done
            return 1
        }
        groups=
        for file in /proc/[0-9]*/stat; do
            { read -r line <"$file"; } 2>/dev/null || continue
            process=${file#/proc/}; process=${process%/stat}
            set -- ${line##*) }
            [ "$2" = "$PPID" ] && [ "$process" != "$$" ] && groups="$groups $process"
        done
        for group in $groups; do kill -s TERM -- "-$group" 2>/dev/null; done
        tries=0
        for group in $groups; do
            while lives $group; do
                tries=$((tries + 1))
                [ $tries -gt 20 ] && { kill -s KILL -- "-$group" 2>/dev/null; break; }
                sleep 0.1 2>/dev/null || sleep 1
            done
        done
        sleep 0.1 2>/dev/null
        for group in $groups; do lives $group && exit 1; done
        exit 0
        """
}
