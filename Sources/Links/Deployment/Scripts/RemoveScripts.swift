/// Scripts that end a companion, and take away what was deployed.
enum RemoveScripts {
    /// Removes the service unit, the link, the programs and the folders that we made, if nothing else is in them by now; what
    /// was there before the first deployment is put back.
    ///
    /// Answers `removed` with each path relative to the home, and `restored`.
    static let remove = ScriptText.whole(
        #"""
        mine() { [ -f "$unit" ] && grep -qs 'uavlink deploy' "$unit"; }
        if mine; then
            [ -n "${XDG_RUNTIME_DIR-}" ] || XDG_RUNTIME_DIR=/run/user/$(id -u)
            export XDG_RUNTIME_DIR
            systemctl --user disable --now uavlink-companion.service </dev/null >/dev/null 2>&1
            rm -f "$unit" "${unit%/*}/default.target.wants/uavlink-companion.service"
            systemctl --user daemon-reload </dev/null >/dev/null 2>&1
            say removed "${unit#"$HOME"/}"
        fi
        case $(readlink "$bin" 2>/dev/null) in
            "$lib"/*) rm -f "$bin" && say removed "${bin#"$HOME"/}" ;;
        esac
        if [ -e "$lib/original" ] || [ -L "$lib/original" ]; then
            if [ -e "$bin" ] || [ -L "$bin" ]; then
                rm -f "$lib/original"
            else
                mv -f "$lib/original" "$bin" && say restored "${bin#"$HOME"/}"
            fi
        fi
        made=" $(tr '\n' ' ' 2>/dev/null <"$lib/made") "
        for file in "$lib"/companion-*; do
            [ ! -e "$file" ] || say removed "${file#"$HOME"/}"
        done
        rm -f "$lib"/companion-* "$lib"/incoming-* "$lib"/.incoming-* "$lib/previous" "$lib/.previous.new" "$lib/made"
        rm -f "${bin%/*}/.uavlink-companion.new"
        for folder in .config/systemd/user/default.target.wants .config/systemd/user .config/systemd .config \
            .local/lib/uavlink .local/lib .local/bin .local
        do
            case $made in
                *" $folder "*) rmdir "$HOME/$folder" 2>/dev/null && say removed "$folder" ;;
            esac
        done
        """#)

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
