internal import MachineLink
internal import SystemIO
internal import UAVLink

/// The client with its sockets and those who wait, shared by an ``ARDroneLink`` and its thread.
typealias ARDroneRunner = MachineLinkCore<ARDroneCore, ARDroneSockets>

/// Where datagrams go and come from.
struct ARDroneSockets: MachineSockets {
    let address: IPv4Address
    let commandPeer: DatagramSocket.Endpoint
    let navdataPeer: DatagramSocket.Endpoint
    let commands: DatagramSocket
    let navdata: DatagramSocket

    func send(_ output: ARDroneCore.Output) -> SocketHandle.Outcome {
        switch output {
        case .commands(let bytes): commands.send(bytes, to: commandPeer)
        case .request: navdata.send(output.bytes, to: navdataPeer)
        }
    }
}

extension ARDroneRunner {
    /// Longer than any datagram that is looked at, so that one that was cut is not taken for a whole one.
    private static var bufferBytes: Int { 8192 }

    /// Opens the sockets and starts the thread, unless that was done meanwhile.
    func start(to address: IPv4Address, _ settings: ARDroneLink.Settings) throws(LinkError) {
        try start { () throws(SocketError) in
            ARDroneSockets(
                address: address, commandPeer: .init(address, port: settings.port),
                navdataPeer: .init(address, port: settings.navdataPort),
                commands: try DatagramSocket(bound: .init(.any, port: 0)),
                navdata: try DatagramSocket(bound: .init(.any, port: 0)))
        } work: { [self] sockets in
            work(sockets, ARDroneControlChannel(address: address, port: settings.controlPort))
        }
    }

    /// The link's thread: the control loop, what comes, and the configuration, until the link is closed.
    private func work(_ sockets: ARDroneSockets, _ control: ARDroneControlChannel) {
        var control = control
        var poller = Poller()
        var buffer = [UInt8](repeating: 0, count: Self.bufferBytes)
        var (navdataPlace, controlPlace): (Int?, Int?)
        while turn(
            &poller,
            adding: { poller in
                control.want(client { $0.configurator.wantsControl }, now: clock.now)
                navdataPlace = poller.add(sockets.navdata.descriptor)
                controlPlace = control.add(to: &poller)
            })
        {
            if let navdataPlace, poller.isReady(navdataPlace) {
                read(sockets.navdata, from: sockets.navdataPeer, into: &buffer) { core, bytes, now in
                    core.receive(bytes, now: now)
                }
            }
            if let controlPlace, poller.isReady(controlPlace) { serve(&control, into: &buffer) }
        }
    }

    private func serve(_ control: inout ARDroneControlChannel, into buffer: inout [UInt8]) {
        let news = control.serve(into: &buffer)
        take { core, now in
            switch news {
            case .nothing: return
            case .opened: core.controlOpened(now: now)
            case .configuration(let dump): core.receiveConfiguration(dump, now: now)
            }
        }
    }
}
