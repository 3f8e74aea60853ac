internal import UAVLink
internal import VehicleAccess

/// What the vehicle's computer says of itself before anything is measured.
struct VehicleFacts: Sendable {
    /// Not part of the measurement: if they cannot be read, the report has none.
    let machine: [LatencyReport.Fact]
    let versions: [LatencyReport.Fact]
    /// Why nobody can log in to it; `nil` if that is not known.
    let obstacle: LinkError?

    /// With one of these every log-in fails. Through a relay it would be reported as a lost connection: the relay accepts it before it
    /// knows whether the host does.
    private static let obstacles: [LinkError.Code] = [
        .unreachable, .authentication, .hostKeyUnknown, .hostKeyChanged,
    ]

    /// Logs in, past all relays, and asks.
    init(_ access: LaboratoryAccess, within timeout: Duration) async {
        do throws(LinkError) {
            let said = try await access.vehicleComputer(within: timeout)
            func facts(areVersions: Bool) -> [LatencyReport.Fact] {
                said.filter { $0.isVersion == areVersions }.map { .init("vehicle's \($0.name)", $0.value) }
            }
            (machine, versions) = (facts(areVersions: false), facts(areVersions: true))
            obstacle = nil
        } catch {
            (machine, versions) = ([], [])
            obstacle = Self.obstacles.contains(error.code) ? error : nil
        }
    }
}
