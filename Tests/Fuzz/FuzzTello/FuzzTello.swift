import FuzzKit
import Tello
import UAVLink

/// Datagrams of a Tello: replies, states, its video, and any sequence of them to a client in flight. The first byte of each line
/// says which port it comes to, and what the ground does before.
@main enum FuzzTello: FuzzTarget {
    static func test(_ bytes: [UInt8]) {
        _ = TelloReply(bytes)
        if let state = TelloState(bytes) { precondition((state.heightMetres ?? 0).isFinite) }
        var client = TelloClient(vehicle: "t1")
        var meter = H264Meter()
        var now = MonotonicTime(nanoseconds: 1_000_000_000)
        client.open(for: 1, until: now + .seconds(5), now: now)
        var call: UInt64 = 1
        for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: true) {
            call += 1
            now = now + .milliseconds(Int(line[line.startIndex]))
            client.used(now: now)
            // It begins with a start code of four bytes, also where one of three has come.
            precondition(meter.take(line).count <= bytes.count + 1)
            switch line[line.startIndex] % 8 {
            case 0: client.receiveState(line.dropFirst(), now: now)
            case 1: client.perform(.takeoff, for: call, within: .seconds(3), now: now)
            case 2: client.perform(.land, for: call, within: .seconds(3), now: now)
            case 3: client.perform(.hover, for: call, within: .seconds(3), now: now)
            case 4: client.perform(.emergencyLand, for: call, within: .seconds(3), now: now)
            case 5 where line.count == 2:
                let metres = Double(Int8(truncatingIfNeeded: Int(line[line.startIndex + 1]))) / 16
                let place = Command.Destination(
                    .body, position: Vector3(x: metres, y: 0, z: 0), headingRadians: 0)
                client.perform(.goTo(place), for: call, within: .seconds(3), now: now)
            case 5: client.advance(now: now)
            default: client.receive(line.dropFirst(), now: now)
            }
            // Whatever comes, few datagrams follow one.
            precondition(client.takeOutgoing().count < 16)
            _ = client.takeEndings()
            _ = client.takeNews()
        }
    }
}
