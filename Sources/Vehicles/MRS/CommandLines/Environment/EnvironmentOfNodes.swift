extension EnvironmentSearch {
    /// A node of ROS 2 is told its namespace by an argument, and its environment has all that its programs need.
    ///
    /// What it lacks of the network's variables is made empty, which is the same to ROS 2: the log-in's domain is not the vehicle's. Of
    /// nodes in several domains, or behind several routers, none is used: they may be of two vehicles of this name.
    static let nodesOfROS2 = #"""
        say 'looked the environment of running nodes'
        graph='' graphs=0
        for p in $(grep -lsazE "^__ns:=/?$vehicle(/.*)?\$" /proc/[0-9]*/cmdline); do
          p=${p%/cmdline}
          [ -O "$p/environ" ] || continue
          pid=${p#/proc/} name=$(tr '\0' '\n' <"$p/cmdline" | sed -n 's/^__node:=/node /p' | head -n 1)
          given=$(tr '\0' '\n' <"$p/environ" | chosen "$names")
          reach=$(printf '%s\n' "$given" | chosen "$hosts" | sort)
          for n in $hosts; do
            case $nl$reach in *"$nl$n="*) ;; *) reach="$reach$nl$n=" ;; esac
          done
          [ "$graphs" = 0 ] || [ "$reach" != "$graph" ] || continue
          graph=$reach graphs=$((graphs + 1)) node=${name:-node of $vehicle} all=$given nodepid=$pid
        done
        if [ "$graphs" = 1 ]; then
          kept=$graph given=$all pid=$nodepid
          consider process "$node"
        elif [ "$graphs" != 0 ]; then
          say "looked nodes of $vehicle in several domains or behind several routers, of which none was chosen"
        fi
        given=''
        """#
}
