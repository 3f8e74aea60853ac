import DBus
import FuzzKit

/// What a bus, or whoever passes for one, writes to our connection: messages with wrong signatures, lengths, containers and serials,
/// replies to calls that were never made, nested variants, or no messages at all. It goes through a socket and sd-bus itself.
@main enum FuzzDBus: FuzzTarget {
    /// How often something is asked for at most after each message: sd-bus takes several steps for one.
    private static let turns = 64

    static func test(_ bytes: [UInt8]) {
        var source = MessageSource(bytes)
        FakeBus.open()
        guard let bus = try? SystemBus(address: FakeBus.address), let peer = FakeBus() else { return }
        run(bus, peer, &source)
        peer.close()
        bus.close()
        // It has ended for good, and says so.
        precondition(bus.descriptor < 0 && !bus.wantsWriting)
        precondition((try? bus.next()) == nil && (try? bus.send(call)) == nil)
    }

    /// Made each time: one that is kept would look like a leak, since values are held by tagged pointers.
    private static var call: DBusCall {
        DBusCall(
            "org.bluez", "/org/bluez/hci0", "org.freedesktop.DBus.Properties", "Set",
            [.string("a"), .dictionary(["b": .bytes([1]), "c": .list([.string("d")])])])
    }

    private static func run(_ bus: SystemBus, _ peer: FakeBus, _ source: inout MessageSource) {
        guard look(bus, peer) else { return }
        if source.next() < 0x10 { peer.write(source.rest(64)) }
        peer.write(FakeBus.logIn)
        guard look(bus, peer) else { return }
        peer.write(source.next() < 0x10 ? source.message() : MessageSource.hello)
        guard look(bus, peer) else { return }
        // So that there are calls that a reply may name.
        for _ in 0..<2 { _ = try? bus.send(call) }
        while !source.isAtEnd {
            peer.write(source.message())
            guard look(bus, peer) else { return }
        }
    }

    /// Takes what has come; `false` once the connection has ended.
    private static func look(_ bus: SystemBus, _ peer: FakeBus) -> Bool {
        for _ in 0..<turns {
            peer.drain()
            do throws(BusFailure) {
                guard let event = try bus.next() else { return true }
                check(event)
            } catch {
                precondition(!error.what.isEmpty)
                return false
            }
        }
        return true
    }

    private static func check(_ event: DBusEvent) {
        let values: [DBusValue] =
            switch event {
            case .reply(_, _, .success(let values)): values
            case .reply(_, _, .failure): []
            case .signal(let signal): signal.arguments
            }
        var left = 100_000
        for value in values { count(value, depth: 0, &left) }
        precondition(left >= 0)
    }

    /// No value lies deeper, and no message has more of them, than what stands above can bear.
    private static func count(_ value: DBusValue, depth: Int, _ left: inout Int) {
        left -= 1
        precondition(depth <= 17)
        switch value {
        case .list(let values): for each in values { count(each, depth: depth + 1, &left) }
        case .dictionary(let entries): for each in entries.values { count(each, depth: depth + 1, &left) }
        default: break
        }
    }
}
