/// Scripts that put a program in the user's home. Each step leaves what worked before working, wherever it is cut.
///
/// ```
///   ~/.local/bin/uavlink-companion ──▶ ~/.local/lib/uavlink/companion-0.1.0-1a2b3c4d5e6f    the deployed one
///   ~/.local/lib/uavlink/previous ───▶ ~/.local/lib/uavlink/companion-0.0.9-0f1e2d3c4b5a    the one before
///                        original      what was at ~/.local/bin/uavlink-companion before the first of ours
///                        made          the folders that we made, one in each line
///                        incoming-*    an upload; of one that was cut, a part
/// ```
enum InstallScripts {
    /// Makes the folders and records which, and removes what is left of an upload that was cut.
    ///
    /// Answers `prepared`, or `failed` with the folder and the reason.
    static let prepare = ScriptText.whole(
        #"""
        made=
        for folder in .local .local/bin .local/lib .local/lib/uavlink; do
            [ ! -d "$HOME/$folder" ] || continue
            if ! reason=$(mkdir "$HOME/$folder" 2>&1); then
                for other in .local/lib .local/bin .local; do
                    case $made in *" $other "*) rmdir "$HOME/$other" ;; esac
                done
                say failed "$(last "$reason")"
                say end
                exit 0
            fi
            made="$made $folder "
        done
        for folder in $made; do printf '%s\n' "$folder"; done >>"$lib/made"
        rm -f "$lib"/incoming-* "$lib"/.incoming-*
        say prepared
        """#)

    /// Defines `point`, which points a link somewhere at once: whoever follows it finds the old target or the new one.
    private static let point = #"""
        point() {
            rm -f "${2%/*}/.${2##*/}.new"
            ln -s "$1" "${2%/*}/.${2##*/}.new" && mv -f "${2%/*}/.${2##*/}.new" "$2"
        }

        """#

    /// Defines `try`, which runs a program and sets `version`; it answers `broken` with exit status and reason, and fails, for
    /// one that cannot run or is no companion.
    private static let attempt = #"""
        try() {
            said=$("$1" --version </dev/null 2>&1)
            status=$?
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
    /// Answers `damaged`, `broken` or `failed`, after which nothing has changed; or `name`, `version`, `previous` and `removed`.
    ///
    /// - Parameters:
    ///   - source: its name in our folder.
    ///   - checksum: its SHA-256 checksum in hexadecimal.
    static func install(_ source: String, checksum: String) -> String {
        ScriptText.whole(
            point + attempt
                + #"""
                give_up() {
                    say "$@"
                    case $source in incoming-*) rm -f "$lib/$source" ;; esac
                    say end
                    exit 0
                }
                cd "$lib" || give_up failed "$lib"
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
                    if [ -n "$current" ] && [ -e "$current" ]; then
                        point "$current" "$lib/previous" || give_up failed previous
                    fi
                    point "$lib/$name" "$bin" || give_up failed "$bin"
                fi
                previous=$(lead "$lib/previous")
                for file in companion-*; do
                    case $lib/$file in
                        "$lib/$name" | "$previous") ;;
                        *) rm -f "$file" && say removed "$file" ;;
                    esac
                done
                rm -f incoming-* .incoming-*
                say name "$name"
                say version "$version"
                [ -z "$previous" ] || [ "$previous" = "$lib/$name" ] || say previous "${previous##*/}"
                """#,
            with: ["source": source, "checksum": checksum, "short": String(checksum.prefix(CompanionFile.shortDigits))])
    }

    /// Points the link to the program that was deployed before, and keeps the present one in its place.
    ///
    /// Answers `none`, `foreign`, `broken` or `failed`, after which nothing has changed; or `name`, `version` and `previous`.
    static let rollBack = ScriptText.whole(
        point + attempt
            + #"""
            give_up() {
                say "$@"
                say end
                exit 0
            }
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
            point "$previous" "$bin" || give_up failed "$bin"
            point "$current" "$lib/previous" || give_up failed previous
            say name "${previous##*/}"
            say version "$version"
            say previous "${current##*/}"
            """#)
}
