public import UAVLink

/// Watches `rostopic echo` of all printed topics: why a part of the vehicle's state is not known.
public struct EchoWatches: Sendable {
    private let names: VehicleNames
    private let ros: ROSVersion
    private var watches: [VehicleTopic: EchoWatch]
    private var hasStatus = false

    /// The topics that every vehicle of the stack has, most important first. One without a battery's sensor flies too.
    private static let needed: [VehicleTopic] = [.controlDiagnostics, .uavStatus, .estimationDiagnostics]

    /// Creates watches for a vehicle's topics; none is started yet.
    public init(_ names: VehicleNames, ros: ROSVersion = .one) {
        (self.names, self.ros) = (names, ros)
        watches = VehicleTopic.printable.reduce(into: [:]) { $0[$1] = EchoWatch(name: names.name(of: $1), ros: ros) }
    }

    /// The watch of a topic.
    public subscript(topic: VehicleTopic) -> EchoWatch {
        get { watches[topic] ?? EchoWatch(name: names.name(of: topic), ros: ros) }
        set { watches[topic] = newValue }
    }

    /// A message of a topic came.
    public mutating func messageCame(_ topic: VehicleTopic, at now: MonotonicTime) {
        watches[topic]?.messageCame(at: now)
        if topic == .uavStatus { hasStatus = true }
    }

    /// Why a part of the telemetry that every vehicle sends does not come; `nil` if it comes, or may still.
    public func fault(_ telemetry: Telemetry, now: MonotonicTime) -> LinkError? {
        for topic in Self.needed {
            if let fault = watches[topic]?.fault(now: now) { return fault }
        }
        guard hasStatus, telemetry.flight?.value.state ?? .unknown == .unknown else { return nil }
        return LinkError(
            .remoteFailed, "\(names.name(of: .uavStatus)) has no status of the hardware",
            hint: "is the node running that publishes \(names.name(of: .hardwareStatus))?")
    }
}
