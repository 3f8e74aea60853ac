/// Scripts that end a companion, and take away what was deployed.
enum RemoveScripts {
    /// Removes the service unit, the link, the programs and the folders that we made, if nothing else is in them by now; what
    /// was there before the first deployment is put back. Of the runtime folder outside of the home, which a companion that was started
    /// on demand has made, it removes what was this vehicle's, unless a process has a file of that folder open, as each companion has.
    ///
    /// Answers `other` with the vehicle for a unit of another one, `failed` with the reason where the service does not end, or `busy`;
    /// then nothing has been removed. Else `removed` with each path, relative to the home if it is there, and `restored`.
    static func remove(for vehicle: String) -> String { ScriptText.whole(body, with: ["vehicle": vehicle]) }

    private static let body =
        ScriptText.unitVehicle + ScriptText.names + ScriptText.lock
            + #"""
            give_up() {
                say "$@"
                say end
                exit 0
            }
            runs() {
                for group in $(grep -ls '/user@[0-9]*\.service/.*/uavlink-companion\.service$' /proc/[0-9]*/cgroup); do
                    [ ! -O "${group%/cgroup}" ] || return 0
                done
                return 1
            }
            take
            if mine; then
                other=$(served)
                [ "$other" = "$vehicle" ] || give_up other "$other"
                [ -n "${XDG_RUNTIME_DIR-}" ] || XDG_RUNTIME_DIR=/run/user/$(id -u)
                export XDG_RUNTIME_DIR
                # Without a service manager nothing starts the service again.
                if systemctl --user show-environment </dev/null >/dev/null 2>&1; then
                    reason=$(systemctl --user disable --now uavlink-companion.service </dev/null 2>&1) \
                        || give_up failed "$(last "$reason")"
                fi
                ! runs || give_up failed 'its process still runs'
                rm -f "$unit" "${unit%/*}/default.target.wants/uavlink-companion.service"
                systemctl --user daemon-reload </dev/null >/dev/null 2>&1
                say removed "${unit#"$HOME"/}"
            fi
            case $(lead "$bin") in
                "$lib"/*) rm -f "$bin" && say removed "${bin#"$HOME"/}" ;;
            esac
            if [ -e "$lib/original" ] || [ -L "$lib/original" ]; then
                if [ -e "$bin" ] || [ -L "$bin" ]; then
                    rm -f "$lib/original"
                else
                    mv -f "$lib/original" "$bin" && say restored "${bin#"$HOME"/}"
                fi
            fi
            made=' '
            if is_made; then
                made=" $(tr '\n' ' ' <"$lib/made") "
                rm -f "$lib/made"
            fi
            for file in "$lib"/companion-* "$lib"/incoming-* "$lib"/.incoming-*; do
                if [ -f "$file" ] && { is_program "${file##*/}" || is_upload "${file##*/}"; }; then
                    rm -f "$file" && say removed "${file#"$HOME"/}"
                fi
            done
            for file in "$lib/previous" "$lib/.previous.new" "$lib"/.lock.*; do
                [ ! -L "$file" ] || rm -f "$file"
            done
            rm -f "${bin%/*}/.uavlink-companion.new"
            place=${UAVLINK_RUNTIME_DIR:-/tmp/uavlink-$(id -u)}
            if [ -d "$place" ] && [ ! -L "$place" ] && [ -O "$place" ] \
                && ! ls -l /proc/[0-9]*/fd 2>/dev/null | grep -qF -e " -> $(physical "$place")/"
            then
                for file in "$place/$vehicle.lock" "$place/$vehicle.log" "$place/$vehicle.sock"; do
                    [ ! -e "$file" ] || { rm -f "$file" && say removed "$file"; }
                done
                rmdir "$place" 2>/dev/null
            fi
            release
            for folder in .config/systemd/user/default.target.wants .config/systemd/user .config/systemd .config \
                .local/lib/uavlink .local/lib .local/bin .local
            do
                case $made in
                    *" $folder "*) rmdir "$HOME/$folder" 2>/dev/null && say removed "$folder" ;;
                esac
            done
            """#

    /// Waits until a process has ended, 5 s at most. Answers `alive` if it has not.
    ///
    /// One that its parent has not asked about since (in a container without an init) stays in the table as a zombie; it has ended.
    static func awaitEnd(of process: Int) -> String {
        ScriptText.whole(
            #"""
            lives() {
                { read -r state <"/proc/$process/stat"; } 2>/dev/null || return 1
                case $state in
                    *') Z '* | *') X '*) return 1 ;;
                esac
            }
            count=0
            while lives && [ $count -lt 50 ]; do
                sleep 0.1 2>/dev/null || sleep 1
                count=$((count + 1))
            done
            ! lives || say alive
            """#, with: ["process": "\(process)"])
    }
}
