import ARDrone
import FuzzKit
import UAVLink

/// What an AR.Drone sends: navigation data, its configuration and its video, and any sequence of navigation data to a client in
/// flight. The input is blocks, each with two bytes of length; the first byte of a block says what it is, and how much time passes.
@main enum FuzzARDrone: FuzzTarget {
    static func test(_ bytes: [UInt8]) {
        _ = try? Navdata(bytes)
        var reader = ARDroneConfigurationReader()
        var video = PaVEReader()
        var core = ARDroneCore(vehicle: "d1")
        var now = MonotonicTime(nanoseconds: 1_000_000_000)
        core.open(for: 1, until: now + .seconds(60), now: now)
        var call: UInt64 = 1
        var rest = bytes[...]
        while rest.count > 3 {
            let length = min(Int(rest[rest.startIndex]) | Int(rest[rest.startIndex + 1]) << 8, rest.count - 2)
            let block = rest.dropFirst(2).prefix(length)
            rest = rest.dropFirst(2 + length)
            guard let kind = block.first else { continue }
            call += 1
            now = now + .milliseconds(Int(kind))
            core.used(now: now)
            switch kind % 10 {
            case 0: core.perform(.takeoff, for: call, within: .seconds(3), now: now)
            case 1: core.perform(.land, for: call, within: .seconds(3), now: now)
            case 2: core.perform(.hover, for: call, within: .seconds(3), now: now)
            case 3: core.perform(.emergencyLand, for: call, within: .seconds(3), now: now)
            case 4 where block.count == 3:
                // Around the places of the seeds: what the drone says of its own decides the way.
                let degrees = block.dropFirst().map { Double($0) / 1000 }
                let place = Vector3(x: 50 + degrees[0], y: 14 + degrees[1], z: 0)
                let goal = Command.Destination(.frame(.latitudeLongitude), position: place, headingRadians: 0)
                core.perform(.goTo(goal), for: call, within: .seconds(3), now: now)
            case 4: core.advance(now: now)
            case 5: if let dump = reader.take(block.dropFirst()) { core.receiveConfiguration(dump, now: now) }
            case 6: precondition(video.take(block.dropFirst()).count <= bytes.count)
            case 7: core.controlOpened(now: now)
            default: core.receive(signed(block.dropFirst()), now: now)
            }
            let outgoing = core.takeOutgoing()
            // Whatever comes, few datagrams follow one, and none is longer than the drone reads.
            precondition(outgoing.count < 16 && outgoing.allSatisfy { $0.bytes.count <= ATSequence.mostBytes })
            _ = core.takeEndings()
            _ = core.takeNews(now: now)
        }
    }

    /// The bytes with the checksum that they need, which no fuzzer finds.
    private static func signed(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        let sum = bytes.reduce(UInt32(0)) { $0 &+ UInt32($1) }
        return Array(bytes) + [0xFF, 0xFF, 8, 0] + (0..<4).map { UInt8(truncatingIfNeeded: sum >> (8 * UInt32($0))) }
    }
}
