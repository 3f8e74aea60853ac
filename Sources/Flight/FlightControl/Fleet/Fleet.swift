package import UAVLink
package import VehicleAccess

/// A vehicle with a logged-in session.
package struct LoggedInVehicle: Sendable, Identifiable {
    /// The number of the vehicle in the order of log-in, from 1.
    package let id: Int
    /// Its connection profile.
    package let profile: VehicleProfile
    /// The connected link.
    package let link: any UAVLink
    /// Why this link was selected after another one failed, one line; empty otherwise.
    package let linkSelectionReason: String
    /// The SSH session and the connections through it; `nil` in tests and for a vehicle without one.
    package let connector: VehicleConnector?

    /// The path of the world file that its profile names; `nil` if it names none.
    package var worldFilePath: String? { profile.world }

    /// The displayed name, which no other logged-in vehicle has: the vehicle's name, preceded by the profile's if they differ, and
    /// followed by a number if another one was logged in under that name before.
    package let title: String

    /// The same for each log-in to this vehicle, over whatever link.
    package var identity: String {
        let place = link.kind == .sim ? link.kind.rawValue : profile.link.machine?.text ?? profile.host ?? ""
        return "\(place)/\(profile.vehicle)"
    }

    init(
        id: Int, profile: VehicleProfile, link: any UAVLink, linkSelectionReason: String, connector: VehicleConnector?,
        titles: Set<String>
    ) {
        (self.id, self.profile, self.link) = (id, profile, link)
        (self.linkSelectionReason, self.connector) = (linkSelectionReason, connector)
        let name =
            profile.name == profile.vehicle || profile.name == "local"
            ? profile.vehicle : "\(profile.name):\(profile.vehicle)"
        let numbered = (2...titles.count + 2).lazy.map { "\(name) #\($0)" }.first { !titles.contains($0) }
        title = titles.contains(name) ? numbered ?? name : name
    }

    /// The flight status as telemetry says it now; `nil` without one, while the link is lost, or if it is older than two seconds: what a
    /// vehicle did before that says nothing of what it does now.
    package func flightStatus(now: MonotonicTime) -> FlightStatus? {
        guard link.quality.isConnected, let flight = link.latestTelemetry?.flight,
            flight.age(now: now) < Self.oldestFlightStatus
        else { return nil }
        return flight.value
    }

    /// As for disarming.
    private static let oldestFlightStatus: Duration = .seconds(2)
}

/// The vehicles logged in to, and which of them is selected.
@MainActor
package final class Fleet {
    /// All vehicles, in the order of log-in.
    package private(set) var vehicles: [LoggedInVehicle] = []
    /// The vehicle that key presses act on.
    package private(set) var selectedID: Int?
    /// Whether take-off, landing and stop commands go to all vehicles, not only to the selected one.
    package var commandsAll = false {
        didSet { if commandsAll != oldValue { tell() } }
    }
    /// The vehicle that the open screen steers; over a link without control authority nothing else shows who has control.
    package var steeredID: Int? {
        didSet { if steeredID != oldValue { tell() } }
    }
    /// The vehicle that the open screen measures over links of its own; on these it has control authority as a pilot of its own.
    package var measuredID: Int? {
        didSet { if measuredID != oldValue { tell() } }
    }
    /// When the bytes were read of which the input was made that is being handled; `nil` between two.
    package var inputReadAt: MonotonicTime?
    /// How long keys of this program have taken to a setpoint.
    package var keyDelays = KeyDelays()
    /// Notifies the open screen of new telemetry of these vehicles.
    package let updates: UpdateLimiter
    /// Called after a vehicle was logged out of, before its link is closed.
    package var onRemoval: (@MainActor (LoggedInVehicle) -> Void)?
    /// Stops what was begun last and still has steps to send.
    private var stopPending: (@MainActor () -> Void)?
    /// How many commands of the user have begun.
    package private(set) var commandsBegun = 0
    private var commandBegunAt: MonotonicTime?
    let clock: any MonotonicClock
    private var records: [Int: TelemetryRecord] = [:]
    private var lastID = 0

    package init(timeSource: any TimeSource = SystemTimeSource()) {
        clock = timeSource.clock
        updates = UpdateLimiter(timeSource: timeSource)
    }

    /// The vehicle that key presses act on.
    package var selected: LoggedInVehicle? { vehicles.first { $0.id == selectedID } }

    /// The vehicles that take-off, landing and stop commands go to.
    package var targets: [LoggedInVehicle] { commandsAll ? vehicles : selected.map { [$0] } ?? [] }

    /// The position of the selected vehicle, from 1; for "2/3".
    package var selectedPosition: Int? { vehicles.firstIndex { $0.id == selectedID }.map { $0 + 1 } }

    /// Adds a vehicle and selects it.
    @discardableResult
    package func add(
        profile: VehicleProfile, link: any UAVLink, linkSelectionReason: String = "", connector: VehicleConnector? = nil
    ) -> LoggedInVehicle {
        lastID += 1
        let vehicle = LoggedInVehicle(
            id: lastID, profile: profile, link: link, linkSelectionReason: linkSelectionReason, connector: connector,
            titles: Set(vehicles.map(\.title)))
        vehicles.append(vehicle)
        selectedID = vehicle.id
        records[vehicle.id] = TelemetryRecord(of: link, clock: clock) { [weak updates] in updates?.arrived() }
        tell()
        return vehicle
    }

    /// Selects the next vehicle; after the last one the first.
    package func selectNext() {
        guard let at = vehicles.firstIndex(where: { $0.id == selectedID }) else { return }
        selectedID = vehicles[(at + 1) % vehicles.count].id
        tell()
    }

    /// Selects a vehicle by its number; ignored if there is none.
    package func select(_ id: Int) {
        guard vehicles.contains(where: { $0.id == id }) else { return }
        selectedID = id
        tell()
    }

    /// Logs out of a vehicle: closes its link and its session.
    package func remove(_ id: Int) async {
        guard let at = vehicles.firstIndex(where: { $0.id == id }) else { return }
        let vehicle = vehicles.remove(at: at)
        records[id] = nil
        if vehicles.count < 2 { commandsAll = false }
        if steeredID == id { steeredID = nil }
        if measuredID == id { measuredID = nil }
        if selectedID == id { selectedID = vehicles.isEmpty ? nil : vehicles[min(at, vehicles.count - 1)].id }
        tell()
        onRemoval?(vehicle)
        await vehicle.link.close()
        await vehicle.connector?.close()
    }

    /// Logs out of all vehicles, at the same time: a link may take seconds to let a stop command end.
    package func removeAll() async {
        await withTaskGroup(of: Void.self) { group in
            for vehicle in vehicles { group.addTask { await self.remove(vehicle.id) } }
        }
    }

    /// Begins a command of the user: whatever part of the program still has steps of an older one to send, sends no more.
    ///
    /// - Parameter stop: stops the steps of this command, when the next one begins; idle ones ignore it.
    package func beginCommand(stop: @escaping @MainActor () -> Void = {}) {
        commandsBegun &+= 1
        commandBegunAt = clock.now
        let older = stopPending
        stopPending = stop
        older?()
    }

    /// Whether a command of the user has begun so recently that telemetry may not show its effect yet.
    package func hasBegunCommand(within time: Duration) -> Bool {
        commandBegunAt.map { clock.now - $0 < time } ?? false
    }

    private func tell() { updates.announce(isUrgent: true) }

    // MARK: Telemetry

    /// The last minute of a vehicle, recorded since log-in; `nil` for one that is not logged in.
    package func history(of id: Int) -> VehicleHistory? { records[id]?.history() }
}

extension LoggedInVehicle {
    /// The state of the vehicle at an instant.
    package func snapshot(now: MonotonicTime) -> VehicleSnapshot {
        var snapshot = VehicleSnapshot(
            vehicle: profile.vehicle, link: link.kind, telemetry: link.latestTelemetry, quality: link.quality, now: now)
        // Over a channel the companion sends at its own rate.
        snapshot.hasTelemetryRate =
            link.kind != .direct || link.vehicleCapabilities.telemetry.contains(.topicRates)
        return snapshot
    }
}
