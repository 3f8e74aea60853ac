extension ScriptText {
    /// Defines `take`, which lets only one script at a time change what is deployed, and `holds`, whether this one may still do so.
    ///
    /// ```
    ///   ~/.local/lib/uavlink/.lock ──▶ PROCESS:START:SECONDS:HOST
    /// ```
    ///
    /// The lock is a symbolic link that leads nowhere, as of Emacs: it is made with its holder in one step. It ends with the script,
    /// also by a signal. One of a script that was killed is taken over: no process of that number and start runs on this host, or it
    /// is older than ten minutes. Who takes it over waits a second, and looks whether somebody else did so at the same moment.
    ///
    /// Answers `busy` with the holder after 5 s, or `failed` with the reason; then nothing has been changed.
    static let lock = #"""
        lock=$lib/.lock
        begun=$(date +%s)
        started() { sed 's/.*) //' "/proc/$1/stat" 2>/dev/null | cut -d ' ' -f 20; }
        mark=$$:$(started $$):$begun:$(uname -n)
        holds() { [ "$(readlink "$lock" 2>/dev/null)" = "$mark" ]; }
        release() { ! holds || rm -f "$lock"; }
        is_stale() {
            holder=$(readlink "$lock" 2>/dev/null)
            [ -n "$holder" ] || return 1
            set -f
            IFS=:
            set -- $holder
            unset IFS
            set +f
            case ${1:-x}${3:-x} in *[!0-9]*) return 0 ;; esac
            process=$1
            age=$(($(date +%s) - $3))
            [ $age -lt 600 ] || return 0
            [ "${4-}" = "$(uname -n)" ] || return 1
            [ "$(started "$1")" != "${2-}" ]
        }
        take() {
            [ -d "$lib" ] || return 0
            trap release EXIT
            trap 'exit 1' HUP INT TERM PIPE
            patience=5
            process='' age=''
            while :; do
                if [ -d "$lock" ]; then
                    reason="$lock is a folder"
                elif reason=$(ln -s "$mark" "$lock" 2>&1); then
                    return 0
                elif is_stale; then
                    rm -f "$lock.$$"
                    ln -s "$mark" "$lock.$$" && mv -f "$lock.$$" "$lock"
                    sleep 1
                    ! holds || return 0
                fi
                [ $patience -gt 0 ] || break
                patience=$((patience - 1))
                sleep 1
            done
            if [ -n "$process" ] && [ -L "$lock" ]; then
                say busy "process $process, for $age s"
            else
                say failed "$(last "$reason")"
            fi
            say end
            exit 0
        }

        """#
}
