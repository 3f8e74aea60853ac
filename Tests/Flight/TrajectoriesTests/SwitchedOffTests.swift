import FlightVolume
import Testing
import Trajectories
import UAVLink

/// What cannot be checked, or need not be generated to be refused.
@Suite struct SwitchedOffTests {
    private func points(_ metres: Double...) -> [PlannedPoint] {
        metres.map { PlannedPoint(position: Vector3(x: $0, y: 0, z: 3)) }
    }

    @Test func `an area that is switched off is not checked, and that is said`() throws {
        var volume = FlyableVolume(
            corners: [SIMD2(-1, -1), SIMD2(1, -1), SIMD2(1, 1), SIMD2(-1, 1)], minimumZMetres: 0, maximumZMetres: 9)
        let generated = try TrajectoryGenerator(limits: .medium).trajectory(through: points(0, 5))
        func report() -> TrajectoryReport {
            TrajectoryCheck(
                limits: .medium, volume: volume, battery: BatteryModel(remaining: 1, enduranceSeconds: 900)
            ).report(on: generated)
        }
        #expect(!report().isOK && report().missingChecks.isEmpty)
        volume.isEnabled = false
        #expect(report().isOK)
        #expect(report().findings.map(\.kind) == [.safetyArea] && report().findings.map(\.weight) == [.warning])
        #expect(report().missingChecks.map(\.kind) == [.safetyArea, .obstacle])
        #expect(
            report().missingChecks.map(\.text) == [
                "safety area not checked (switched off in the file)", "obstacles not checked (switched off with it)",
            ])
    }

    @Test func `a point beyond any flight is named before anything is generated`() {
        let error = #expect(throws: RouteError.self) {
            try TrajectoryGenerator(limits: .medium).trajectory(through: points(0, 10, 500_000))
        }
        #expect(error?.pointIndex == 2)
        #expect(
            error?.what.hasPrefix("point 3: it is 500000 m from point 1; allowed: 100000 m") == true,
            "\(error?.what ?? "")")
    }
}
