internal import MRS

/// What all scripts for the vehicle have in common: a plain POSIX shell, and how they answer.
enum ScriptText {
    /// Defines `say`, which prints a line of ``ScriptAnswer``, and the places of the companion; `lead`, which prints where a link
    /// leads; and `spelled`, which prints a path into our folder as it begins there, however the home is spelled in it: the home may
    /// be a symbolic link, and the system names a program's file by its physical path.
    private static let prelude = #"""
        umask 022
        LC_ALL=C
        export LC_ALL
        PATH=$PATH:/usr/bin:/bin:/usr/sbin:/sbin
        say() { printf 'uavlink %s\n' "$*"; }
        last() { printf '%s\n' "$1" | tail -n 1; }
        HOME=${HOME-}
        [ "$HOME" = / ] || HOME=${HOME%/}
        lib=${HOME-}/.local/lib/uavlink
        bin=${HOME-}/.local/bin/uavlink-companion
        unit=${HOME-}/.config/systemd/user/uavlink-companion.service
        physical() { (cd "$1" 2>/dev/null && pwd -P); }
        spelled() {
            inside=
            case $1 in /*/*) inside=$(physical "${1%/*}") ;; esac
            if [ -n "$inside" ] && [ "$inside" = "$(physical "$lib")" ]; then
                printf '%s\n' "$lib/${1##*/}"
            else
                printf '%s\n' "$1"
            fi
        }
        lead() {
            aim=$(readlink "$1" 2>/dev/null)
            case $aim in
                '' | /*) ;;
                *) aim=${1%/*}/$aim ;;
            esac
            spelled "$aim"
        }
        say begin

        """#

    /// Defines `mine`, whether the unit is one that a deployment has written, and `served`, which prints the vehicle that it is for;
    /// nothing where it does not say.
    static let unitVehicle = #"""
        mine() { [ -f "$unit" ] && grep -qs 'uavlink deploy' "$unit"; }
        served() {
            words=" $(sed -n 's/^ExecStart=//p' "$unit" 2>/dev/null | tail -n 1) "
            case $words in
                *'\ ') return ;;
                *' --uav '*) word=${words#*' --uav '} ;;
                *' --uav='*) word=${words#*' --uav='} ;;
                *) word=uav1 ;;
            esac
            word=${word%% *}
            case $word in
                '$'*)
                    word=${word#'$'}
                    word=${word#'{'}
                    word=${word%'}'}
                    case $word in '' | *[!A-Za-z0-9_]*) return ;; esac
                    word=$(sed -n "s/^Environment=\(.*[ \"]\)\{0,1\}$word=\([A-Za-z0-9_]*\).*/\2/p" "$unit" | tail -n 1)
                    ;;
            esac
            printf '%s\n' "$word"
        }

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
