extension ScriptText {
    /// Defines `is_program`, `is_upload` and `is_made`: whether a name, or the list of folders, is exactly of the form that we write.
    /// Everything else in the folder is somebody else's, and is neither counted nor removed. `is_old` is whether a file has not changed
    /// for ten minutes: an upload that makes no progress for 20 s has failed.
    static let names = #"""
        is_digest() {
            [ ${#1} = 12 ] || return 1
            case $1 in *[!0-9a-f]*) return 1 ;; esac
        }
        is_program() {
            case $1 in companion-?*-*) ;; *) return 1 ;; esac
            word=${1#companion-}
            is_digest "${word##*-}" || return 1
            word=${word%-*}
            case $word in '' | *[!0-9A-Za-z.+-]*) return 1 ;; esac
            [ ${#word} -le 32 ]
        }
        is_upload() {
            case $1 in
                incoming-*) is_digest "${1#incoming-}"; return ;;
                .incoming-*.*) word=${1#.incoming-} ;;
                *) return 1 ;;
            esac
            case ${word#*.} in '' | *[!0-9a-z]*) return 1 ;; esac
            is_digest "${word%%.*}"
        }
        is_made() {
            [ -f "$lib/made" ] && [ ! -L "$lib/made" ] || return 1
            ! grep -qvxE '\.local(/bin|/lib|/lib/uavlink)?|\.config(/systemd(/user(/default\.target\.wants)?)?)?' "$lib/made"
        }
        is_old() { [ -n "$(find "$1" -prune -type f -mmin +10 2>/dev/null)" ]; }

        """#

    /// Defines `ask_version`, which runs a program with `--version`, for 5 s at most, and sets `said` to what it printed, `status`, and
    /// `hung` if it had to be killed. A static companion answers in milliseconds.
    ///
    /// `timeout` of an old busybox has other options: then a process in the background kills it.
    static let version = #"""
        ask_version() {
            hung=
            asked=$(date +%s)
            if timeout -k 1 9 true >/dev/null 2>&1; then
                said=$(timeout -k 1 5 "$1" --version </dev/null 2>&1)
                status=$?
            else
                said=$(
                    "$1" --version </dev/null 2>&1 &
                    child=$!
                    { sleep 5; kill -KILL $child; } >/dev/null 2>&1 &
                    guard=$!
                    wait $child
                    status=$?
                    kill $guard 2>/dev/null
                    exit $status
                )
                status=$?
            fi
            case $status in 124 | 137) [ $(($(date +%s) - asked)) -lt 4 ] || hung=yes ;; esac
        }

        """#
}
