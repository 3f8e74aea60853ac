internal import VehicleAccess

/// What the vehicle's services and companions must be like; each check refuses before anything was begun.
extension DeploymentRun {
    /// That a service can be written, and one that runs can be restarted.
    func requireServiceable(at stage: DeploymentStage) throws(DeploymentFailure) {
        guard options.wantsService else {
            if let companion, facts.isOurService(companion) { try requireOwnUnit() }
            return
        }
        guard facts.hasPortableUser else {
            throw .refused(
                "the user's name '\(facts.user)' on the vehicle has other characters than letters, digits, '.', '_' and '-', or "
                    + "begins with '-': no service is made, since its commands are run as root",
                hint: "log in as another user")
        }
        if facts.unit == .foreign { throw Self.foreignUnit }
        try requireOwnUnit()
        // Without a manager the unit is only printed, and whatever runs goes on.
        guard facts.hasUserManager, let companion, !isCompanionReplaceable else { return }
        let owner =
            companion.isOwn ? "the service \(companion.unit ?? "")" : "another user's process \(companion.process)"
        throw .refused(
            "the running companion is \(owner): a second one cannot serve \(vehicle); \(stage.outcome)",
            hint: stage.hint("when the vehicle is on the ground, end it, and repeat the command"))
    }

    /// A unit of another origin is neither replaced nor removed.
    static let foreignUnit = DeploymentFailure.refused(
        "~/\(ServiceUnit.path) on the vehicle was not written by a deployment",
        hint: "remove it there, and repeat the command")

    /// That a unit which a deployment has written is for this vehicle: another one may fly, and is not looked at.
    func requireOwnUnit() throws(DeploymentFailure) {
        guard facts.unit == .ours, facts.unitVehicle != vehicle else { return }
        throw unitOfAnother(facts.unitVehicle ?? "")
    }

    /// - Parameter other: the vehicle that the unit is for; empty if it does not say.
    func unitOfAnother(_ other: String) -> DeploymentFailure {
        let place = "~/\(ServiceUnit.path) on the vehicle"
        guard !other.isEmpty else {
            return .refused(
                "\(place) does not say which vehicle it is for", hint: "remove it there, and repeat the command")
        }
        return .refused(
            "\(place) is the service of \(other), not of \(vehicle)",
            hint: "name that vehicle with --uav \(other), or remove its service first")
    }

    /// That no companion of another vehicle runs from what would be removed: it may fly, and could not be started again.
    func requireOwnPrograms() throws(DeploymentFailure) {
        let other = facts.running.first { $0.vehicle != vehicle && facts.isDeployed($0) }
        guard let other else { return }
        throw .refused(
            "the companion for \(other.vehicle) (process \(other.process)) runs from what would be removed",
            hint:
                "when that vehicle is on the ground, end it: \(VehicleProfile.deployedCompanion) --uav \(other.vehicle) stop"
        )
    }
}
