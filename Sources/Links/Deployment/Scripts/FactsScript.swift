/// Looks at the vehicle's computer; changes nothing.
enum FactsScript {
    /// In one round: system, home, mount, service manager, ROS, and which companions are there and run.
    ///
    /// A running companion is found by the name of its program. One that a bootstrap starts is called as the file at the end of all
    /// links, which for a program that was not deployed, also when it is kept as `original`, may be any name.
    static let text = ScriptText.whole(
        ScriptText.unitVehicle + ScriptText.names + ScriptText.version
            + #"""
            say system "$(uname -s)"
            say machine "$(uname -m)"
            say kernel "$(uname -r)"
            say libc "$(getconf GNU_LIBC_VERSION 2>/dev/null || ldd --version 2>&1 | head -n 1)"
            say shell "${SHELL-}"
            user=$(id -un 2>/dev/null || id -u)
            say user "$user"
            case ${HOME-} in
                /*) ;;
                *) say homeless; say end; exit 0 ;;
            esac
            say home "$HOME"
            [ -d "$HOME" ] || { say homeless; say end; exit 0; }
            for folder in "${bin%/*}" "$lib"; do
                there=$folder
                while [ ! -e "$there" ] && [ ! -L "$there" ]; do there=${there%/*}; done
                if [ ! -e "$there" ]; then
                    say dangling "$there -> $(readlink "$there")"
                    continue
                fi
                [ -d "$there" ] || say blocked "$there"
                [ -w "$there" ] || say unwritable "$there"
                [ "$there" = "$folder" ] || say missing "${folder#"$HOME"/}"
            done
            set -f
            set -- $(df -Pk "$there" 2>/dev/null | sed -n 2p)
            set +f
            say free "${4-}"
            mount=${6-}
            options=$(findmnt -n -o OPTIONS -T "$there" 2>/dev/null | head -n 1)
            if [ -z "$options" ] && [ -r /proc/self/mounts ]; then
                while read -r device point type list rest; do
                    [ "$point" != "$mount" ] || options=$list
                done </proc/self/mounts
            fi
            say mount "$options"
            number=$(id -u)
            [ ! -d /run/systemd/system ] || say manager system
            [ ! -S "/run/user/$number/systemd/private" ] || say manager user
            [ ! -e "/var/lib/systemd/linger/$user" ] || say lingers
            if mine; then say unit ours "$(served)"; elif [ -e "$unit" ]; then say unit foreign; fi
            for file in /opt/ros/*/setup.bash "$HOME"/*/devel/setup.bash "$HOME"/*/install/setup.bash; do
                [ ! -r "$file" ] || say setup "$file"
            done
            if grep -qsx -e rosmaster -e roscore /proc/[0-9]*/comm; then say master; fi
            if [ -d "$bin" ]; then say folder
            elif [ -L "$bin" ]; then say link "$(lead "$bin")"
            elif [ -e "$bin" ]; then say file
            fi
            [ ! -L "$lib/previous" ] || say previous "$(lead "$lib/previous")"
            for file in "$lib"/companion-* "$lib"/incoming-* "$lib"/.incoming-*; do
                [ -f "$file" ] || continue
                if is_program "${file##*/}"; then say stored "${file##*/}"; fi
                if is_upload "${file##*/}"; then say partial "${file##*/}"; fi
            done
            if is_made; then say made; fi
            if [ -e "$lib/original" ] || [ -L "$lib/original" ]; then say original; fi
            found=$bin
            [ -e "$found" ] || found=$(command -v uavlink-companion)
            if [ -n "$found" ]; then
                say found "$found"
                ask_version "$found"
                say version "$(last "$said")"
            fi
            original=
            [ ! -e "$lib/original" ] || original=$(readlink -f "$lib/original" 2>/dev/null)
            runs_from() {
                case $(readlink "$1/exe" 2>/dev/null) in "$2" | "$2 (deleted)") [ -n "$2" ] ;; *) false ;; esac
            }
            usual=$(grep -ls -e '^uavlink-compani' -e '^companion-[0-9]' /proc/[0-9]*/comm)
            named=
            for file in "$original" "$(readlink -f "$found" 2>/dev/null)"; do
                [ -n "$file" ] || continue
                for comm in $(grep -lsxF -e "$(printf '%.15s' "${file##*/}")" /proc/[0-9]*/comm); do
                    if runs_from "${comm%/comm}" "$file"; then named="$named $comm"; fi
                done
            done
            for comm in $(printf '%s\n' $usual $named | sort -u); do
                process=${comm%/comm}
                words=" $(tr '\000' ' ' <"$process/cmdline" 2>/dev/null) "
                case $words in
                    *' run '*) ;;
                    *) continue ;;
                esac
                case $words in
                    *' --backend simulated '* | *' --backend=simulated '*) continue ;;
                esac
                vehicle=uav1
                case $words in
                    *' --uav '*) vehicle=${words#*' --uav '} ;;
                    *' --uav='*) vehicle=${words#*' --uav='} ;;
                esac
                owner=other
                [ ! -O "$process" ] || owner=own
                service=$(sed -n 's|.*/\(uavlink-companion[^/]*\.service\)$|\1|p' "$process/cgroup" 2>/dev/null | head -n 1)
                program=$(spelled "$(readlink "$process/exe" 2>/dev/null)")
                if runs_from "$process" "$original"; then program=$lib/original; fi
                say running "${process#/proc/}" "$owner" "${service:--}" "${vehicle%% *}" "$program"
            done
            """#)
}
