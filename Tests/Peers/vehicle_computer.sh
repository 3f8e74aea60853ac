#!/bin/sh
# A vehicle's computer in the root of scripts/vehicle-root: file systems, host name, and an sshd that runs until it is ended.
#
#   vehicle_computer.sh ROOT FOLDER [COMMAND...]
#
# It is the first process of mount, process and host name namespaces of its own, in a network namespace of the vehicle's. FOLDER has
# ssh_host_key, authorized_keys and python, the classes of the flight stack's messages. COMMAND starts the sshd, if something is to
# happen before. Prints "vehicle PID", PID as this machine sees it, when all but the sshd is there.
#
# The root is read-only: what is written lies in memory and goes with the namespaces.
set -eu
root=$1 folder=$2
shift 2

# Before the namespace has a /proc of its own: the number that this machine knows.
read -r pid rest </proc/self/stat

mount --make-rprivate /
hostname hexa
ip link set lo up
# For what runs beside the root, in the same network.
mount --bind "$root/etc/hosts" /etc/hosts
# Swift's runtime looks for its own threads in /proc, by the numbers of this namespace, and traps where it does not find them.
mount -t proc proc /proc

mkdir -p "$folder/root"
mount --bind "$root" "$folder/root"
mount -o remount,bind,ro,dev,suid "$folder/root"
cd "$folder/root"

mount -t proc proc proc
mount -t sysfs -o ro sysfs sys || true
mount -t tmpfs -o mode=755 tmpfs dev
for device in 'null 3' 'zero 5' 'full 7' 'random 8' 'urandom 9'; do
    mknod -m 666 "dev/${device% *}" c 1 "${device#* }"
done
mknod -m 666 dev/tty c 5 0
mkdir dev/pts dev/shm
mount -t devpts -o newinstance,ptmxmode=666,mode=620,gid=5 devpts dev/pts
ln -s pts/ptmx dev/ptmx
ln -s /proc/self/fd dev/fd
ln -s /proc/self/fd/0 dev/stdin
ln -s /proc/self/fd/1 dev/stdout
ln -s /proc/self/fd/2 dev/stderr
mount -t tmpfs -o mode=1777 tmpfs dev/shm
mount -t tmpfs -o mode=1777 tmpfs tmp
mount -t tmpfs -o mode=755 tmpfs run
mount -t tmpfs -o mode=755 tmpfs home
mount -t tmpfs -o mode=755 tmpfs opt/uavlink

mkdir run/sshd run/vehicle
install -m 600 "$folder/ssh_host_key" run/vehicle/
install -m 644 "$folder/authorized_keys" run/vehicle/
cat >run/vehicle/sshd_config <<'END'
ListenAddress 0.0.0.0
HostKey /run/vehicle/ssh_host_key
AuthorizedKeysFile /run/vehicle/authorized_keys
PasswordAuthentication no
UsePAM no
PidFile none
PrintLastLog no
Subsystem sftp internal-sftp
END

# A workspace as catkin leaves it, which nothing on the ground knows of.
workspace=home/mrs/workspace/devel
mkdir -p "$workspace"
: >"$workspace/.catkin"
cp -R "$folder/python" "$workspace/python"
cat >"$workspace/setup.bash" <<'END'
export PYTHONPATH=$HOME/workspace/devel/python${PYTHONPATH:+:$PYTHONPATH}
export ROS_PACKAGE_PATH=$HOME/workspace/devel/python:/usr/share
END
sed 's/\.bash/.sh/' "$workspace/setup.bash" >"$workspace/setup.sh"
chown -R 1000:1000 home/mrs

echo "vehicle $pid"
exec "$@" chroot . /usr/sbin/sshd -D -e -f /run/vehicle/sshd_config
