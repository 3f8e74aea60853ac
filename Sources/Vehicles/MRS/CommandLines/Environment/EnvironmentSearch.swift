/// Finds out what the programs of ROS need in their environment on a vehicle whose profile has no `setup`.
///
/// A script for bash or a POSIX shell looks in this order, and prints what ``ROSEnvironment/init(answer:)`` parses:
///
/// ```
///   log-in         ROS is set in the environment of each log-in
///   process        that of a running node of this vehicle; else of the ROS master, if only one of this user runs
///   start-up-file  setup files that ~/.bashrc reads (and ~/.zshrc, for the log-in shell zsh)
///   workspace      ~/*/devel and ~/*/install, the newest first
///   installation   /opt/ros/*, noetic first
///   packages       rosservice is on the PATH without any setup file
/// ```
///
/// The first with which `rosservice` (in ROS 2, `ros2`) is found is used; one with which Python finds the flight stack's messages
/// goes before all without them, since they fail for services of a type that they do not know. Setup files of the other ROS
/// are passed over.
///
/// Start-up files are read, not run: they usually return at once in a shell without a terminal. Of their lines only those that
/// read a setup file, and those that set the address of the ROS master or of this computer, are evaluated.
///
/// Commands must reach no other vehicle than the one that is meant. So a ROS master that the log-in names is never replaced by that
/// of a process, nor the one that a start-up file names by that of a master without the vehicle; and of several masters none is used.
/// ROS's own setup files name one by default all the same: so the answer has all masters that were seen, and ``ROSEnvironment`` says
/// whether somebody chose among them.
public enum EnvironmentSearch {
    /// Where installations of ROS are.
    public static let usualInstallations = "/opt/ros"

    /// The search, ended when its standard input closes.
    ///
    /// - Parameters:
    ///   - names: the vehicle's names; its nodes are started in its namespace.
    ///   - installations: the folder with one installation of ROS in each folder.
    ///   - master: the ROS master that the profile names; it goes before all others.
    ///   - ros: the ROS that is looked for.
    public static func command(
        for names: VehicleNames, installations: String = usualInstallations, master: String? = nil,
        ros: ROSVersion = .one
    ) -> RemoteCommand {
        ROSCommandLines.endedWithInput(script(for: names, installations: installations, master: master, ros: ros))
    }

    /// Lists the ROS masters, and the one that the shell's environment leads to; for the environment of a profile's set-up.
    static func mastersScript(for names: VehicleNames) -> String {
        let values = ["vehicle=\(names.vehicle)", "nl='\n'"]
        let steps = [
            "exec 3>&1 >/dev/null 2>&1 </dev/null", saying, "say '\(ROSEnvironment.answerMark)'", masters,
            "say \"uses ${ROS_MASTER_URI-}\"", "say end",
        ]
        return (values + steps).joined(separator: "\n")
    }

    static func script(
        for names: VehicleNames, installations: String, master: String? = nil, ros: ROSVersion = .one
    ) -> String {
        let values = [
            "vehicle=\(names.vehicle)", "installations=\(RemoteShell.word(installations))",
            "hosts='\(ros.networkNames.joined(separator: " "))'",
            "names='\(ros.variableNames.joined(separator: " "))'", "uavlink_program=\(ros.program)",
            ros.isTwo ? "uavlink_version=2 usual=jazzy other=kilted" : "uavlink_version=1 usual=noetic other=melodic",
        ]
        // After the log-in's own values were noted: it is a difference to them.
        let chosen = master.map { "export ROS_MASTER_URI=\(RemoteShell.word($0))" } ?? ""
        let startUpFiles = startUpFiles(ros.networkNames)
        let beforeLogIn = ros.isTwo ? [trial] : [chosen, named, trial, masters]
        let running = ros.isTwo ? [nodesOfROS2] : [named, choice, processes]
        let steps =
            [beginning, saying] + beforeLogIn + [logIn, startUpFiles] + running
            + [setupFiles, workspaces, installed, ending]
        return (values + ["echo '\(ROSEnvironment.answerMark)'"] + steps).joined(separator: "\n")
    }

    /// Descriptor 3 is for the answer: what the setup files print must not get into it.
    private static let beginning = #"""
        exec 3>&1 >/dev/null 2>&1 </dev/null
        nl='
        '
        q="'" HOME=${HOME:-/nonexistent} ext=sh best='' given='' kept='' pid='' files='' first=''
        [ -z "${BASH_VERSION-}" ] || ext=bash
        for n in $names; do eval "old_$n=\${$n-}"; done
        finish() { say "$answer"; say end; exit 0; }
        split() { IFS=$nl; set -f; }
        whole() { unset IFS; set +f; }
        chosen() { grep -aE "^($(echo "$1" | tr ' ' '|'))="; }
        """#

    private static let saying = #"say() { printf '%s\n' "$*" >&3; }"#

    /// Says once the log-in, the profile, or a start-up file has chosen the ROS master.
    private static let named = #"""
        case $nl${ROS_MASTER_URI:+ROS_MASTER_URI=}$kept in *"${nl}ROS_MASTER_URI="*) say named ;; esac
        """#

    /// The ROS masters of this computer, one a line, under each name that they have: those of this vehicle's nodes and of the masters
    /// themselves, and those that other users run, whose environment cannot be read. All of them may have a vehicle of this name.
    private static let masters = #"""
        nodes='' roots='' others=''
        for p in $(grep -lsazE "^ROS_NAMESPACE=/?$vehicle(/.*)?\$" /proc/[0-9]*/environ); do
          [ ! -O "$p" ] || ! grep -qsaz '^__name:=' "${p%environ}cmdline" || nodes="$nodes $p"
        done
        for p in $(grep -lsazE '(^|/)rosmaster$' /proc/[0-9]*/cmdline); do
          [ ! -O "$p" ] || { roots="$roots ${p%cmdline}environ"; continue; }
          port=$(tr '\0' '\n' <"$p" | sed -n '/^-p$/{n;p;}')
          others="$others${nl}http://localhost:${port:-11311}"
        done
        for m in $({ grep -hsaz '^ROS_MASTER_URI=' $nodes $roots </dev/null | tr '\0' '\n' | sed 's/^[^=]*=//'
          echo "$others"; } | sed 's|/*$||' | sort -u); do say "master $m"; done
        """#

    /// `consider KIND PLACE FILE...` reads setup files in a subshell, on top of the variables in `given` and below those in `kept`,
    /// and notes what the environment is then. A setup file must not see arguments: ROS's files pass them on.
    private static let trial = #"""
        ros() { [ "${ROS_VERSION:-$uavlink_version}" = "$uavlink_version" ] && command -v "$uavlink_program"; }
        types() (
          set -f
          IFS=:
          for d in ${PYTHONPATH-} /usr/lib/python3/dist-packages; do [ ! -d "$d/mrs_msgs" ] || exit 0; done
          exit 1
        )
        adopt() {
          split
          for line in $1; do export "$line"; done
          whole
        }
        load() { uavlink_file=$1; shift; . "$uavlink_file" >/dev/null; }
        differences() {
          for n in $names; do
            eval "new=\${$n-} old=\${old_$n-}"
            case $new in "$old" | *"$nl"*) continue ;; esac
            [ "$n" != PATH ] || new=${new%":$old"}
            printf 'set %s=%s\n' "$n" "$new"
          done
        }
        consider() {
          answer=$(
            kind=$1 place=$2
            shift 2
            adopt "$given"
            for file; do load "$file"; done
            adopt "$kept"
            ros >/dev/null || exit 1
            printf 'found %s %s\n' "$kind" "$place"
            for file; do printf 'file %s\n' "$file"; done
            [ -z "$pid" ] || printf 'process %s\n' "$pid"
            [ -z "${ROS_DISTRO-}" ] || printf 'distribution %s\n' "$ROS_DISTRO"
            differences
            echo "uses ${ROS_MASTER_URI-}"
            if types; then echo types; fi
          )
          case $answer in
            found*"${nl}types"*) finish ;;
            found*) [ -n "$best" ] || best=$answer ;;
          esac
        }
        """#

    /// A rosservice in the system's folders is not enough: its variables may be set elsewhere.
    private static let logIn = #"""
        say 'looked the environment of the log-in'
        at=$(command -v "$uavlink_program") here=${ROS_DISTRO-}${ROS_ROOT-}${ROS_PACKAGE_PATH-}${ROS_MASTER_URI-}
        case $at in '' | /usr/bin/* | /bin/*) ;; *) here=yes ;; esac
        [ -z "$here" ] || consider log-in "$at"
        """#

    /// `files` are the setup files, `kept` the addresses, those of the log-in before those of the file. A word may have quotes and
    /// variables, that of an address also `$(...)`. Two different values stand in branches that are not known here.
    private static func startUpFiles(_ addresses: [String]) -> String {
        #"""
        plain="\\\\.|[^[:space:];&|()<>\`#\"$q\\\\]" single="${q}[^$q]*$q"
        word="(\"[^\"\`()]*\"|$single|$plain)+"
        value="(\"([^\"\`()]|[$]\\([^()]*\\))*\"|$single|[$]\\([^()]*\\)|$plain)+"
        before='^([^#]*[;&|{[:space:]])?' after='([[:space:];&|}#].*)?$'
        for rc in "$HOME/.zshrc" "$HOME/.bashrc"; do
          case $rc,${SHELL-} in *zshrc,*zsh | *bashrc,*) ;; *) continue ;; esac
          say "looked $rc"
          [ -r "$rc" ] || continue
          split
          for w in $(sed -nE "s/$before(source|\.)[[:space:]]+($word)$after/\3/p" "$rc"); do
            file=$(eval "f=$w"; printf '%s' "$f")
            case $file in */setup.bash | */setup.sh | */setup.zsh | */local_setup.*) ;; *) continue ;; esac
            case $file in *.sh) ;; *) file=${file%.*}.$ext ;; esac
            case $files$nl in *"$nl$file$nl"*) continue ;; esac
            [ ! -r "$file" ] || files=$files$nl$file
          done
          for n in \#(addresses.joined(separator: " ")); do
            one=''
            for w in $(sed -nE "s/$before$n=($value)$after/\2/p" "$rc"); do
              v=$(eval "v=$w"; printf '%s' "$v")
              case $v in '' | "$one" | *"$nl"*) continue ;; esac
              [ -z "$one" ] || { one=''; say "note $rc sets $n to several values, of which none is used"; break; }
              one=$v
            done
            eval "v=\${$n-}"
            v=${v:-$one}
            [ -z "$v" ] || kept=$kept$nl$n=$v
          done
          whole
          [ -z "$files$kept" ] || break
        done
        """#
    }

    /// `pick ENVIRON...` sets `first` to the environment to be used of these of running processes. The master is `want`; if that is
    /// not known, all must have the same, else `several` is set.
    private static let choice = #"""
        say 'looked the environment of running nodes'
        several=''
        pick() {
          first=''
          [ $# != 0 ] || return 0
          if [ -n "$want" ]; then
            first=$(grep -lsazFx "ROS_MASTER_URI=$want" "$@" | head -n 1)
          else
            case $(grep -hsaz '^ROS_MASTER_URI=' "$@" | tr '\0' '\n' | sort -u | grep -c .) in
              0) ;;
              1) first=$(grep -lsaz '^ROS_MASTER_URI=' "$@" | head -n 1) ;;
              *) several=yes; say 'note several ROS masters are in use, and which is that of the vehicle is not known' ;;
            esac
          fi
        }
        """#

    /// roslaunch starts a node with `__name:=`, and with its namespace in the environment. The companion and this script have neither.
    /// Where the vehicle's nodes have several masters, a master that runs here alone proves nothing.
    private static let processes = #"""
        want=${ROS_MASTER_URI-}
        pick $nodes
        [ -z "$first" ] || name=$(tr '\0' '\n' <"${first%environ}cmdline" | sed -n 's/^__name:=/node /p')
        if [ -z "$first" ]; then
          [ -n "$want" ] || want=$(printf '%s\n' "$kept" | sed -n 's/^ROS_MASTER_URI=//p')
          [ -z "$want" ] && [ -n "$several" ] || pick $roots
          name='ROS master'
        fi
        if [ -n "$first" ]; then
          pid=${first#/proc/} pid=${pid%/*}
          given=$(tr '\0' '\n' <"$first" | chosen "$names")
          kept=$(printf '%s\n' "$given" | chosen "$hosts")
          consider process "$name"
          given=''
        fi
        """#

    private static let setupFiles = #"""
        split
        set -- $files
        whole
        [ $# = 0 ] || consider start-up-file "$rc" "$@"
        """#

    /// Each trial starts Python: not more than six of them. A script of that name of anything else than ROS is not run.
    private static let workspaces = #"""
        say "looked $HOME/*/devel"
        say "looked $HOME/*/install"
        set --
        for file in "$HOME"/*/devel/setup.$ext "$HOME"/*/install/setup.$ext; do
          d=${file%/*}
          [ -r "$file" ] || continue
          [ ! -e "$d/.catkin" ] && [ ! -e "$d/_setup_util.py" ] && [ ! -e "$d/local_setup.$ext" ] || set -- "$@" "$file"
        done
        if [ $# != 0 ]; then
          split
          set -- $(ls -t -- "$@" | head -n 6)
          whole
        fi
        for candidate; do consider workspace "$candidate" "$candidate"; done
        """#

    private static let installed = #"""
        say "looked $installations"
        seen=''
        for d in "$installations/$usual" "$installations/$other" "$installations"/*; do
          case $seen in *"$nl$d$nl"*) continue ;; esac
          seen=$seen$nl$d$nl
          [ -r "$d/setup.$ext" ] || continue
          if [ -x "$d/bin/$uavlink_program" ]; then
            consider installation "$d" "$d/setup.$ext"
          else
            say "note $d is not ROS $uavlink_version"
          fi
        done
        """#

    private static let ending = #"""
        say 'looked the PATH'
        consider packages "$at"
        answer=$best
        [ -n "$answer" ] || answer=$(
          adopt "$kept"
          echo 'found none'
          echo "uses ${ROS_MASTER_URI-}"
          [ -z "$pid" ] || printf 'process %s\n' "$pid"
          differences
        )
        finish
        """#
}
