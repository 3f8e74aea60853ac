import FuzzKit
import Simulation
import UAVLink

/// Any bytes as references to a flying vehicle: it stays finite and within what a vehicle can do.
@main enum FuzzFlight: FuzzTarget {
    /// In the air over the standard world, without a safety area to protect it; each run takes a copy.
    private static let flying: HexacopterSimulator? = {
        guard var simulator = try? HexacopterSimulator() else { return nil }
        for request in [ServiceCall.arming(true), .toggleOutput(true), .offboard, .takeoff, .useSafetyArea(false)] {
            guard simulator.call(request).success else { return nil }
            simulator.advance(by: .milliseconds(10))
        }
        simulator.advance(by: .seconds(8))
        return simulator
    }()

    static func test(_ bytes: [UInt8]) {
        guard var simulator = flying else { preconditionFailure("the vehicle does not fly") }
        var input = Input(rest: bytes[...])
        for _ in 0..<8 {
            guard let request = input.request() else { break }
            _ = simulator.call(request)
            simulator.advance(by: .milliseconds(120))
        }
        let seen = simulator.snapshot
        precondition(seen.truePosition.isFinite && seen.velocity.isFinite && seen.heading.isFinite)
        precondition(seen.referencePosition.isFinite && seen.referenceVelocity.length < 20 && seen.velocity.length < 40)
        _ = simulator.telemetry(at: MonotonicTime(nanoseconds: 0))
    }

    private struct Input {
        var rest: ArraySlice<UInt8>

        mutating func number() -> Double {
            var bits: UInt64 = 0
            for _ in 0..<8 { bits = bits << 8 | UInt64(rest.popFirst() ?? 0) }
            return Double(bitPattern: bits)
        }

        mutating func vector() -> Vector3 { Vector3(x: number(), y: number(), z: number()) }

        mutating func frame() -> FrameName {
            let names = [
                "", "world_origin", "local_origin", "fcu", "fcu_untilted", "latlon_origin", "utm_origin", "uav1/fcu",
                "nowhere",
            ]
            return FrameName(names[Int(rest.popFirst() ?? 0) % names.count])
        }

        mutating func request() -> ServiceCall? {
            guard let kind = rest.popFirst() else { return nil }
            switch kind % 12 {
            case 0: return .goTo(vector(), headingRadians: number())
            case 1: return .goToBody(vector(), headingRadians: number())
            case 2: return .goToRelative(vector(), headingRadians: number())
            case 3: return .goToAltitude(number())
            case 4: return .setHeading(number())
            case 5: return .setHeadingRelative(number())
            case 6: return .reference(PlaceReference(frame: frame(), position: vector(), headingRadians: number()))
            case 7:
                return .velocityReference(
                    VelocityReference(
                        frame: frame(), velocity: vector(), altitudeMetres: kind > 99 ? number() : nil,
                        headingRadians: kind > 150 ? number() : nil, headingRate: number()))
            case 8:
                let count = Int(rest.popFirst() ?? 0) % 20
                return .trajectoryReference(
                    TrajectoryReference(
                        frame: frame(),
                        points: (0..<count).map { _ in .init(position: vector(), headingRadians: number()) },
                        timeStepSeconds: number(), usesHeading: kind > 99, fliesNow: true, loops: kind > 150))
            case 9: return .setMinimumZ(frame: frame(), metres: number())
            case 10: return [.hover, .land, .ehover, .landHome, .pirouette][Int(kind / 12) % 5]
            default: return .setConstraints(["slow", "medium", "fast"][Int(kind / 12) % 3])
            }
        }
    }
}
