import Simulation
import Testing
import UAVLink

@Suite struct DeterminismTests {
    /// A quarter of a minute with everything that is random, as snapshots ten times a second.
    func fly(seed: UInt64) throws -> [VehicleSnapshot] {
        let flight = try Flight(seed: seed) {
            $0.gustsMetresPerSecond = 1
            $0.windMetresPerSecond = Vector3(x: 3, y: 1, z: 0)
        }
        #expect(flight.takeOff())
        var seen: [VehicleSnapshot] = []
        for index in 0..<100 {
            if index % 20 == 0 { _ = flight.goTo(Double(index % 7), Double(index % 11), 3) }
            flight.pause(0.1)
            seen.append(flight.now)
        }
        return seen
    }

    @Test func `the same seed flies the same flight to the last bit`() throws {
        let (first, second) = (try fly(seed: 7), try fly(seed: 7))
        #expect(first == second)
        #expect(first.map(\.truePosition.x.bitPattern) == second.map(\.truePosition.x.bitPattern))
        #expect(try fly(seed: 8) != first)
    }

    @Test func `a copy goes on like the original`() throws {
        let flight = try Flight()
        #expect(flight.takeOff())
        var copy = flight.simulator
        flight.pause(3)
        copy.advance(by: .seconds(3))
        #expect(copy.snapshot == flight.now)
    }

    /// First outputs of the authors' own C programs (prng.di.unimi.it) for this seed, run through both generators.
    @Test func `the generator is the published one`() {
        var source = NoiseSource(seed: 0)
        let first = (0..<4).map { _ in source.next() }
        var again = NoiseSource(seed: 0)
        #expect(first == (0..<4).map { _ in again.next() })
        #expect(first.first == Self.expectedFirst)
        var sum = 0.0
        var squares = 0.0
        for _ in 0..<20_000 {
            let x = source.gaussian()
            sum += x
            squares += x * x
        }
        #expect(abs(sum / 20_000) < 0.03)
        #expect(abs(squares / 20_000 - 1) < 0.05)
    }

    /// xoshiro256++ on the first four outputs of SplitMix64 from 0: rotl(s0 + s3, 23) + s0, by hand.
    static let expectedFirst: UInt64 = {
        let (s0, s3): (UInt64, UInt64) = (0xE220_A839_7B1D_CDAF, 0xF88B_B8A8_724C_81EC)
        let sum = s0 &+ s3
        return ((sum << 23) | (sum >> 41)) &+ s0
    }()

    @Test func `steps are counted, not timed`() throws {
        let flight = try Flight()
        flight.simulator.advance(by: .milliseconds(1234))
        #expect(flight.simulator.stepCount == 1234)
        #expect(flight.simulator.elapsed == .milliseconds(1234))
        flight.simulator.advance(by: .seconds(-1))
        #expect(flight.simulator.stepCount == 1234)
    }
}
