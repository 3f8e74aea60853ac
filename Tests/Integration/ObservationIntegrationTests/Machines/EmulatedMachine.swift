import Foundation
import IntegrationKit

/// An emulated machine in a process of its own, on real sockets or a pseudo terminal, and where it truly is.
struct EmulatedMachine {
    enum Kind: String, CaseIterable, Sendable {
        case tello, ardrone, bluno

        /// As recordings and screens name it.
        var name: String {
            switch self {
            case .tello: "Tello"
            case .ardrone: "AR.Drone"
            case .bluno: "Bluno robot"
            }
        }
    }

    /// Where it is: metres and radians, the heading counter-clockwise from x.
    struct Place: Decodable, Sendable {
        var seconds: Double
        var x: Double
        var y: Double
        var z: Double
        var heading: Double
        var state: String

        func distance(to other: Place) -> Double { hypot(other.x - x, other.y - y) }
        /// How far the other one is ahead of this one, in the direction in which this one looks.
        func ahead(_ other: Place) -> Double { (other.x - x) * cos(heading) + (other.y - y) * sin(heading) }
        /// The angle to the other one's heading, counter-clockwise, -pi to pi.
        func turn(to other: Place) -> Double { (other.heading - heading).remainder(dividingBy: 2 * .pi) }
    }

    let kind: Kind
    let process: ChildProcess
    /// What `--link` takes.
    let address: String

    /// Starts one on free ports. (The state of a Tello goes to port 8890 of its ground, always: suites with one are in one lane.)
    ///
    /// - Parameter options: more of its command line.
    init(_ kind: Kind, options: [String] = []) async throws {
        var failure: any Error = ProcessFailure("no ports")
        for _ in 0..<10 {
            let port = Int.random(in: 20_000...29_000)
            var words = ["--machine", kind.rawValue, "--track"] + options
            switch kind {
            case .tello: words += ["--port", "\(port)"]
            case .ardrone: words += ["--at-port", "\(port)"]
            case .bluno: break
            }
            let process = try ChildProcess([BuiltPrograms.path("uavlink-sim")] + words)
            do {
                let line = try await process.line(ofErrorsContaining: " takes ")
                let device = line.split(separator: " ").last { $0.hasPrefix("bluno://") }.map(String.init)
                address = device ?? "\(kind.rawValue)://127.0.0.1:\(port)"
                (self.kind, self.process) = (kind, process)
                return
            } catch {
                await process.stop()
                failure = error
            }
        }
        throw failure
    }

    /// Where it has been, oldest first.
    var track: [Place] {
        let output = process.output
        let whole = output[..<(output.lastIndex(of: "\n") ?? output.startIndex)]
        return whole.split(separator: "\n").compactMap(Self.place)
    }

    /// What it did, each with its time.
    var states: String {
        var last = ""
        return track.filter { place in
            defer { last = place.state }
            return place.state != last
        }.map { "\(($0.seconds * 10).rounded() / 10) s \($0.state)" }.joined(separator: ", ")
    }

    /// Where it is.
    func place() throws -> Place {
        let output = process.output
        let lines = output[..<(output.lastIndex(of: "\n") ?? output.startIndex)]
        guard let place = lines.split(separator: "\n").last.flatMap(Self.place) else {
            throw ProcessFailure("the emulator has not said where it is: \(process.errors)")
        }
        return place
    }

    private static func place(_ line: Substring) -> Place? {
        try? JSONDecoder().decode(Place.self, from: Data(line.utf8))
    }

    /// Waits until it is as wanted, and returns where it is then; `meanwhile` is done again and again until it is.
    @discardableResult
    func sees(
        _ what: String, within timeout: Duration = .seconds(30), meanwhile: () async throws -> Void = {},
        _ isRight: (Place) -> Bool
    ) async throws -> Place {
        var patience = Patience(timeout)
        while true {
            let place = try place()
            if isRight(place) { return place }
            guard !patience.isOver() else { throw ProcessFailure("the machine was never \(what): \(place)") }
            try await meanwhile()
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    /// Waits until it stands still, or hovers: within a second it moves less than 3 cm. Returns where.
    func stands(within timeout: Duration = .seconds(20)) async throws -> Place {
        var patience = Patience(timeout)
        while true {
            let last = track.suffix(11)
            if let first = last.first, let place = last.last, place.seconds - first.seconds > 0.8,
                last.allSatisfy({ $0.distance(to: place) < 0.03 && abs($0.turn(to: place)) < 0.03 })
            {
                return place
            }
            guard !patience.isOver() else { throw ProcessFailure("the machine moves on: \(last)") }
            try await Task.sleep(for: .milliseconds(100))
        }
    }
}
