/// Scripts about the service unit of the user.
enum ServiceScripts {
    /// Defines `manager`, which asks the user's service manager and sets `reason`.
    private static let manager = #"""
        [ -n "${XDG_RUNTIME_DIR-}" ] || XDG_RUNTIME_DIR=/run/user/$(id -u)
        export XDG_RUNTIME_DIR
        manager() { reason=$(systemctl --user "$@" </dev/null 2>&1); }

        """#

    /// Writes a unit, enables it and starts it again.
    ///
    /// Under the lock, since another deployment may take away meanwhile what the unit starts, or write its own.
    ///
    /// Answers `absent` where the user has no service manager, `busy`, `foreign` for a unit that is not ours, `other` with the vehicle
    /// for one of another vehicle, or `failed` with the reason; else `active`.
    ///
    /// - Parameters:
    ///   - text: the unit's text.
    ///   - vehicle: the vehicle that it is for.
    static func install(_ text: String, for vehicle: String) -> String {
        ScriptText.whole(
            ScriptText.unitVehicle + ScriptText.lock + manager
                + #"""
                give_up() {
                    say "$@"
                    say end
                    exit 0
                }
                manager show-environment || give_up absent "$(last "$reason")"
                take
                case $(lead "$bin") in
                    "$lib"/*) [ -x "$bin" ] ;;
                    *) false ;;
                esac || give_up failed "another deployment has removed the companion"
                if mine; then
                    other=$(served)
                    [ "$other" = "$vehicle" ] || give_up other "$other"
                elif [ -e "$unit" ]; then
                    give_up foreign "$unit"
                fi
                for folder in .config .config/systemd .config/systemd/user .config/systemd/user/default.target.wants; do
                    [ ! -d "$HOME/$folder" ] || continue
                    mkdir "$HOME/$folder" || give_up failed "cannot make $HOME/$folder"
                    printf '%s\n' "$folder" >>"$lib/made"
                done
                printf '%s' "$text" >"$unit.new" && mv -f "$unit.new" "$unit" || give_up failed "cannot write $unit"
                manager daemon-reload || give_up failed "$(last "$reason")"
                manager enable uavlink-companion.service || give_up failed "$(last "$reason")"
                manager restart uavlink-companion.service || give_up failed "$(last "$reason")"
                say active
                """#, with: ["text": text, "vehicle": vehicle])
    }

    /// Starts the service again, under the lock, so that no other deployment removes it meanwhile. Answers as
    /// ``install(_:for:)``.
    static let restart = ScriptText.whole(
        ScriptText.lock + manager
            + #"""
            take
            if manager restart uavlink-companion.service; then say active; else say failed "$(last "$reason")"; fi
            """#)

    /// Prints the variables that a companion needs, to be run after the profile's set-up. Answers `variable` with each.
    static let variables = #"""
        for name in ROS_MASTER_URI ROS_IP ROS_HOSTNAME UAVLINK_RUNTIME_DIR; do
            eval "value=\${$name-}"
            [ -z "$value" ] || printf 'uavlink variable %s=%s\n' "$name" "$value"
        done
        """#
}
