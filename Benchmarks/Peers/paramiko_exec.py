"""paramiko on a warm session, a new exec channel for each command: paramiko_exec.py PORT USER PRIVATE_KEY COMMAND"""

import sys

import paramiko

from pace import serve_runs

port, user, key, command = sys.argv[1:]
client = paramiko.SSHClient()
client.set_missing_host_key_policy(paramiko.AutoAddPolicy())  # a server of our own, made a moment ago
client.connect(
    "127.0.0.1", port=int(port), username=user, key_filename=key, look_for_keys=False, allow_agent=False
)
client.get_transport().set_keepalive(0)


def execute():
    channel = client.get_transport().open_session()
    channel.exec_command(command)
    while channel.recv(4096):
        pass
    if channel.recv_exit_status() != 0:
        sys.exit("'%s' failed" % command)
    channel.close()


execute()
serve_runs(execute)
