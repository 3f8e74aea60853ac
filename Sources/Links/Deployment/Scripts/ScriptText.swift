internal import MRS

/// What all scripts for the vehicle have in common: a plain POSIX shell, and how they answer.
enum ScriptText {
    /// Defines `say`, which prints a line of ``ScriptAnswer``, and the places of the companion.
    private static let prelude = #"""
        umask 022
        LC_ALL=C
        export LC_ALL
        PATH=$PATH:/usr/bin:/bin:/usr/sbin:/sbin
        say() { printf 'uavlink %s\n' "$*"; }
        last() { printf '%s\n' "$1" | tail -n 1; }
        lib=${HOME-}/.local/lib/uavlink
        bin=${HOME-}/.local/bin/uavlink-companion
        unit=${HOME-}/.config/systemd/user/uavlink-companion.service
        say begin

        """#

    /// A whole script: variables, then the body.
    ///
    /// - Parameter values: names of shell variables and their values, which may be any text.
    static func whole(_ body: String, with values: KeyValuePairs<String, String> = [:]) -> String {
        let assignments = values.map { "\($0.key)=\(RemoteShell.word($0.value))\n" }.joined()
        return prelude + assignments + body + "\nsay end\n"
    }

    /// The folder of the programs, relative to the home.
    static let folder = ".local/lib/uavlink"
    /// What the name of an uploaded program begins with until it has run.
    static let incoming = "incoming-"
    /// What the name of a program that was deployed begins with.
    static let deployed = "companion-"
    /// What marks a service unit as ours.
    static let unitMark = "uavlink deploy"
}
