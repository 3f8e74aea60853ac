import FlightVolume
import Testing
import UAVLink

@Suite struct FlyableVolumeTests {
    /// A square of 100 m with a notch from the north, 20 m wide and 60 m deep.
    static let notched = FlyableVolume(
        corners: [[0, 0], [100, 0], [100, 100], [60, 100], [60, 40], [40, 40], [40, 100], [0, 100]], minimumZMetres: 1,
        maximumZMetres: 15)

    func at(_ x: Double, _ y: Double, _ z: Double = 5) -> Vector3 { Vector3(x: x, y: y, z: z) }

    @Test func `inside, in the notch, beside, below and above`() {
        let volume = Self.notched
        #expect(volume.contains(at(20, 80)))
        #expect(volume.contains(at(50, 20)))
        #expect(!volume.contains(at(50, 80)))
        #expect(!volume.contains(at(-1, 50)))
        #expect(!volume.contains(at(20, 80, 0.9)))
        #expect(!volume.contains(at(20, 80, 15.1)))
        #expect(!volume.contains(at(.nan, 80)))
    }

    @Test func `a line between two points inside that cuts through the notch leaves`() throws {
        let exit = try #require(Self.notched.firstExit(from: at(20, 80), to: at(80, 80)))
        #expect(exit.border == .side(5))
        #expect(abs(exit.position.x - 40) < 1e-9)
        #expect(abs(exit.fraction - 20.0 / 60) < 1e-12)
        #expect(Self.notched.firstExit(from: at(20, 20), to: at(80, 20)) == nil)
    }

    @Test func `touching a corner is not leaving, a hair beyond it is`() throws {
        #expect(Self.notched.firstExit(from: at(20, 20), to: at(60, 60)) != nil)
        // Past the notch's corner (40, 40), first in one point only, then with a centimetre of it.
        #expect(Self.notched.firstExit(from: at(20, 60), to: at(60, 20)) == nil)
        #expect(Self.notched.firstExit(from: at(20, 60.02), to: at(60, 20.02)) != nil)
    }

    @Test func `floor and ceiling are borders`() throws {
        let up = try #require(Self.notched.firstExit(from: at(20, 20, 5), to: at(30, 20, 25)))
        #expect(up.border == .ceiling)
        #expect(abs(up.position.z - 15) < 1e-9)
        let down = try #require(Self.notched.firstExit(from: at(20, 20, 5), to: at(20, 20, 0)))
        #expect(down.border == .floor)
        #expect(Self.notched.firstExit(from: at(20, 20, 1), to: at(30, 20, 1)) == nil)
    }

    @Test func `a line that begins outside says so, and a point is a line too`() {
        #expect(Self.notched.firstExit(from: at(50, 80), to: at(20, 80))?.border == .startsOutside)
        #expect(Self.notched.firstExit(from: at(50, 80), to: at(50, 80))?.border == .startsOutside)
        #expect(Self.notched.firstExit(from: at(50, 20), to: at(50, 20)) == nil)
        #expect(Self.notched.firstExit(from: at(.nan, 20), to: at(50, 20)) != nil)
    }

    @Test func `switched off, everything is inside`() {
        var off = Self.notched
        off.isEnabled = false
        #expect(off.contains(at(1e6, 0)))
        #expect(off.firstExit(from: at(0, 0), to: at(1e6, 0)) == nil)
        #expect(off.distanceToBorder(at(0, 0)) == .infinity)
    }

    @Test(arguments: [
        (20.0, 20.0, 5.0, 4.0), (5, 20, 8, 5), (50, 35, 8, 5), (45, 80, 5, -5), (-3, 20, 5, -3), (20, 20, 18, -3),
        (-3, 20, 19, -5),
    ])
    func `the distance to the border is positive inside and negative outside`(
        x: Double, y: Double, z: Double, d: Double
    ) {
        #expect(abs(Self.notched.distanceToBorder(at(x, y, z)) - d) < 1e-9)
    }

    /// Against a thousand points along each line: what they find outside, the exact answer finds no later.
    @Test func `no line that leaves is passed, by brute force`() {
        var random = SplitMix64(seed: 9)
        for _ in 0..<400 {
            let from = at(
                Double.random(in: -10...110, using: &random), Double.random(in: -10...110, using: &random),
                Double.random(in: 0...17, using: &random))
            let to = at(
                Double.random(in: -10...110, using: &random), Double.random(in: -10...110, using: &random),
                Double.random(in: 0...17, using: &random))
            let exit = Self.notched.firstExit(from: from, to: to)
            let firstOutside = (0...1000).first { !Self.notched.contains(from + (to - from) * (Double($0) / 1000)) }
            if let firstOutside {
                #expect((exit?.fraction ?? 2) <= Double(firstOutside) / 1000 + 1e-9)
            }
            if let exit {
                let before = from + (to - from) * (exit.fraction * 0.999)
                #expect(exit.fraction == 0 || Self.notched.contains(before))
                #expect(exit.fraction == 0 || abs(Self.notched.distanceToBorder(exit.position)) < 1e-6)
            }
        }
    }
}
