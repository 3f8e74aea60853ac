extension ServiceUnit {
    /// The unit for the system: `scripts/systemd/uavlink-companion@.service`, which a test compares.
    static let systemUnit = #"""
        # The companion as a service of a vehicle's computer, for the user whom operators log in as over SSH: only that user can
        # reach the control socket through which a session is opened.
        #
        #   sudo install -m 755 uavlink-companion /usr/local/bin/
        #   sudo install -m 644 scripts/systemd/uavlink-companion@.service /etc/systemd/system/
        #   sudo install -D -m 644 scripts/systemd/companion.env /etc/uavlink/companion.env      and edit it
        #   sudo systemctl daemon-reload && sudo systemctl enable --now uavlink-companion@USER
        [Unit]
        Description=uavlink companion for %i
        Wants=network-online.target
        After=network-online.target time-sync.target
        # In the air no one can start it by hand: try for ever.
        StartLimitIntervalSec=0

        [Service]
        # It notifies systemd when it listens, and its channel's thread does so twice within WatchdogSec: one that hangs is ended
        # and started again.
        Type=notify
        WatchdogSec=5
        User=%i
        Environment=ROS_MASTER_URI=http://localhost:11311 UAV_NAME=uav1 COMPANION_OPTIONS=
        EnvironmentFile=-/etc/uavlink/companion.env
        ExecStart=/usr/local/bin/uavlink-companion run --uav ${UAV_NAME} --runtime-dir /run/uavlink $COMPANION_OPTIONS
        RuntimeDirectory=uavlink
        RuntimeDirectoryMode=0700
        Restart=on-failure
        RestartSec=1
        # It brakes a vehicle that it steers and closes its sessions within a second.
        TimeoutStopSec=5

        NoNewPrivileges=yes
        CapabilityBoundingSet=
        AmbientCapabilities=
        ProtectSystem=strict
        ProtectHome=yes
        PrivateTmp=yes
        PrivateDevices=yes
        ProtectClock=yes
        ProtectHostname=yes
        ProtectControlGroups=yes
        ProtectKernelLogs=yes
        ProtectKernelModules=yes
        ProtectKernelTunables=yes
        ProtectProc=invisible
        LockPersonality=yes
        MemoryDenyWriteExecute=yes
        RestrictNamespaces=yes
        RestrictRealtime=yes
        RestrictSUIDSGID=yes
        # UDP and TCP, the control socket, and the list of the machine's addresses.
        RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK
        SystemCallArchitectures=native
        SystemCallFilter=@system-service
        SystemCallErrorNumber=EPERM
        UMask=0077

        [Install]
        WantedBy=multi-user.target

        """#
}
