internal import CompanionControl
internal import SystemKit
internal import Threads
internal import UAVLink

/// The companions that run on this machine for this user, such as the one of `uavlink sim`.
package struct LocalCompanions: Sendable {
    private let environment: [String: String]

    /// Looks in the runtime directory of the environment.
    package init(environment: [String: String]) { self.environment = environment }

    /// The vehicles whose companions answer, in alphabetical order.
    package func vehicles() async -> [String] {
        let environment = environment
        return await DedicatedThread.run { Self.answering(environment) } ?? []
    }

    private static func answering(_ environment: [String: String]) -> [String] {
        guard let runtime = try? RuntimeDirectory(environment: environment),
            let names = Folder.names(in: runtime.path)
        else { return [] }
        return names.filter { $0.hasSuffix(".sock") }.map { String($0.dropLast(5)) }
            .filter(VehicleProfile.isVehicleName).sorted()
            // A killed companion leaves its socket behind, so only an answer counts.
            .filter { ((try? ControlClient(path: runtime.controlSocketPath(vehicle: $0)).ask(.status)) ?? nil) != nil }
    }
}
