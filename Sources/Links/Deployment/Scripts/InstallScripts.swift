/// Scripts that put a program in the user's home. Each step leaves what worked before working, wherever it is cut.
///
/// ```
///   ~/.local/bin/uavlink-companion ──▶ ~/.local/lib/uavlink/companion-0.1.0-1a2b3c4d5e6f    the deployed one
///   ~/.local/lib/uavlink/previous ───▶ ~/.local/lib/uavlink/companion-0.0.9-0f1e2d3c4b5a    the one before
///                        original      what was at ~/.local/bin/uavlink-companion before the first of ours
///                        made          the folders that we made, one in each line
///                        incoming-*    an upload; of one that was cut, a part
///                        .lock         the script that changes it now
/// ```
enum InstallScripts {
    /// Makes the folders and records which, and removes what is left of uploads that were cut; not one of another deployment that
    /// still goes on.
    ///
    /// Answers `prepared`, `failed` with the folder and the reason, or `busy`.
    static let prepare = ScriptText.whole(
        ScriptText.names + ScriptText.lock
            + #"""
            made=
            for folder in .local .local/bin .local/lib .local/lib/uavlink; do
                [ ! -d "$HOME/$folder" ] || continue
                if ! reason=$(mkdir "$HOME/$folder" 2>&1); then
                    # Another deployment may just have made it.
                    [ ! -d "$HOME/$folder" ] || continue
                    for other in .local/lib .local/bin .local; do
                        case $made in *" $other "*) rmdir "$HOME/$other" ;; esac
                    done
                    say failed "$(last "$reason")"
                    say end
                    exit 0
                fi
                made="$made $folder "
            done
            if [ -n "$made" ] && { [ ! -e "$lib/made" ] || is_made; }; then
                for folder in $made; do printf '%s\n' "$folder"; done >>"$lib/made"
            fi
            take
            for file in "$lib"/incoming-* "$lib"/.incoming-*; do
                if is_upload "${file##*/}" && is_old "$file"; then rm -f "$file"; fi
            done
            say prepared
            """#)

    /// Defines `point`, which points a link somewhere at once: whoever follows it finds the old target or the new one. Without `-T`,
    /// which not every `mv` has, the new link would be moved into a folder that the old one leads to.
    ///
    /// Defines `is_ready`, which is asked just before the link is pointed to a program: that it is there and can run, that no other
    /// deployment has taken over, and that the ground, which waits for a minute, still waits; else it sets `reason`.
    private static let point = #"""
        point() {
            new=${2%/*}/.${2##*/}.new
            rm -f "$new"
            ln -s "$1" "$new" || return 1
            mv -fT "$new" "$2" 2>/dev/null && return 0
            if [ ! -d "$2" ] && mv -f "$new" "$2"; then return 0; fi
            rm -f "$new"
            return 1
        }
        is_ready() {
            if ! holds; then
                reason='another deployment has taken over'
            elif [ ! -f "$1" ] || [ ! -x "$1" ]; then
                reason="$1 is gone"
            elif [ $(($(date +%s) - begun)) -ge 45 ]; then
                reason='it took longer than 45 s'
            else
                return 0
            fi
            return 1
        }

        """#

    /// Defines `try`, which runs a program and sets `version`; it answers `broken` with exit status and reason, or `hung`, and fails,
    /// for one that cannot run or is no companion.
    private static let attempt =
        ScriptText.version
            + #"""
            try() {
                ask_version "$1"
                if [ -n "$hung" ]; then
                    say hung 5
                    return 1
                fi
                said=$(last "$said")
                version=${said#uavlink-companion }
                if [ $status = 0 ] && [ "$version" != "$said" ] && [ ${#version} -le 32 ]; then
                    case $version in
                        '' | *[!0-9A-Za-z.+-]*) ;;
                        *) return 0 ;;
                    esac
                fi
                say broken $status "$said"
                return 1
            }

            """#

    /// Checks a program that was uploaded, or is there already, runs it, points the link to it and removes all but the one before.
    ///
    /// Answers `gone` if there is no such file, `damaged`, `broken`, `hung`, `busy` or `failed`, after which nothing has changed; or
    /// `name`, `version`, `previous` and `removed`.
    ///
    /// - Parameters:
    ///   - source: its name in our folder.
    ///   - checksum: its SHA-256 checksum in hexadecimal.
    static func install(_ source: String, checksum: String) -> String {
        ScriptText.whole(
            ScriptText.names + ScriptText.lock + point + attempt
                + #"""
                give_up() {
                    say "$@"
                    case $source in incoming-*) rm -f "$lib/$source" ;; esac
                    say end
                    exit 0
                }
                take
                cd "$lib" || give_up failed "$lib"
                [ ! -d "$bin" ] || give_up failed "$bin is a folder, or a link to one"
                if [ ! -e "$source" ]; then
                    # Another deployment of the same program has put it in its place.
                    for file in companion-*-"$short"; do
                        ! is_program "$file" || [ ! -f "$file" ] || source=$file
                    done
                    [ -e "$source" ] || give_up gone "$source"
                fi
                if command -v sha256sum >/dev/null 2>&1; then
                    found=$(sha256sum "$source" 2>/dev/null)
                    [ "${found%% *}" = "$checksum" ] || give_up damaged "$source"
                fi
                chmod 755 "$source"
                if ! try "$lib/$source"; then
                    case $source in incoming-*) rm -f "$source" ;; esac
                    say end
                    exit 0
                fi
                name=companion-$version-$short
                [ "$source" = "$name" ] || mv -f "$source" "$name" || give_up failed "$name"
                sync "$name" 2>/dev/null || sync
                current=$(lead "$bin")
                case $current in
                    "$lib"/*) ;;
                    *)
                        current=
                        if [ -L "$bin" ] || [ -e "$bin" ]; then
                            rm -f original
                            if [ -L "$bin" ]; then cp -P "$bin" original; else ln "$bin" original || cp -p "$bin" original; fi
                            [ $? = 0 ] || give_up failed original
                            current=$lib/original
                        fi
                        ;;
                esac
                if [ "$current" != "$lib/$name" ]; then
                    is_ready "$lib/$name" || give_up failed "$reason"
                    if [ -n "$current" ] && [ -e "$current" ]; then
                        point "$current" "$lib/previous" || give_up failed previous
                    fi
                    is_ready "$lib/$name" || give_up failed "$reason"
                    point "$lib/$name" "$bin" || give_up failed "$bin"
                fi
                previous=$(lead "$lib/previous")
                for file in companion-* incoming-* .incoming-*; do
                    # One that has lost the lock removes nothing of the one that has it.
                    holds && [ -f "$file" ] || continue
                    if is_upload "$file"; then
                        # Of this program another upload is not needed any more.
                        case $file in *incoming-"$short"*) rm -f "$file" ;; esac
                        ! is_old "$file" || rm -f "$file"
                    elif is_program "$file"; then
                        case $lib/$file in
                            "$lib/$name" | "$previous") ;;
                            *) rm -f "$file" && say removed "$file" ;;
                        esac
                    fi
                done
                say name "$name"
                say version "$version"
                [ -z "$previous" ] || [ "$previous" = "$lib/$name" ] || say previous "${previous##*/}"
                """#,
            with: ["source": source, "checksum": checksum, "short": String(checksum.prefix(CompanionFile.shortDigits))])
    }

    /// Points the link to the program that was deployed before, and keeps the present one in its place.
    ///
    /// Answers `none`, `foreign`, `broken`, `hung`, `busy` or `failed`, after which nothing has changed; or `name`, `version` and `previous`.
    static let rollBack = ScriptText.whole(
        ScriptText.lock + point + attempt
            + #"""
            give_up() {
                say "$@"
                say end
                exit 0
            }
            take
            current=$(lead "$bin")
            case $current in
                "$lib"/*) ;;
                *) give_up foreign ;;
            esac
            previous=$(lead "$lib/previous")
            [ -n "$previous" ] && [ "$previous" != "$current" ] && [ -e "$previous" ] || give_up none
            if ! try "$previous"; then
                say end
                exit 0
            fi
            is_ready "$previous" || give_up failed "$reason"
            point "$previous" "$bin" || give_up failed "$bin"
            point "$current" "$lib/previous" || give_up failed previous
            say name "${previous##*/}"
            say version "$version"
            say previous "${current##*/}"
            """#)
}
