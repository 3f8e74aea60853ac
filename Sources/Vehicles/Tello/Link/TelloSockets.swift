internal import MachineLink
internal import SystemIO
internal import UAVLink

/// The client with its sockets and those who wait, shared by a ``TelloLink`` and its thread.
typealias TelloCore = MachineLinkCore<TelloClient, TelloSockets>

/// Where datagrams go and come from.
struct TelloSockets: MachineSockets {
    let peer: DatagramSocket.Endpoint
    let commands: DatagramSocket
    /// `nil` where another program has its port, or another link that drone: it can be stopped and landed without it.
    let state: TelloStatePort.Subscription?

    func send(_ command: TelloCommand) -> SocketHandle.Outcome { commands.send(command.bytes, to: peer) }
}

extension TelloCore {
    /// Longer than any datagram that is looked at, so that one that was cut is not taken for a whole one.
    private static var bufferBytes: Int { 2048 }

    /// Opens the sockets and starts the thread, unless that was done meanwhile. Without the port of the drone's state the link
    /// only stops and lands it.
    func start(to peer: DatagramSocket.Endpoint, _ settings: TelloLink.Settings) throws(LinkError) {
        var missing: String?
        try start { () throws(SocketError) in
            let commands = try DatagramSocket(bound: .init(.any, port: settings.commandPort))
            var place: TelloStatePort.Subscription?
            do throws(SocketError) {
                place = try TelloStatePort.subscribe(to: settings.statePort, of: peer.address, for: self) {
                    [weak self] bytes in self?.take { client, now in client.receiveState(bytes, now: now) }
                }
            } catch {
                missing = error.what
            }
            return TelloSockets(peer: peer, commands: commands, state: place)
        } _: { client, now in
            if let missing { client.restrictToStops(because: missing, now: now) }
        } work: { [self] in
            work($0)
        }
    }

    /// The link's thread: sends what is due, reads what comes, until the link is closed.
    private func work(_ sockets: TelloSockets) {
        var poller = Poller()
        var buffer = [UInt8](repeating: 0, count: Self.bufferBytes)
        var (commandPlace, statePlace): (Int?, Int?)
        while turn(
            &poller,
            adding: { poller in
                commandPlace = poller.add(sockets.commands.descriptor)
                statePlace = sockets.state.map { poller.add($0.port.descriptor) }
            })
        {
            if let commandPlace, poller.isReady(commandPlace) {
                read(sockets.commands, from: sockets.peer, into: &buffer) { client, bytes, now in
                    client.receive(bytes, now: now)
                }
            }
            if let state = sockets.state, let statePlace, poller.isReady(statePlace) {
                state.port.read(into: &buffer)
            }
        }
    }
}
