public import UAVLink
public import VehicleAccess

/// A vehicle that somebody is logged in to.
public struct LoggedInVehicle: Sendable, Identifiable {
    /// Numbers vehicles in the order in which they were logged in to, from 1.
    public let id: Int
    /// How it is reached.
    public let profile: VehicleProfile
    /// The connected link.
    public let link: any UAVLink
    /// Why it is this link, when another was tried before: one line.
    public let linkStory: String
    /// The SSH session and whatever else is reached through it; `nil` in tests and for a vehicle without one.
    public let connector: VehicleConnector?

    /// What a person calls it: the profile's name, and the vehicle's where they differ.
    public var title: String {
        profile.name == profile.vehicle || profile.name == "local"
            ? profile.vehicle : "\(profile.name):\(profile.vehicle)"
    }
}

/// The vehicles that somebody is logged in to, and which of them is commanded.
@MainActor
public final class Fleet {
    /// All of them, in the order of log-in.
    public private(set) var vehicles: [LoggedInVehicle] = []
    /// The one that keys act on.
    public private(set) var selectedID: Int?
    /// Whether take-off, landing and the stops go to all vehicles, not only to the selected one.
    public var commandsAll = false {
        didSet { if commandsAll != oldValue { tell() } }
    }
    private var lastID = 0
    private var observers: [UInt64: () -> Void] = [:]
    private var nextObserver: UInt64 = 0

    /// Nobody logged in.
    public init() {}

    /// The one that keys act on.
    public var selected: LoggedInVehicle? { vehicles.first { $0.id == selectedID } }

    /// The vehicles that take-off, landing and the stops go to.
    public var targets: [LoggedInVehicle] { commandsAll ? vehicles : selected.map { [$0] } ?? [] }

    /// Where the selected one stands among all, from 1; for "2/3".
    public var selectedPosition: Int? { vehicles.firstIndex { $0.id == selectedID }.map { $0 + 1 } }

    /// Adds a vehicle and selects it.
    @discardableResult
    public func add(
        profile: VehicleProfile, link: any UAVLink, linkStory: String = "", connector: VehicleConnector? = nil
    ) -> LoggedInVehicle {
        lastID += 1
        let vehicle = LoggedInVehicle(
            id: lastID, profile: profile, link: link, linkStory: linkStory, connector: connector)
        vehicles.append(vehicle)
        selectedID = vehicle.id
        tell()
        return vehicle
    }

    /// Selects the next one, after the last the first.
    public func selectNext() {
        guard let at = vehicles.firstIndex(where: { $0.id == selectedID }) else { return }
        selectedID = vehicles[(at + 1) % vehicles.count].id
        tell()
    }

    /// Selects one by its number; nothing happens when it is not there.
    public func select(_ id: Int) {
        guard vehicles.contains(where: { $0.id == id }) else { return }
        selectedID = id
        tell()
    }

    /// Logs out of one: its link and its session are closed.
    public func remove(_ id: Int) async {
        guard let at = vehicles.firstIndex(where: { $0.id == id }) else { return }
        let vehicle = vehicles.remove(at: at)
        if vehicles.count < 2 { commandsAll = false }
        if selectedID == id { selectedID = vehicles.isEmpty ? nil : vehicles[min(at, vehicles.count - 1)].id }
        tell()
        await vehicle.link.close()
        await vehicle.connector?.close()
    }

    /// Logs out of all.
    public func removeAll() async {
        for vehicle in vehicles { await remove(vehicle.id) }
    }

    /// Calls `body` after every change, until the token is let go of.
    public func observe(_ body: @escaping () -> Void) -> Observation {
        nextObserver += 1
        let number = nextObserver
        observers[number] = body
        return Observation { [weak self] in self?.observers[number] = nil }
    }

    /// Keeps an observer alive.
    @MainActor
    public final class Observation {
        private let end: () -> Void
        init(_ end: @escaping () -> Void) { self.end = end }
        isolated deinit { end() }
    }

    private func tell() { for body in Array(observers.values) { body() } }
}

extension LoggedInVehicle {
    /// What is known of it at an instant.
    public func snapshot(now: MonotonicTime) -> VehicleSnapshot {
        VehicleSnapshot(
            vehicle: profile.vehicle, link: link.kind, telemetry: link.latestTelemetry, quality: link.quality, now: now)
    }
}
